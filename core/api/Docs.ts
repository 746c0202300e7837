/** Documentation of a contract: its OpenAPI document, and a page that shows it. */
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { type Examples, withExamples } from "./Examples.ts"
import { type Content, type SharedAnswer, sharedAnswer } from "./SharedAnswer.ts"

/** The answer with a contract's OpenAPI 3.1 document. Its examples are loaded at the first request. */
export const documentAnswer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  examples: Effect.Effect<Examples>,
) =>
  sharedAnswer(
    Effect.map(examples, (loaded) => ({
      text: JSON.stringify(OpenApi.fromApi(withExamples(api, loaded))),
      contentType: "application/json",
    })),
  )

/**
 * The answer with a page that shows a contract's documentation. Its script of several MB is loaded at the first
 * request.
 */
export const pageAnswer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  examples: Effect.Effect<Examples>,
) => sharedAnswer(Effect.flatMap(examples, (loaded) => page(withExamples(api, loaded))))

/** Serves an answer at a path. */
export const layerAt = <R>(path: `/${string}`, makeAnswer: Effect.Effect<SharedAnswer, never, R>) =>
  HttpRouter.use((router) => Effect.flatMap(makeAnswer, (answer) => router.add("GET", path, answer)))

const page = Effect.fnUntraced(function* <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
) {
  const router = yield* HttpRouter.make
  yield* Layer.build(HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false } })).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router),
    Effect.scoped,
  )
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const answer = yield* router
    .asHttpEffect()
    .pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.orDie, Effect.scoped)
  const text = yield* Effect.promise(() => HttpServerResponse.toWeb(answer).text())
  const content: Content = {
    text,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy(yield* scriptHashes(text)), "referrer-policy": "no-referrer" },
  }
  return content
})

const utf8 = new TextEncoder()

const scriptHashes = (html: string) =>
  Effect.forEach([...html.matchAll(/<script>([\s\S]*?)<\/script>/g)], ([, script = ""]) =>
    Digest.Digest.use((digest) =>
      Effect.map(digest.digest(Digest.sha256, utf8.encode(script)), (hash) => `'sha256-${Base64.encode(hash)}'`),
    ),
  )

/**
 * Scalar sets styles by script, draws icons from `data:` addresses, and lets readers send requests to the host itself.
 */
const policy = (hashes: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
