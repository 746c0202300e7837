/** `GET /orders`: §2.4, §4 and the decisions D12 to D14. */
import { describe, expect, it as plain } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { embedded } from "../../conformance/worlds/Embedded.ts"
import {
  type Answer,
  bodyOf,
  inProcess,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  newToken,
  onHosts,
  postgres,
  read,
  routed,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/worlds/TestHost.ts"

const pagination = (page: Json) => page["pagination"] as Json
const ids = (page: Json) => (page["data"] as ReadonlyArray<Json>).map((order) => order["id"])

/** Orders o-0 (oldest) to o-(n-1) (newest), a minute apart. */
const someOrders = Effect.fnUntraced(function* (send: Send, shop: TestShop, count: number) {
  for (let index = 0; index < count; index++) {
    yield* newDesign(send, shop, `d-${index}`)
    yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], new Date(Date.UTC(2026, 9, 5, 14, index)).toISOString())
  }
})

/** A refusal that names the parameter and holds nothing but a message. */
const expectRefused = (answer: Answer, parameter: string, query: string) => {
  expect([query, answer.status]).toEqual([query, 400])
  expect(Object.keys(answer.json as Json)).toEqual(["message"])
  expect((answer.json as Json)["message"], query).toMatch(new RegExp(`^${parameter} must be .`))
}

