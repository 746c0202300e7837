/** Texts of many bytes that a server sends in pieces. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { bytesOf, endWith } from "./LongText.ts"

const sent = (...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-length": Buffer.byteLength(texts.join("")) })
      endWith(response, texts)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))),
    )
    const { port } = server.address() as AddressInfo
    return yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
  })

it.live("a long text MUST arrive as it is, whatever characters stand where pieces end (D10, D46)", () =>
  Effect.gen(function* () {
    for (const shift of [0, 1, 2]) {
      const text = "x".repeat(shift) + "😀é".repeat(100_000)
      expect((yield* sent(text)) === text).toBe(true)
    }
    // Of the first surrogates, this pair has the lowest.
    for (const shift of [0, 1]) {
      const text = "x".repeat(shift) + "\u{10000}".repeat(100_000)
      expect((yield* sent(text)) === text).toBe(true)
    }
    const plain = "abc".repeat(1_000_000)
    expect((yield* sent(plain)) === plain).toBe(true)
    expect((yield* sent("[", "😀", "", plain, "]")) === `[😀${plain}]`).toBe(true)
  }).pipe(Effect.scoped),
)

it("bytes of texts MUST be those of the texts joined", () => {
  const texts = ["[", "é😀", "", "\u2028", "]"]
  const joined = Buffer.from(texts.join(""))
  expect(bytesOf(texts, joined.length).equals(joined)).toBe(true)
})
