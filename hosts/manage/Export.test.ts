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

  it.effect("MUST have the lines of orders with their quantities, and pieces in the table of orders (D75, D81)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const id of ["d-1", "d-2", "d-3"]) yield* newDesign(send, shop, id)
      yield* newOrder(send, shop, "1001", ["d-3"], "2026-10-05T12:00:00Z")
      const at = `/shops/${shop.id}/orders/1002`
      const lines = [
        { designId: "d-1", lineItemId: "=1", quantity: 1200 },
        { designId: "d-2", lineItemId: "2" },
      ]
      yield* bodyOf(200, yield* manage(send, "PUT", at, { name: "#2", orderedAt: "2026-10-06T12:00:00Z", lines }))
      yield* bodyOf(200, yield* manage(send, "POST", `${at}/lines/2/cancel`))
      const get = (query: string) => manage(send, "GET", `/shops/${shop.id}/export?${query}`)
      const orders = (yield* get("kind=lines")).text.trimEnd().split("\n")
      const { data } = (yield* bodyOf(200, yield* manage(send, "GET", `${at}/lines`))) as { readonly data: unknown }
      expect(orders.map((text) => JSON.parse(text))).toMatchObject([
        { id: "1002", name: "#2", status: "ordered", orderedAt: "2026-10-06T12:00:00.000+00:00", lines: data },
        { id: "1001", lines: [{ designId: "d-3", quantity: 1, status: "ordered", copyOf: null }] },
      ])
      const table = yield* get("kind=lines&format=csv&since=2026-10-06")
      expect(table.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(table.text.replace(/^\ufeff/, "").split("\r\n")).toEqual([
        "order_id,order_name,ordered_at,line_item_id,design_id,copy_of,quantity,status",
        "1002,#2,2026-10-06T12:00:00.000+00:00,'=1,d-1,,1200,ordered",
        "1002,#2,2026-10-06T12:00:00.000+00:00,2,d-2,,1,cancelled",
        "",
      ])
      const [heading = "", ...rows] = (yield* get("kind=orders&format=csv")).text.trimEnd().split("\r\n")
      const column = heading.split(",").indexOf("quantity")
      expect(heading).toMatch(/,currency,quantity,copy_of,production\./)
      expect(rows.map((row) => row.split(",")).map((row) => [row[0], row[column]])).toEqual([
        ...[
          ["d-1", "1200"],
          ["d-2", "1"],
          ["d-3", "1"],
        ],
      ])
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
