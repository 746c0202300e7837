import { Effect, Stream } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { HttpServerRequest, HttpServerResponse, type HttpPlatform as Platform } from "effect/http"
import { HttpPlatform } from "effect/http/HttpPlatform"
import { isKnown } from "./AnswerHeaders.ts"
import { acceptedCodings, tagIn } from "./ContentCoding.ts"

/** A text that is the same for every client. */
export interface Content {
  readonly text: string
  readonly contentType: string
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that is the same for every client. */
export type SharedAnswer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

/** The codings alongside the plain text, the best first, each with its level: the text is compressed only once. */
const codings: ReadonlyArray<readonly [coding: Platform.CompressionAlgorithm, level: number]> = [
  ["br", 9],
  ["gzip", 9],
]

/** A content in one coding. */
interface Variant {
  readonly coding: string
  readonly etag: string
  readonly found: HttpServerResponse.HttpServerResponse
  readonly notModified: HttpServerResponse.HttpServerResponse
}

/**
 * An answer to GET and HEAD whose bytes are made at the first request and shared by all. It is compressed if the client
 * accepts that, has a strong `ETag` for each coding, and is 304 for clients that have it. Any cache may store it for an
 * hour.
 */
export const sharedAnswer = Effect.fnUntraced(function* <R>(content: Effect.Effect<Content, never, R>) {
  const services = yield* Effect.context<R | HttpPlatform | Digest.Digest>()
  const variants = yield* content.pipe(Effect.flatMap(variantsOf), Effect.provideContext(services), Effect.cached)
  return Effect.flatMap(variants, (variants) =>
    HttpServerRequest.HttpServerRequest.useSync(({ headers }) => {
      const { etag, found, notModified } = preferred(variants, headers["accept-encoding"])
      return isKnown(headers["if-none-match"], etag) ? notModified : found
    }),
  )
})

const variantsOf = Effect.fnUntraced(function* ({ contentType, headers, text }: Content) {
  const { compression } = yield* HttpPlatform
  const plain = new TextEncoder().encode(text)
  const hash = yield* Digest.Digest.use((digest) => digest.digest(Digest.sha256, plain))
  const tag = Base64Url.encode(hash.subarray(0, 16))
  const compressed = Effect.forEach(
    codings.filter(([coding]) => compression.algorithms.has(coding)),
    ([coding, level]) =>
      compression.compressResponse(HttpServerResponse.uint8Array(plain), coding, { level }).pipe(
        Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).arrayBuffer())),
        Effect.map((bytes) => [coding, new Uint8Array(bytes)] as const),
      ),
    { concurrency: "unbounded" },
  )
  return [...(yield* compressed), ["identity", plain] as const].map(([coding, bytes]): Variant => {
    const etag = tagIn(coding, tag)
    const common = { etag, "cache-control": "public, max-age=3600", vary: "Accept-Encoding" }
    return {
      coding,
      etag,
      found: HttpServerResponse.stream(pieces(bytes), {
        contentType,
        contentLength: bytes.length,
        headers: {
          ...common,
          ...(coding === "identity" ? {} : { "content-encoding": coding }),
          "x-content-type-options": "nosniff",
          ...headers,
        },
      }),
      notModified: HttpServerResponse.empty({ status: 304, headers: common }),
    }
  })
})

/** The bytes in pieces, none of them a copy. They are sent in turn, so that only one waits for a slow reader. */
const pieces = (bytes: Uint8Array): Stream.Stream<Uint8Array> => {
  const size = 65_536
  const views = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return Stream.fromIterable(views, { chunkSize: 1 })
}

/** The best variant for an `Accept-Encoding`. */
const preferred = (variants: ReadonlyArray<Variant>, acceptEncoding = ""): Variant => {
  const offered = variants.map(({ coding }) => coding).filter((coding) => coding !== "identity")
  const [best] = acceptedCodings(offered, acceptEncoding)
  return variants.find(({ coding }) => coding === best) as Variant
}
