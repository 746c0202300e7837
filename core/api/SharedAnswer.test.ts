import { NodeHttpServer } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { layerCrypto } from "../support/WebCrypto.ts"
import { sharedAnswer } from "./SharedAnswer.ts"

const request = (acceptEncoding: string) =>
  HttpServerRequest.fromWeb(new Request("http://a/", { headers: { "accept-encoding": acceptEncoding } }))

/** An answer's pieces, in the order in which they are sent. */
const piecesFor = Effect.fnUntraced(function* <R>(
  answer: Effect.Effect<{ readonly body: unknown }, never, R | HttpServerRequest.HttpServerRequest>,
  acceptEncoding: string,
) {
  const { body } = yield* Effect.provideService(answer, HttpServerRequest.HttpServerRequest, request(acceptEncoding))
  const { stream } = body as { readonly stream: Stream.Stream<Uint8Array> }
  const pieces: Array<Uint8Array> = []
  const arrays: Array<number> = []
  yield* Stream.runForEachArray(stream, (array) =>
    Effect.sync(() => {
      pieces.push(...array)
      arrays.push(array.length)
    }),
  )
  // A server makes one copy of pieces that come together.
  expect(new Set(arrays)).toEqual(new Set([1]))
  return pieces
})

describe("sharedAnswer", () => {
  it.effect("MUST make its content once, at the first request, however many come at once", () =>
    Effect.gen(function* () {
      let made = 0
      const answer = yield* sharedAnswer(
        Effect.sync(() => {
          made++
          return { text: "text", contentType: "text/plain" }
        }),
      )
      expect(made).toBe(0)
      const all = Array.from({ length: 20 }, (_, index) => piecesFor(answer, index % 2 === 0 ? "br" : "gzip"))
      yield* Effect.all(all, { concurrency: "unbounded" })
      expect(made).toBe(1)
    }).pipe(Effect.provide(Layer.merge(layerCrypto, NodeHttpServer.layerHttpServices))),
  )

  it.effect("MUST send every reader the same bytes in pieces of at most 64 KiB, without copying them", () =>
    Effect.gen(function* () {
      // Of little pattern, so that it stays large compressed.
      const text = Array.from({ length: 100_000 }, (_, index) =>
        ((index * 2_654_435_761) % 4_294_967_291).toString(36),
      ).join("")
      const answer = yield* sharedAnswer(Effect.succeed({ text, contentType: "text/plain" }))
      for (const coding of ["br", "gzip", "identity"]) {
        const readers = [yield* piecesFor(answer, coding), yield* piecesFor(answer, coding)]
        const pieces = readers.flat()
        expect(pieces.length).toBeGreaterThan(2)
        expect(Math.max(...pieces.map(({ length }) => length))).toBe(65_536)
        expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(1)
      }
    }).pipe(Effect.provide(Layer.merge(layerCrypto, NodeHttpServer.layerHttpServices))),
  )
})
