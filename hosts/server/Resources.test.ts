/** §2 and the decisions about it: what a design, an order and a customizer look like on the wire. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { embedded } from "../../conformance/worlds/Embedded.ts"
import {
  bodyOf,
  customizers,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  publishVector,
  read,
  ringInput,
  routed,
  TestHost,
} from "../../conformance/worlds/TestHost.ts"

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/

const designFields = [
  ...["id", "status", "customizer", "order", "selection", "summary", "productionData", "price", "images"],
  ...["thumbnail", "createdAt", "orderedAt"],
]

/** A selection of customizer 101 with an answer of every kind. */
const engraved = {
  metal: "gold14",
  size: "s68",
  stones: ["opal", "ruby"],
  engrave: "text",
  line: { text: "Für immer ♥" },
  font: "script",
}

onHosts("The wire form", [memory, routed, embedded, postgres], (it) => {
  it.effect(
    "MUST write a draft with exactly the fields of §2.1 in their order, order and orderedAt null (D2, D10)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const text = yield* newDesign(send, shop, "d-1", {
          selection: engraved,
          createdAt: "2026-10-01T10:00:00.1239+02:00",
        })
        const design = JSON.parse(text)
        expect(Object.keys(design)).toEqual(designFields)
        expect(Object.keys(design.customizer)).toEqual(["id", "title", "version"])
        expect(design.customizer).toEqual({ id: 101, title: "Signet ring", version: 1 })
        expect(design).toMatchObject({ id: "d-1", status: "draft", order: null, orderedAt: null, selection: engraved })
        expect(design.createdAt).toBe("2026-10-01T08:00:00.123+00:00")
        expect(Object.keys(design.price)).toEqual(["base", "lines", "rounding", "total", "currency"])
        expect(design.price.lines.length).toBeGreaterThan(0)
        for (const line of design.price.lines) {
          expect(Object.keys(line)).toEqual(["q", "a", "amount", "variantId"])
          expect(Number.isInteger(line.amount)).toBe(true)
        }
        for (const entry of design.summary) expect(Object.keys(entry)).toEqual(["key", "value"])
        expect(design.productionData.map((entry: Json) => Object.keys(entry))).toEqual([
          ["key", "value", "ref"],
          ["key", "value", "ref"],
          ["key", "values", "ref"],
          ["key", "value", "ref"],
          ["key", "value"],
          ["key", "value", "ref"],
        ])
        expect(Object.keys(design.productionData[0].ref)).toEqual(["questionId", "answerId"])
        expect(Object.keys(design.productionData[2].ref)).toEqual(["questionId", "answerIds"])
      }),
  )

  it.effect("MUST give a draft that came without a time the time at which it was saved (§2.1, D1)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const before = Date.now()
      const { createdAt } = JSON.parse(yield* newDesign(send, shop, "d-1"))
      expect(createdAt).toMatch(timestamp)
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now())
    }),
  )

  it.effect(
    "MUST answer one URL per view in the order of the steps, ids encoded, and the first view's thumbnail (§2.1, D7)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send, { imageBase: "https://img.example.com/base/" })
        const design = JSON.parse(yield* newDesign(send, shop, "a/b ü?#%"))
        const base = "https://img.example.com/base/designs/a%2Fb%20%C3%BC%3F%23%25"
        expect(Object.entries(design.images)).toEqual([
          ["front", `${base}/front.png`],
          ["inside", `${base}/inside.png`],
        ])
        expect(design.thumbnail).toBe(`${base}/front_thumb.png`)
      }),
  )

  it.effect(
    "MUST never change the URLs of a design once they were given, whatever its order or its shop (§2.1, D7)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const draft = JSON.parse(yield* newDesign(send, shop, "d-1"))
        yield* manage(send, "PUT", `/shops/${shop.id}`, {
          domain: "other.example.com",
          currency: "EUR",
          imageBase: "https://elsewhere.example.com",
        })
        yield* newOrder(send, shop, "1", ["d-1"])
        yield* manage(send, "POST", `/shops/${shop.id}/orders/1/cancel`)
        const { images, thumbnail } = yield* bodyOf(200, yield* read(send, shop.token, "/designs/d-1"))
        expect({ images, thumbnail }).toEqual({ images: draft.images, thumbnail: draft.thumbnail })
      }),
  )

  it.effect("MUST write an order with exactly the fields of §2.2 in their order, its designs in line order (D10)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "b", { basePrice: 100 })
      yield* newDesign(send, shop, "a", { basePrice: 200 })
      const text = yield* newOrder(send, shop, "gid://p/1", ["b", "a"], "2026-10-05T16:48:00.9999+02:00")
      const order = JSON.parse(text)
      expect(Object.keys(order)).toEqual(["id", "name", "status", "currency", "total", "orderedAt", "designs"])
      expect(order).toMatchObject({
        id: "gid://p/1",
        name: "#gid://p/1",
        status: "ordered",
        currency: "EUR",
        total: 300,
        orderedAt: "2026-10-05T14:48:00.999+00:00",
      })
      expect(order.designs.map((design: Json) => design["id"])).toEqual(["b", "a"])
      for (const design of order.designs) {
        expect(Object.keys(design)).toEqual(designFields)
        expect(Object.keys(design.order)).toEqual(["id", "name", "lineItemId"])
        expect(design).toMatchObject({
          status: "ordered",
          order: { id: "gid://p/1", name: "#gid://p/1", lineItemId: `line-of-${design.id}` },
          orderedAt: "2026-10-05T14:48:00.999+00:00",
        })
      }
    }),
  )

  it.effect(
    "MUST be the same bytes in the answer to a change, by itself, in its order and in a page, in every state (D10)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const saved = yield* newDesign(send, shop, "d-1", { selection: engraved })
        expect((yield* read(send, shop.token, "/designs/d-1")).text).toBe(saved)

        const placed = yield* newOrder(send, shop, "1001", ["d-1"])
        const cancelled = yield* Effect.suspend(() => manage(send, "POST", `/shops/${shop.id}/orders/1001/cancel`))
        const check = (order: string) =>
          Effect.gen(function* () {
            expect((yield* read(send, shop.token, "/orders/1001")).text).toBe(order)
            const page = (yield* read(send, shop.token, "/orders")).text
            expect(page).toBe(`{"data":[${order}],"pagination":{"total":1,"limit":25,"nextCursor":null}}`)
            const design = (yield* read(send, shop.token, "/designs/d-1")).text
            expect(order.endsWith(`"designs":[${design}]}`)).toBe(true)
          })
        yield* check(cancelled.text)
        expect(placed.replaceAll('"status":"ordered"', '"status":"cancelled"')).toBe(cancelled.text)

        yield* newDesign(send, shop, "d-2")
        const second = yield* newOrder(send, shop, "1002", ["d-2"])
        expect((yield* read(send, shop.token, "/orders/1002")).text).toBe(second)
      }),
  )

  it.effect("MUST write a customizer with exactly the fields of §2.3 in their order, draft and published", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const fields = ["id", "title", "status", "platformProductId", "version", "assetBase", "definition"]
      const vector = customizers.find(({ id }) => id === 102)
      const { definition, id: _, ...description } = vector as (typeof customizers)[number]
      const path = `/shops/${shop.id}/customizers/102`
      const described = yield* manage(send, "PUT", path, description)
      expect(Object.keys(described.json as Json)).toEqual(fields)
      expect(described.json).toEqual({ id: 102, ...description, status: "draft", version: null, definition: null })
      expect((yield* read(send, shop.token, "/customizers/102")).text).toBe(described.text)

      const published = yield* manage(send, "POST", `${path}/publish`, { definition })
      expect(Object.keys(published.json as Json)).toEqual(fields)
      expect(published.json).toEqual({ id: 102, ...description, status: "published", version: 1, definition })
      expect((yield* read(send, shop.token, "/customizers/102")).text).toBe(published.text)

      const renamed = yield* manage(send, "PUT", path, { ...description, title: "Renamed" })
      expect(renamed.json).toMatchObject({ title: "Renamed", status: "published", version: 1, definition })
      const again = yield* publishVector(send, shop, 102)
      expect(again).toMatchObject({ version: 2, status: "published" })
    }),
  )

  it.effect(
    "MUST return a definition as it was published, keys that nobody knows and their order included (§2.3)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const definition =
          '{"zebra":{"b":1,"a":[null,true,-1.5,"\\u2028 \\" \\\\ é 😀"]},"rules":[],"steps":[{"view":"v","x-note":"keep","id":"s","title":"S"}],"questions":[{"type":"text","id":"q","__proto__":{"a":1},"constructor":"c","step":"s","title":"T"}],"schemaVersion":1,"alpha":""}'
        yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, {
          title: "T",
          platformProductId: "gid://shop/Product/7",
          assetBase: "https://assets.example.com/7/",
        })
        const path = `/shops/${shop.id}/customizers/7/publish`
        yield* bodyOf(200, yield* manage(send, "POST", path, `{"definition":${definition}}`))
        const answer = yield* read(send, shop.token, "/customizers/7")
        expect(answer.text.endsWith(`"definition":${JSON.stringify(JSON.parse(definition))}}`)).toBe(true)
        expect(answer.text).toContain('"__proto__":{"a":1}')
      }),
  )

  it.effect("MUST answer application/json, and money as integers however large (§1, D10)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d-1", { basePrice: Number.MAX_SAFE_INTEGER - 100_000 })
      yield* newOrder(send, shop, "1", ["d-1"])
      for (const path of ["/designs/d-1", "/orders/1", "/orders", "/customizers/101"]) {
        const answer = yield* read(send, shop.token, path)
        expect([path, answer.status, answer.headers["content-type"]]).toEqual([path, 200, "application/json"])
      }
      const order = yield* bodyOf(200, yield* read(send, shop.token, "/orders/1"))
      expect(order["total"]).toBe(Number.MAX_SAFE_INTEGER - 100_000)
    }),
  )

  it.effect("MUST keep instants of the years 1 to 9999 to the millisecond (D1)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [index, [given, written]] of [
        ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000+00:00"],
        ["0099-12-31T23:59:59.999Z", "0099-12-31T23:59:59.999+00:00"],
        ["1899-12-31T23:59:59.001-00:30", "1900-01-01T00:29:59.001+00:00"],
        ["2024-02-29T12:00:00.0009+14:00", "2024-02-28T22:00:00.000+00:00"],
        ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999+00:00"],
      ].entries()) {
        const id = `d-${index}`
        const first = JSON.parse(yield* newDesign(send, shop, id, { createdAt: given }))
        expect(first.createdAt).toBe(written)
        // Saved again without a time, it keeps the one that the store has.
        const again = yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}/designs/${id}`, ringInput))
        expect(again["createdAt"]).toBe(written)
        yield* newOrder(send, shop, `o-${index}`, [id], given)
        const order = yield* bodyOf(200, yield* read(send, shop.token, `/orders/o-${index}`))
        expect(order["orderedAt"]).toBe(written)
      }
      const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders"))
      expect((page["data"] as ReadonlyArray<Json>).map((order) => order["id"])).toEqual(
        [4, 3, 2, 1, 0].map((n) => `o-${n}`),
      )
      // With a cursor in the first years too: the position comes from the store.
      const ids: Array<unknown> = []
      let cursor = ""
      for (let pages = 0; pages < 10; pages++) {
        const one = yield* bodyOf(200, yield* read(send, shop.token, `/orders?limit=1${cursor}`))
        ids.push(...(one["data"] as ReadonlyArray<Json>).map((order) => order["id"]))
        const next = (one["pagination"] as Json)["nextCursor"]
        if (next === null) break
        cursor = `&cursor=${next}`
      }
      expect(ids).toEqual([4, 3, 2, 1, 0].map((n) => `o-${n}`))
    }),
  )
})
