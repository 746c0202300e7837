/** Conditional requests, HEAD and links: D17. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { embedded } from "../../conformance/worlds/Embedded.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  newToken,
  onHosts,
  postgres,
  publishVector,
  read,
  ringInput,
  routed,
  TestHost,
} from "../../conformance/worlds/TestHost.ts"

/** A shop with two orders, and the addresses of something of every kind in it. */
const prepared = Effect.gen(function* () {
  const { send } = yield* TestHost
  const shop = yield* newShop(send)
  for (const index of [1, 2]) {
    yield* newDesign(send, shop, `d-${index}`)
    yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], `2026-10-05T14:48:0${index}Z`)
  }
  yield* newDesign(send, shop, "draft")
  return { send, shop, paths: ["/orders?limit=1", "/orders/o-1", "/designs/d-1", "/designs/draft", "/customizers/101"] }
})

/** Headers that differ from request to request. */
const lasting = ({ headers }: Answer) => {
  const { connection, date, "keep-alive": _, ratelimit, ...rest } = headers
  return rest
}

onHosts("Conditional requests (D17)", [memory, routed, embedded, postgres], (it) => {
  it.effect("MUST send a strong ETag, Cache-Control and Vary with every object", () =>
    Effect.gen(function* () {
      const { paths, send, shop } = yield* prepared
      const tags = new Set<string | undefined>()
      for (const path of paths) {
        const answer = yield* read(send, shop.token, path)
        expect([path, answer.status]).toEqual([path, 200])
        expect(answer.headers["etag"]).toMatch(/^"[\x21\x23-\x7e]+"$/)
        expect(answer.headers["cache-control"]).toBe("private, no-cache")
        expect(answer.headers["vary"]).toBe("Authorization, Accept-Encoding")
        tags.add(answer.headers["etag"])
      }
      expect(tags.size).toBe(paths.length)
    }),
  )

  it.effect(
    "MUST answer 304 without a body, with the same ETag, to If-None-Match of it in every form, and else 200",
    () =>
      Effect.gen(function* () {
        const { paths, send, shop } = yield* prepared
        for (const path of paths) {
          const { headers, text } = yield* read(send, shop.token, path)
          const etag = headers["etag"] ?? ""
          for (const match of [etag, `W/${etag}`, `"x", ${etag}`, `"x",${etag} , "y"`, "*", ` ${etag}`]) {
            const answer = yield* read(send, shop.token, path, { "if-none-match": match })
            expect([path, match, answer.status, answer.text]).toEqual([path, match, 304, ""])
            for (const name of ["etag", "cache-control", "vary"]) expect(answer.headers[name]).toBe(headers[name])
          }
          for (const match of ['"x"', etag.slice(1, -1), `${etag}x`, `"x${etag.slice(1)}`, "", 'W/"x"']) {
            const answer = yield* read(send, shop.token, path, { "if-none-match": match })
            expect([path, match, answer.status, answer.text]).toEqual([path, match, 200, text])
          }
        }
      }),
  )

  it.effect("MUST give the same ETag to every token of the shop and on every host", () =>
    Effect.gen(function* () {
      const { paths, send, shop } = yield* prepared
      const { other } = yield* TestHost
      const { token } = yield* newToken(send, shop.id)
      for (const path of paths) {
        const { headers } = yield* read(send, shop.token, path)
        const answer = yield* read(other, token, path)
        expect([path, answer.headers["etag"]]).toEqual([path, headers["etag"]])
      }
    }),
  )

  it.effect("MUST change the ETag exactly when the bytes change", () =>
    Effect.gen(function* () {
      const { paths, send, shop } = yield* prepared
      const all = [...paths, "/orders", "/orders/o-2"]
      const states = Effect.forEach(all, (path) =>
        Effect.map(read(send, shop.token, path), ({ headers, text }) => ({ path, etag: headers["etag"], text })),
      )
      const manages = (method: string, path: string, body?: unknown) =>
        manage(send, method, `/shops/${shop.id}${path}`, body)
      let before = yield* states
      const changed: Array<ReadonlyArray<string>> = []
      for (const change of [
        manages("PUT", "/designs/draft", { ...ringInput, basePrice: 1 }),
        manages("PUT", "/designs/draft", { ...ringInput, basePrice: 1 }),
        Effect.andThen(publishVector(send, shop, 101), Effect.succeed(undefined)),
        manages("POST", "/orders/o-1/cancel"),
        manages("POST", "/orders/o-1/cancel"),
        manages("PUT", "/orders/o-3", {
          name: "3",
          orderedAt: "2020-01-01T00:00:00Z",
          lines: [{ designId: "draft", lineItemId: "1" }],
        }),
      ]) {
        yield* change
        const after = yield* states
        for (const [index, { etag, path, text }] of after.entries()) {
          expect([path, etag === before[index]?.etag]).toEqual([path, text === before[index]?.text])
        }
        changed.push(after.filter(({ text }, index) => text !== before[index]?.text).map(({ path }) => path))
        before = after
      }
      expect(changed).toEqual([
        ["/designs/draft"],
        [],
        ["/customizers/101"],
        ["/orders/o-1", "/designs/d-1", "/orders"],
        [],
        ["/orders?limit=1", "/designs/draft", "/orders"],
      ])
    }),
  )

  it.effect("MUST answer HEAD on every GET with the same headers and no body, 304 and errors included", () =>
    Effect.gen(function* () {
      const { paths, send, shop } = yield* prepared
      const authorization = `Bearer ${shop.token}`
      for (const path of [...paths, "/orders?limit=0", "/orders/nobodys"]) {
        const got = yield* read(send, shop.token, path)
        const head = yield* send("HEAD", `/api/v1${path}`, { headers: { authorization } })
        expect([path, head.status, head.text]).toEqual([path, got.status, ""])
        expect(lasting(head)).toEqual(lasting(got))
        if (got.status !== 200) continue
        const known = yield* send("HEAD", `/api/v1${path}`, {
          headers: { authorization, "if-none-match": got.headers["etag"] ?? "" },
        })
        expect([path, known.status]).toEqual([path, 304])
      }
      const anonymous = yield* send("HEAD", "/api/v1/orders")
      expect([anonymous.status, anonymous.text]).toEqual([401, ""])
    }),
  )

  it.effect(
    "MUST link to the next page beside nextCursor, keeping the other parameters, and on the last page not at all",
    () =>
      Effect.gen(function* () {
        const { send, shop } = yield* prepared
        const follow = Effect.fnUntraced(function* (query: string) {
          const answer = yield* read(send, shop.token, `/orders${query}`)
          const page = yield* bodyOf(200, answer)
          return {
            ids: (page["data"] as ReadonlyArray<Json>).map((order) => order["id"]),
            pagination: page["pagination"] as Json,
            link: answer.headers["link"],
          }
        })
        for (const query of [
          "?limit=1",
          "?limit=1&orderedAfter=2026-10-05T16:48:00%2B02:00",
          "?x=a%20b&limit=1&orderedAfter=2026-10-05",
        ]) {
          const first = yield* follow(query)
          expect(first.ids).toEqual(["o-2"])
          const target = /^<(.+)>; rel="next"$/.exec(first.link ?? "")?.[1] ?? ""
          const url = new URL(target, `http://host.test/api/v1/orders${query}`)
          expect([url.origin, url.pathname]).toEqual(["http://host.test", "/api/v1/orders"])
          expect(url.searchParams.get("cursor")).toBe(first.pagination["nextCursor"])
          const second = yield* follow(url.search)
          expect([second.ids, second.pagination["limit"], second.link]).toEqual([["o-1"], 1, undefined])
        }
        for (const path of ["/orders/o-1", "/designs/d-1"]) {
          expect((yield* read(send, shop.token, path)).headers["link"]).toBeUndefined()
        }
      }),
  )
})