onHosts("GET /orders", [memory, routed, embedded, postgres], (it) => {
  it.effect("MUST answer {data, pagination: {total, limit, nextCursor}}, newest first, 25 by default (§4, §2.4)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const empty = yield* read(send, shop.token, "/orders")
      expect(empty.text).toBe('{"data":[],"pagination":{"total":0,"limit":25,"nextCursor":null}}')
      expect(empty.headers["link"]).toBeUndefined()
      yield* someOrders(send, shop, 26)
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders"))
      expect(Object.keys(page)).toEqual(["data", "pagination"])
      expect(Object.keys(pagination(page))).toEqual(["total", "limit", "nextCursor"])
      expect(pagination(page)).toMatchObject({ total: 26, limit: 25 })
      expect(ids(page)).toEqual(Array.from({ length: 25 }, (_, index) => `o-${25 - index}`))
      const rest = yield* bodyOf(200, yield* read(send, shop.token, `/orders?cursor=${pagination(page)["nextCursor"]}`))
      expect(ids(rest)).toEqual(["o-0"])
      expect(pagination(rest)).toEqual({ total: 26, limit: 25, nextCursor: null })
    }),
  )

  it.effect(
    "MUST lead by Link, rel next, from page to page to the last, which has none, as nextCursor does (D14, D17)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* someOrders(send, shop, 7)
        for (const [first, pages] of [
          ["/orders?limit=3", [["o-6", "o-5", "o-4"], ["o-3", "o-2", "o-1"], ["o-0"]]],
          [
            "/orders?foo=a%26b&orderedAfter=2026-10-05T16:03:00+02:00&limit=2",
            [
              ["o-6", "o-5"],
              ["o-4", "o-3"],
            ],
          ],
          ["/orders?limit=7", [["o-6", "o-5", "o-4", "o-3", "o-2", "o-1", "o-0"]]],
        ] as const) {
          const base = "http://host.test/api/v1"
          let url = new URL(`${base}${first}`)
          for (const [index, expected] of pages.entries()) {
            const answer = yield* read(send, shop.token, `${url.pathname.slice("/api/v1".length)}${url.search}`)
            const page = yield* bodyOf(200, answer)
            expect([first, index, ids(page)]).toEqual([first, index, expected])
            const link = answer.headers["link"]
            const last = index === pages.length - 1
            expect([pagination(page)["nextCursor"] === null, link === undefined]).toEqual([last, last])
            if (link === undefined) continue
            const [, target] = /^<([^<>\s]+)>; rel="next"$/.exec(link) ?? []
            url = new URL(target ?? "", url)
            expect(url.pathname).toBe("/api/v1/orders")
            expect(url.searchParams.get("cursor")).toBe(pagination(page)["nextCursor"])
          }
        }
      }),
  )

  it.effect("MUST end a page early rather than exceed 8 MiB of body, and answer one order that has more (D46)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const answers = [{ id: "a", title: "A", productionCode: "A", orderValue: "é".repeat(125_000) }]
      const definition = {
        schemaVersion: 1,
        steps: [{ id: "s", title: "S", view: "v" }],
        questions: [{ id: "q", step: "s", title: "Q", type: "single", answers }],
        rules: [],
      }
      const path = `/shops/${shop.id}/customizers/7`
      yield* manage(send, "PUT", path, {
        title: "Long",
        platformProductId: "gid://platform/Product/7",
        assetBase: "https://assets.example.com",
      })
      yield* bodyOf(200, yield* manage(send, "POST", `${path}/publish`, { definition }))
      // A design has a quarter of a MiB.
      const order = Effect.fnUntraced(function* (index: number, count: number) {
        const designs = Array.from({ length: count }, (_, at) => `d-${index}-${at}`)
        const fields = { customizerId: 7, selection: { q: "a" } }
        yield* Effect.forEach(designs, (id) => newDesign(send, shop, id, fields), { concurrency: 4 })
        yield* newOrder(send, shop, `o-${index}`, designs, new Date(Date.UTC(2026, 9, 5, 14, index)).toISOString())
      })
      for (const [index, count] of [7, 7, 34, 7, 7, 7, 7, 7].entries()) yield* order(index, count)
      const pages: Array<ReadonlyArray<unknown>> = []
      let cursor = ""
      do {
        const answer = yield* read(send, shop.token, `/orders?limit=100${cursor}`)
        const page = yield* bodyOf(200, answer)
        expect(pagination(page)).toMatchObject({ total: 8, limit: 100 })
        const size = Buffer.byteLength(answer.text)
        expect([ids(page), size <= 8 * 1024 * 1024]).toEqual([ids(page), !ids(page).includes("o-2")])
        pages.push(ids(page))
        const next = pagination(page)["nextCursor"]
        expect(answer.headers["link"] === undefined).toBe(next === null)
        cursor = next === null ? "" : `&cursor=${next}`
      } while (cursor !== "")
      expect(pages).toEqual([["o-7", "o-6", "o-5", "o-4"], ["o-3"], ["o-2"], ["o-1", "o-0"]])
    }),
  )

  it.effect("MUST accept every limit from 1 to 100 and apply it (§4, §8)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* someOrders(send, shop, 3)
      for (const limit of [1, 2, 3, 9, 10, 99, 100]) {
        const page = yield* bodyOf(200, yield* read(send, shop.token, `/orders?limit=${limit}`))
        expect(pagination(page)["limit"]).toBe(limit)
        expect(ids(page).length).toBe(Math.min(limit, 3))
        expect(pagination(page)["nextCursor"] === null).toBe(limit >= 3)
      }
    }),
  )

  it.effect("MUST refuse every limit but ^[1-9][0-9]{0,2}$ up to 100, clamping nothing (D12)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const limit of [
        ...["0", "-1", "101", "999", "1000", "99999999999999999999", "1.0", "1e1", "0x10", "01", "+1", "%2B1"],
        ...["", "%20", "%201", "1%20", "ten", "NaN", "Infinity", "null", "1,2", "%EF%BC%95", "1%00", "1%0A", "%FF"],
      ]) {
        expectRefused(yield* read(send, shop.token, `/orders?limit=${limit}`), "limit", limit)
      }
      for (const query of ["limit", "limit=5&limit=5", "limit=5&limit=", "limit=&limit=5", "limit=1&x=2&limit=3"]) {
        expectRefused(yield* read(send, shop.token, `/orders?${query}`), "limit", query)
      }
    }),
  )

  it.effect("MUST refuse every cursor that it did not make, and one given twice or empty (D12, D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* someOrders(send, shop, 2)
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders?limit=1"))
      const cursor = pagination(page)["nextCursor"] as string
      const [version, payload, mac] = cursor.split(".") as [string, string, string]
      const forged = Buffer.from(JSON.stringify([0, "o-0", null])).toString("base64url")
      for (const altered of [
        ...["", "x", "1", "1.", "1..", "null", "%00", "%FF", "..", "a".repeat(3000)],
        ...[`${cursor}x`, `x${cursor}`, cursor.slice(0, -1), cursor.toLowerCase(), `${cursor}%20`, `${cursor}=`],
        ...[
          `1.${payload}.${mac}`,
          `3.${payload}.${mac}`,
          `${version}.${forged}.${mac}`,
          `${version}.${payload}`,
          `${version}.${mac}.${payload}`,
        ],
        ...[`${version}.${payload}.${"A".repeat(43)}`, `${version}.${payload}=.${mac}`, `${version}.${payload}.`],
      ]) {
        expectRefused(yield* read(send, shop.token, `/orders?cursor=${altered}`), "cursor", altered)
      }
      for (const query of ["cursor", `cursor=${cursor}&cursor=${cursor}`, `cursor=&cursor=${cursor}`]) {
        expectRefused(yield* read(send, shop.token, `/orders?${query}`), "cursor", query)
      }
      expect((yield* read(send, shop.token, `/orders?cursor=${cursor}`)).status).toBe(200)
    }),
  )

  it.effect("MUST refuse a cursor after a change of any single character of it (D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* someOrders(send, shop, 2)
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders?limit=1"))
      const cursor = pagination(page)["nextCursor"] as string
      let token = shop.token
      for (let at = 0; at < cursor.length; at++) {
        if (at % 100 === 99) token = (yield* newToken(send, shop.id)).token
        const altered = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`
        expectRefused(yield* read(send, token, `/orders?cursor=${altered}`), "cursor", altered)
      }
    }),
  )

  it.effect("MUST refuse a cursor of another shop, even one with the same orders (D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [mine, other] = [yield* newShop(send), yield* newShop(send)]
      yield* someOrders(send, mine, 2)
      yield* someOrders(send, other, 2)
      const page = yield* bodyOf(200, yield* read(send, other.token, "/orders?limit=1"))
      const cursor = pagination(page)["nextCursor"] as string
      expectRefused(yield* read(send, mine.token, `/orders?cursor=${cursor}`), "cursor", cursor)
      expect((yield* read(send, other.token, `/orders?cursor=${cursor}`)).status).toBe(200)
    }),
  )

  it.effect("MUST accept a cursor from another token of the shop, from another host and with another limit (D14)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* someOrders(send, shop, 4)
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders?limit=1"))
      const { token } = yield* newToken(send, shop.id)
      const next = yield* bodyOf(
        200,
        yield* read(other, token, `/orders?limit=2&cursor=${pagination(page)["nextCursor"]}`),
      )
      expect(ids(next)).toEqual(["o-2", "o-1"])
    }),
  )

  it.effect(
    "MUST accept a cursor with orderedAfter left out or the same instant, and refuse it with another (D14)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* someOrders(send, shop, 4)
        const after = "2026-10-05T14:01:00Z"
        const first = yield* bodyOf(200, yield* read(send, shop.token, `/orders?limit=2&orderedAfter=${after}`))
        expect(ids(first)).toEqual(["o-3", "o-2"])
        expect(pagination(first)["total"]).toBe(3)
        const cursor = `cursor=${pagination(first)["nextCursor"]}`
        for (const query of [
          cursor,
          `${cursor}&orderedAfter=${after}`,
          `${cursor}&orderedAfter=2026-10-05T16:01:00.0004%2B02:00`,
          `orderedAfter=${after}&${cursor}`,
        ]) {
          const page = yield* bodyOf(200, yield* read(send, shop.token, `/orders?${query}`))
          // The filter stays: o-0 is older than it.
          expect([query, ids(page), pagination(page)]).toEqual([
            query,
            ["o-1"],
            { total: 3, limit: 25, nextCursor: null },
          ])
        }
        for (const other of ["2026-10-05T14:01:00.001Z", "2026-10-05T14:00:59.999Z", "2026-10-05", "1970-01-01"]) {
          const query = `${cursor}&orderedAfter=${other}`
          expectRefused(yield* read(send, shop.token, `/orders?${query}`), "cursor", query)
        }
        const unfiltered = yield* bodyOf(200, yield* read(send, shop.token, "/orders?limit=2"))
        const query = `cursor=${pagination(unfiltered)["nextCursor"]}&orderedAfter=0001-01-01`
        expectRefused(yield* read(send, shop.token, `/orders?${query}`), "cursor", query)
      }),
  )

  it.effect("MUST filter by orderedAfter inclusively, to the millisecond, in every form of it (§4, D13)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [id, at] of [
        ["before", "2026-10-05T23:59:59.999Z"],
        ["at", "2026-10-06T00:00:00.000Z"],
        ["after", "2026-10-06T00:00:00.001Z"],
      ] as const) {
        yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, id, [id], at)
      }
      for (const [after, expected] of [
        ["2026-10-06", ["after", "at"]],
        ["2026-10-06T00:00:00Z", ["after", "at"]],
        ["2026-10-06t00:00:00.000z", ["after", "at"]],
        ["2026-10-06T02:00:00%2B02:00", ["after", "at"]],
        // An unescaped + arrives as a space.
        ["2026-10-06T02:00:00+02:00", ["after", "at"]],
        ["2026-10-06T02:00:00%2002:00", ["after", "at"]],
        ["2026-10-05T18:30:00-05:30", ["after", "at"]],
        // Other forms of ISO 8601.
        ["2026-10-06T00:00Z", ["after", "at"]],
        ["2026-10-06T02:00:00%2B0200", ["after", "at"]],
        ["2026-10-06T02:00+02", ["after", "at"]],
        ["20261006T000000.001Z", ["after"]],
        ["20261005T1830-0530", ["after", "at"]],
        ["20261006", ["after", "at"]],
        ["2026-10-06T00:00:00.0009Z", ["after", "at"]],
        ["2026-10-06T00:00:00.001Z", ["after"]],
        ["2026-10-06T00:00:00.002Z", []],
        ["2026-10-05T23:59:59.999Z", ["after", "at", "before"]],
        ["0001-01-01", ["after", "at", "before"]],
        ["9999-12-31T23:59:59.999Z", []],
      ] as const) {
        const page = yield* bodyOf(200, yield* read(send, shop.token, `/orders?orderedAfter=${after}`))
        expect([after, ids(page), pagination(page)["total"]]).toEqual([after, expected, expected.length])
      }
    }),
  )

  it.effect("MUST refuse an orderedAfter that is no full date-time with an offset or Z and no date (D12, D13)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const after of [
        ...["", "2026", "2026-10", "2026-10-5", "2026-10-05T14", "2026-10-05T14Z", "2026-10-05T14:48", "20261005T1448"],
        ...["2026-10-05T14:48:00", "2026-10-05T14:48:00.Z", "2026-10-05T14:48:00,5Z", "2026-10-05%2014:48:00Z"],
        ...["2026-10-05T14:48:00%2B2", "2026-10-05T14:48:00%2B020", "2026-10-05T14:48:00%2B24:00", "2026-02-29"],
        ...["2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-10-05T24:00:00Z", "2026-10-05T14:60:00Z"],
        ...[
          "2026-10-05T14:48:61Z",
          "2026-10-05T14:48:60Z",
          "0000-01-01",
          "%2B12026-10-05",
          "-2026-10-05",
          "10000-01-01",
        ],
        ...["1791211680", "yesterday", "Mon,%2005%20Oct%202026%2014:48:00%20GMT", "2026-W41-1", "2026-278", "null"],
        ...[
          "2026-10-05T14:48:00Z%20",
          "%202026-10-05",
          "2026-10-05%0A",
          "2026-10-05%00",
          "%FF",
          "2026-10-05Z",
          "%D9%A2026",
        ],
        ...["0001-01-01T00:00:00%2B00:01", "9999-12-31T23:59:59-00:01", "2026-10-05T14:48:00++02:00"],
      ]) {
        expectRefused(yield* read(send, shop.token, `/orders?orderedAfter=${after}`), "orderedAfter", after)
      }
      const good = "orderedAfter=2026-10-05"
      for (const query of ["orderedAfter", `${good}&${good}`, `${good}&orderedAfter=`]) {
        expectRefused(yield* read(send, shop.token, `/orders?${query}`), "orderedAfter", query)
      }
    }),
  )

  it.effect("MUST ignore parameters that it does not know, whatever they are (D12)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const query of [
        ...["foo=bar", "Limit=0", "LIMIT=x", "limit[]=0", "page=2&page=3", "__proto__=1", "constructor=1", "toString"],
        ...[
          "%00=%00",
          "%FF=%FF",
          "&&&",
          "=",
          "=limit",
          "a=%ZZ",
          "ordered_after=x",
          "limit%20=0",
          "[limit]=0",
          "?limit=0",
        ],
      ]) {
        const answer = yield* read(send, shop.token, `/orders?${query}`)
        expect([query, answer.status]).toEqual([query, 200])
        expect(pagination(answer.json as Json)["limit"]).toBe(25)
      }
    }),
  )

  it.effect("MUST show every order once, by (orderedAt, id) descending, also orders of one instant (D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const expected: Array<string> = []
      // By code point: astral characters stand behind U+FFFD, though their UTF-16 units are smaller.
      for (const id of ["A", "B", "a", "a/b", "b", "é", "\ufffd", "😀"]) {
        yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, id, [id], "2026-10-05T14:48:00Z")
        expected.unshift(id)
      }
      for (const limit of [1, 2, 3, 7]) {
        const seen: Array<unknown> = []
        let cursor = ""
        for (let pages = 0; pages < 20; pages++) {
          const page = yield* bodyOf(200, yield* read(send, shop.token, `/orders?limit=${limit}${cursor}`))
          expect(pagination(page)["total"]).toBe(8)
          seen.push(...ids(page))
          if (pagination(page)["nextCursor"] === null) break
          cursor = `&cursor=${pagination(page)["nextCursor"]}`
        }
        expect(seen).toEqual(expected)
      }
    }),
  )

  it.effect("MUST show no order twice and skip none while others are added before, between and after (D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const at = (minute: number) => new Date(Date.UTC(2026, 9, 5, 0, minute)).toISOString()
      const add = Effect.fnUntraced(function* (minute: number, name: string) {
        const id = `${name}-${minute}`
        yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, id, [id], at(minute))
      })
      const there = Array.from({ length: 12 }, (_, index) => 100 + index * 10)
      for (const minute of there) yield* add(minute, "old")
      const seen: Array<string> = []
      let cursor = ""
      let total = there.length
      for (let step = 0; step < 20; step++) {
        const page = yield* bodyOf(200, yield* read(send, shop.token, `/orders?limit=3${cursor}`))
        expect(pagination(page)["total"]).toBe(total)
        seen.push(...(ids(page) as Array<string>))
        if (pagination(page)["nextCursor"] === null) break
        cursor = `&cursor=${pagination(page)["nextCursor"]}`
        // Newer than all, at the very place that the page ended, between those shown, and older than all.
        const last = Number((seen.at(-1) as string).split("-")[1])
        yield* add(1000 + step, "new")
        yield* add(last, "zz")
        yield* add(last + 5, "mid")
        total += 3
        if (step === 0) {
          yield* add(10, "old")
          there.unshift(10)
          total += 1
        }
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((id) => id.startsWith("old"))).toEqual(there.map((minute) => `old-${minute}`).reverse())
      // What was added behind the reader's back stays behind it.
      expect(seen.filter((id) => !id.startsWith("old"))).toEqual([])
    }),
  )

  it.effect("MUST count in total all orders that match, cancelled ones too, and none of other shops (§2.4, D14)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [shop, neighbour] = [yield* newShop(send), yield* newShop(send)]
      yield* someOrders(send, shop, 3)
      yield* someOrders(send, neighbour, 2)
      yield* manage(send, "POST", `/shops/${shop.id}/orders/o-1/cancel`)
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders?limit=1"))
      expect(pagination(page)["total"]).toBe(3)
      const all = yield* bodyOf(200, yield* read(send, shop.token, "/orders"))
      expect((all["data"] as ReadonlyArray<Json>).map((order) => [order["id"], order["status"]])).toEqual([
        ["o-2", "ordered"],
        ["o-1", "cancelled"],
        ["o-0", "ordered"],
      ])
    }),
  )
})

describe("The keys of cursors", () => {
  const key = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

  plain.effect(
    "MUST still open cursors that an older key of the ring made, and none that no key of it made (D14)",
    () =>
      Effect.gen(function* () {
        const { ports } = yield* memory.open
        const before = yield* inProcess(ports, { keyRing: { keys: [key(1)] } })
        const rotated = yield* inProcess(ports, { keyRing: { keys: [key(2), key(1)] } })
        const foreign = yield* inProcess(ports, { keyRing: { keys: [key(2)] } })
        const shop = yield* newShop(before)
        yield* someOrders(before, shop, 2)
        const page = yield* bodyOf(200, yield* read(before, shop.token, "/orders?limit=1"))
        const query = `/orders?cursor=${pagination(page)["nextCursor"]}`
        expect(ids(yield* bodyOf(200, yield* read(rotated, shop.token, query)))).toEqual(["o-0"])
        expectRefused(yield* read(foreign, shop.token, query), "cursor", query)
        const newest = yield* bodyOf(200, yield* read(rotated, shop.token, "/orders?limit=1"))
        expect((yield* read(foreign, shop.token, `/orders?cursor=${pagination(newest)["nextCursor"]}`)).status).toBe(
          200,
        )
      }),
  )
})
