/** Exports through the management API (D75). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  bodyOf,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("An export", [memory, postgres], (it) => {
  it.effect("MUST answer with all orders or designs, byte for byte as the REST API has them (D75)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [shop, beside] = [yield* newShop(send), yield* newShop(send)]
      for (const id of ["d-1", "d-2", "d-3"]) yield* newDesign(send, shop, id)
      yield* newOrder(send, shop, "1001", ["d-1", "d-2"])
      yield* newDesign(send, beside, "d-4")
      const orders = yield* manage(send, "GET", `/shops/${shop.id}/export?kind=orders`)
      expect([orders.status, orders.headers["content-type"], orders.headers["cache-control"]]).toEqual([
        ...[200, "application/jsonl; charset=utf-8", "no-store"],
      ])
      expect(orders.text).toBe(`${(yield* read(send, shop.token, "/orders/1001")).text}\n`)
      const designs = yield* manage(send, "GET", `/shops/${shop.id}/export?kind=designs&since=2026-01-01&format=jsonl`)
      const each = yield* Effect.forEach(["d-1", "d-2", "d-3"], (id) => read(send, shop.token, `/designs/${id}`))
      expect(designs.text).toBe(each.map(({ text }) => `${text}\n`).join(""))
      const later = yield* manage(send, "GET", `/shops/${shop.id}/export?kind=designs&since=2999-01-01`)
      expect([later.status, later.text]).toEqual([200, ""])
    }),
  )

  it.effect("MUST answer with a table on demand: a line for each design, a column for each production key (D75)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d-1")
      const table = yield* manage(send, "GET", `/shops/${shop.id}/export?kind=designs&format=csv`)
      expect([table.status, table.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"])
      const [heading = "", row = "", ...rest] = table.text.split("\r\n")
      expect(heading.replace(/^\ufeff/, "")).toMatch(/^design_id,status,.*,currency(,production\.[^,]+)+$/)
      expect(row).toMatch(/^d-1,draft,,,,,2/)
      expect(row.split(",")).toHaveLength(heading.split(",").length)
      expect(rest).toEqual([""])
    }),
  )

  it.effect(
    "MUST have all answers of one production key in their column, wherever they stand in the design (D75)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const at = `/shops/${shop.id}/customizers/7`
        const product = { title: "Tag", platformProductId: "gid://s/Product/7", assetBase: "https://a.example.com" }
        yield* bodyOf(200, yield* manage(send, "PUT", at, product))
        // The key of two questions is on every pair of places among five.
        const places = [0, 1, 2, 3, 4]
        const pairs = places.flatMap((one) =>
          places.filter((other) => other > one).map((other) => [one, other] as const),
        )
        const expected: Array<string> = []
        for (const [index, pair] of pairs.entries()) {
          const questions = places.map((place) => ({
            ...{ id: `q${place}`, step: "s", type: "text", title: `Line ${place}` },
            productionKey: pair.includes(place) ? "BOTH" : `ALONE-${place}`,
          }))
          const steps = [{ id: "s", title: "S", view: "front" }]
          const definition = { schemaVersion: 1, steps, questions, rules: [] }
          yield* bodyOf(200, yield* manage(send, "POST", `${at}/publish`, { definition }))
          const selection = Object.fromEntries(places.map((place) => [`q${place}`, { text: `t${place}` }]))
          const design = { customizerId: 7, selection, basePrice: 1 }
          yield* bodyOf(201, yield* manage(send, "PUT", `/shops/${shop.id}/designs/d-${index}`, design))
          yield* newOrder(send, shop, `o-${index}`, [`d-${index}`])
          expected.push(pair.map((place) => `t${place}`).join("; "))
        }
        for (const kind of ["designs", "orders"]) {
          const { text } = yield* manage(send, "GET", `/shops/${shop.id}/export?kind=${kind}&format=csv`)
          const [heading = "", ...rows] = text.trimEnd().split("\r\n")
          const column = heading.split(",").indexOf("production.BOTH")
          const cells = rows.map((row) => row.split(",")).map((row) => [row[0], row[column]])
          expect(cells.toSorted()).toEqual(expected.map((both, index) => [`d-${index}`, both]).toSorted())
        }
      }),
  )

  it.effect(
    "MUST be refused without a kind and for other parameters: 400 with their names; 404 without a shop (D75)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        for (const [query, path] of [
          ["", "kind"],
          ["?kind=tokens", "kind"],
          ["?kind=orders&kind=designs", "kind"],
          ["?kind=orders&format=xml", "format"],
          ["?kind=orders&since=yesterday", "since"],
          ["?kind=orders&since=", "since"],
        ] as const) {
          const body = yield* bodyOf(400, yield* manage(send, "GET", `/shops/${shop.id}/export${query}`))
          expect([query, JSON.stringify(body).includes(path)]).toEqual([query, true])
        }
        yield* bodyOf(404, yield* manage(send, "GET", "/shops/nobody/export?kind=orders"))
        expect((yield* send("GET", `/manage/v1/shops/${shop.id}/export?kind=orders`)).status).toBe(401)
      }),
  )
})
