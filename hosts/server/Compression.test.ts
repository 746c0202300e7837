/** Answers that are compressed for clients that accept it (D17), and answers that never are. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  manage,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

const codings = ["zstd", "br", "gzip"] as const

/** A shop with orders, and requests to it with its token. */
const filled = Effect.gen(function* () {
  const { send } = yield* TestHost
  const shop = yield* newShop(send)
  for (let number = 1; number <= 5; number++) {
    yield* newDesign(send, shop, `d-${number}`)
    yield* newOrder(send, shop, `${number}`, [`d-${number}`])
  }
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => read(send, shop.token, path, headers)
  const head = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send("HEAD", `/api/v1${path}`, { headers: { authorization: `Bearer ${shop.token}`, ...headers } })
  return { shop, get, head, send }
})

const large = ["/orders", "/orders?limit=2", "/customizers/101"]

onHosts("Compressed answers of the REST API", [memory, postgres], (it) => {
  it.effect("MUST have the same text in every coding, in fewer bytes, and a different tag for each (D17)", () =>
    Effect.gen(function* () {
      const { get, head } = yield* filled
      for (const path of large) {
        const plain = yield* get(path)
        expect(plain.headers["content-encoding"]).toBeUndefined()
        const tags = new Set([plain.headers["etag"]])
        for (const coding of codings) {
          const answer = yield* get(path, { "accept-encoding": coding })
          expect([answer.status, answer.headers["content-encoding"], answer.text]).toEqual([200, coding, plain.text])
          expect(answer.length).toBeLessThan(plain.length * 0.8)
          expect(answer.headers["content-length"]).toBe(String(answer.length))
          expect(answer.headers["content-type"]).toBe("application/json")
          expect(answer.headers["vary"]).toBe("Authorization, Accept-Encoding")
          expect(answer.headers["etag"]).toMatch(/^"[\w-]+"$/)
          tags.add(answer.headers["etag"])
          const { ratelimit, date, ...headers } = (yield* head(path, { "accept-encoding": coding })).headers
          expect({ ...answer.headers, ...headers }).toEqual(answer.headers)
          expect(headers["content-length"]).toBe(String(answer.length))
        }
        expect(tags.size).toBe(4)
      }
    }),
  )

  it.effect(
    "MUST be 304 only for a client that has the answer in a coding that it accepts, by that coding's tag (D17)",
    () =>
      Effect.gen(function* () {
        const { get } = yield* filled
        const all = codings.join(", ")
        const tags: Record<string, string> = {}
        for (const coding of ["identity", ...codings])
          tags[coding] = (yield* get("/orders", { "accept-encoding": coding })).headers["etag"] ?? ""
        for (const [coding, tag] of Object.entries(tags)) {
          for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
            const answer = yield* get("/orders", { "accept-encoding": all, "if-none-match": known })
            expect([coding, answer.status, answer.headers["etag"], answer.text]).toEqual([coding, 304, tag, ""])
            expect(answer.headers["content-encoding"]).toBeUndefined()
          }
          // A client that has it in a coding that it no longer accepts can't read it.
          const other = coding === "gzip" ? "br" : "gzip"
          const answer = yield* get("/orders", { "accept-encoding": `${other}, identity;q=0`, "if-none-match": tag })
          expect([coding, answer.status, answer.headers["content-encoding"]]).toEqual([coding, 200, other])
        }
        const plain = yield* get("/orders", { "if-none-match": tags["gzip"] ?? "" })
        expect([plain.status, plain.headers["etag"]]).toEqual([200, tags["identity"]])
        expect((yield* get("/orders", { "accept-encoding": all, "if-none-match": "*" })).headers["etag"]).toBe(
          tags["zstd"],
        )
      }),
  )

  it.effect("MUST stay plain text below 1 KiB, and if the client accepts no coding on offer", () =>
    Effect.gen(function* () {
      const { get, shop, send } = yield* filled
      const all = { "accept-encoding": codings.join(", ") }
      const small = yield* get("/orders?limit=1&orderedAfter=2099-01-01", all)
      expect([small.status, small.headers["content-encoding"], small.length < 1024]).toEqual([200, undefined, true])
      for (const accepted of ["", "deflate", "identity", "gzip;q=0", "identity;q=0", "*;q=0", "gzip;q=x"]) {
        const answer = yield* get("/orders", { "accept-encoding": accepted })
        expect([accepted, answer.status, answer.headers["content-encoding"]]).toEqual([accepted, 200, undefined])
      }
      // From 1 KiB in bytes, not in characters.
      for (let length = 1; length <= 60; length++) {
        const id = "é".repeat(length)
        yield* newDesign(send, shop, id)
        const answer = yield* get(`/designs/${encodeURIComponent(id)}`, all)
        const bytes = Buffer.byteLength(answer.text)
        expect([id, bytes, answer.headers["content-encoding"]]).toEqual([id, bytes, bytes < 1024 ? undefined : "zstd"])
      }
    }),
  )

  it.effect("MUST NOT include errors", () =>
    Effect.gen(function* () {
      const { get } = yield* filled
      const answer = yield* get(`/orders/${"x".repeat(2000)}`, { "accept-encoding": "gzip" })
      expect([answer.status, answer.headers["content-encoding"]]).toEqual([404, undefined])
    }),
  )
})

/** Whether an answer that is long enough came compressed. */
const codingOf = Effect.fnUntraced(function* (send: Send, path: string, headers: Readonly<Record<string, string>>) {
  const {
    headers: answered,
    length,
    status,
  } = yield* send("GET", path, {
    headers: { ...headers, "accept-encoding": "gzip, br, zstd" },
  })
  expect([path, status, length >= 1024]).toEqual([path, 200, true])
  return answered["content-encoding"]
})

onHosts("Answers with secrets alongside texts that others choose", [memory], (it) => {
  it.effect("MUST NOT be compressed: answers of the management API, and pages of the settings app", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (let number = 0; number < 9; number++)
        yield* manage(send, "POST", `/shops/${shop.id}/tokens`, { name: `Token ${number} ${"x".repeat(100)}` })
      const key = { authorization: `Bearer ${manageKey}` }
      expect(yield* codingOf(send, `/manage/v1/shops/${shop.id}/tokens`, key)).toBeUndefined()
      expect(yield* codingOf(send, "/settings/sign-in", {})).toBeUndefined()
      // Public documents are compressed.
      expect(yield* codingOf(send, "/openapi.json", {})).toBe("br")
    }),
  )
})
