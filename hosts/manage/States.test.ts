/** What may happen to designs, orders and customizers: §3 and the decisions D2 to D7. */
import { describe, expect, it as plain } from "@effect/vitest"
import { Effect } from "effect"
import {
  bodyOf,
  customizers,
  inProcess,
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
  ring,
  ringInput,
  type Send,
  shopSettings,
  TestHost,
  type TestShop,
} from "../../conformance/worlds/TestHost.ts"
import { ImageUrls } from "../../core/usecases/SaveDesign.ts"

const lineOf = (designId: string, lineItemId = `line-of-${designId}`) => ({ designId, lineItemId })

const place = (send: Send, shop: TestShop, id: string, lines: ReadonlyArray<Json>, fields: Json = {}) =>
  manage(send, "PUT", `/shops/${shop.id}/orders/${id}`, {
    name: `#${id}`,
    orderedAt: "2026-10-05T14:48:00Z",
    lines,
    ...fields,
  })

const save = (send: Send, shop: TestShop, id: string, fields: Json = {}) =>
  manage(send, "PUT", `/shops/${shop.id}/designs/${id}`, { ...ringInput, ...fields })

const cancel = (send: Send, shop: TestShop, id: string) => manage(send, "POST", `/shops/${shop.id}/orders/${id}/cancel`)

onHosts("States", [memory, postgres], (it) => {
  it.effect("MUST save a draft again under its id, evaluated anew, keeping the time it was made (§3, D4)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const first = JSON.parse(yield* newDesign(send, shop, "d-1", { createdAt: "2026-10-01T00:00:00Z" }))
      const again = yield* bodyOf(
        200,
        yield* save(send, shop, "d-1", { selection: { ...ring, metal: "gold14" }, basePrice: 1 }),
      )
      expect(again["createdAt"]).toBe(first.createdAt)
      expect(again["status"]).toBe("draft")
      expect((again["selection"] as Json)["metal"]).toBe("gold14")
      expect((again["price"] as Json)["base"]).toBe(1)
      expect(again["summary"]).not.toEqual(first.summary)
      expect((yield* read(send, shop.token, "/designs/d-1")).json).toEqual(again)
      const moved = yield* bodyOf(200, yield* save(send, shop, "d-1", { createdAt: "2026-10-02T00:00:00Z" }))
      expect(moved["createdAt"]).toBe("2026-10-02T00:00:00.000+00:00")
    }),
  )

  it.effect(
    "MUST keep every image URL that it gave when a draft is saved again, whatever became of the image base and of other views (D7)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const path = `/shops/${shop.id}/customizers/7`
        const publish = Effect.fnUntraced(function* (views: ReadonlyArray<string>) {
          const steps = views.map((view, index) => ({ id: `s${index}`, title: view, view }))
          const definition = { schemaVersion: 1, steps, questions: [], rules: [] }
          yield* bodyOf(200, yield* manage(send, "POST", `${path}/publish`, { definition }))
        })
        const saved = Effect.fnUntraced(function* (status: number, base: string) {
          yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopSettings, imageBase: base }))
          const { images, thumbnail } = yield* bodyOf(
            status,
            yield* save(send, shop, "d", { customizerId: 7, selection: {} }),
          )
          return { ...(images as Json), thumbnail }
        })
        const product = { title: "A", platformProductId: "gid://platform/Product/1", assetBase: "https://a.example" }
        yield* manage(send, "PUT", path, product)
        const url = (base: string, name: string) => `${base}/designs/d/${name}.png`
        const [one, two, three] = ["https://one.example", "https://two.example", "https://three.example"] as const
        // Names that JavaScript puts in an order of its own when they are keys.
        yield* publish(["20", "3"])
        const first = { 20: url(one, "20"), 3: url(one, "3"), thumbnail: url(one, "20_thumb") }
        expect(yield* saved(201, one)).toEqual(first)
        expect(yield* saved(200, two)).toEqual(first)
        yield* publish(["20", "3", "new"])
        expect(yield* saved(200, two)).toEqual({ ...first, new: url(two, "new") })
        yield* publish(["3", "20"])
        const swapped = { 3: first[3], 20: first[20], thumbnail: url(three, "3_thumb") }
        expect(yield* saved(200, three)).toEqual(swapped)
        yield* publish(["3", "new"])
        // What the draft had before, but no longer, is given anew.
        expect(yield* saved(200, one)).toEqual({ 3: first[3], new: url(one, "new"), thumbnail: swapped.thumbnail })
      }),
  )

  it.effect(
    "MUST refuse with 409 {message} to save an ordered or a cancelled design, and change none of its bytes (§2.1, D4)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        for (const step of ["ordered", "cancelled"]) {
          if (step === "cancelled") yield* cancel(send, shop, "1")
          const before = yield* store.dump
          for (const fields of [{}, { basePrice: 1 }, { selection: { ...ring, metal: "plat" } }]) {
            const refused = yield* save(send, shop, "d-1", fields)
            expect([step, refused.status, Object.keys(refused.json as Json)]).toEqual([step, 409, ["message"]])
          }
          expect(yield* store.dump).toBe(before)
        }
      }),
  )

  it.effect(
    "MUST change of a design nothing but status, order and orderedAt when it is ordered, and its status when it is cancelled (§3, D2, D3, D4)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const draft = JSON.parse(yield* newDesign(send, shop, "d-1"))
        yield* newOrder(send, shop, "1", ["d-1"])
        // Whatever becomes of its customizer and its shop.
        yield* publishVector(send, shop, 101)
        const ordered = yield* bodyOf(200, yield* read(send, shop.token, "/designs/d-1"))
        const order = { id: "1", name: "#1", lineItemId: "line-of-d-1" }
        expect(ordered).toEqual({ ...draft, status: "ordered", order, orderedAt: "2026-10-05T14:48:00.000+00:00" })
        yield* cancel(send, shop, "1")
        const cancelled = yield* bodyOf(200, yield* read(send, shop.token, "/designs/d-1"))
        expect(cancelled).toEqual({ ...ordered, status: "cancelled" })
      }),
  )

  it.effect(
    "MUST cancel an order with all its designs, keeping total and time; a second time changes nothing (§3, D3)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a", { basePrice: 100 })
        yield* newDesign(send, shop, "b", { basePrice: 20 })
        const before = JSON.parse(yield* newOrder(send, shop, "1", ["a", "b"]))
        const first = yield* cancel(send, shop, "1")
        expect(yield* bodyOf(200, first)).toEqual({
          ...before,
          status: "cancelled",
          designs: before.designs.map((design: Json) => ({ ...design, status: "cancelled" })),
        })
        expect(before.total).toBe(120)
        const kept = yield* store.dump
        const second = yield* cancel(send, shop, "1")
        expect([second.status, second.text]).toEqual([200, first.text])
        expect(yield* store.dump).toBe(kept)
      }),
  )

  it.effect("MUST bind a design to the version that was published when it was last saved (D5)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const version = (design: Json) => (design["customizer"] as Json)["version"]
      yield* newDesign(send, shop, "kept")
      yield* newDesign(send, shop, "again")
      const definition = structuredClone(customizers[0]?.definition) as {
        questions: Array<{ title: string; orderKey?: string }>
      }
      for (const question of definition.questions) question.orderKey = `New ${question.title}`
      const path = `/shops/${shop.id}/customizers/101`
      yield* bodyOf(200, yield* manage(send, "POST", `${path}/publish`, { definition }))
      const again = yield* bodyOf(200, yield* save(send, shop, "again"))
      expect([version(again), (again["summary"] as ReadonlyArray<Json>)[0]?.["key"]]).toEqual([2, "New Metal"])
      yield* newOrder(send, shop, "1", ["kept", "again"])
      yield* publishVector(send, shop, 101)
      for (const [id, expected, key] of [
        ["kept", 1, "Metal"],
        ["again", 2, "New Metal"],
      ] as const) {
        const design = yield* bodyOf(200, yield* read(send, shop.token, `/designs/${id}`))
        expect([id, version(design), (design["summary"] as ReadonlyArray<Json>)[0]?.["key"]]).toEqual([
          id,
          expected,
          key,
        ])
      }
    }),
  )

  it.effect(
    "MUST change nothing when an order is placed again with the same content, in any line order and spelling of the time (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        for (const id of ["a", "b"]) yield* newDesign(send, shop, id)
        const first = yield* place(send, shop, "1", [lineOf("a"), lineOf("b")])
        yield* bodyOf(200, first)
        const before = yield* store.dump
        for (const again of [
          place(send, shop, "1", [lineOf("a"), lineOf("b")]),
          place(send, shop, "1", [lineOf("b"), lineOf("a")]),
          place(send, shop, "1", [lineOf("a"), lineOf("b")], { orderedAt: "2026-10-05T16:48:00.0009+02:00" }),
        ]) {
          const answer = yield* again
          expect([answer.status, answer.text]).toEqual([200, first.text])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect(
    "MUST link more designs to an order that is placed again with them, behind the others, and update its total (D6)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        for (const [index, id] of ["a", "b", "c"].entries())
          yield* newDesign(send, shop, id, { basePrice: 10 ** index })
        const first = yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("b")]))
        expect(first["total"]).toBe(10)
        const more = yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("c"), lineOf("b"), lineOf("a")]))
        expect(more["total"]).toBe(111)
        expect((more["designs"] as ReadonlyArray<Json>).map(({ id }) => id)).toEqual(["b", "c", "a"])
        expect((yield* read(send, shop.token, "/orders/1")).json).toEqual(more)
        const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders"))
        expect(page["pagination"]).toMatchObject({ total: 1 })
        // The orders that were there keep their bytes.
        expect((more["designs"] as ReadonlyArray<Json>)[0]).toEqual((first["designs"] as ReadonlyArray<Json>)[0])
      }),
  )

  it.effect(
    "MUST refuse the whole order, storing nothing, for a design that is missing (404), of another order or cancelled (409) (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const [shop, neighbour] = [yield* newShop(send), yield* newShop(send)]
        for (const id of ["mine", "taken", "cancelled", "free"]) yield* newDesign(send, shop, id)
        yield* newDesign(send, neighbour, "neighbours")
        yield* newOrder(send, shop, "other", ["taken"])
        yield* newOrder(send, shop, "gone", ["cancelled"])
        yield* cancel(send, shop, "gone")
        yield* newOrder(send, shop, "mine", ["mine"])
        const before = yield* store.dump
        for (const [status, lines] of [
          [404, [lineOf("free"), lineOf("nobodys")]],
          [404, [lineOf("nobodys"), lineOf("free")]],
          [404, [lineOf("free"), lineOf("neighbours")]],
          [409, [lineOf("free"), lineOf("taken")]],
          [409, [lineOf("taken"), lineOf("free")]],
          [409, [lineOf("free"), lineOf("cancelled")]],
        ] as const) {
          for (const [order, known] of [
            ["new", []],
            ["mine", [lineOf("mine")]],
          ] as const) {
            const answer = yield* place(send, shop, order, [...known, ...lines])
            expect([order, lines, answer.status, Object.keys(answer.json as Json)]).toEqual([
              order,
              lines,
              status,
              ["message"],
            ])
          }
        }
        expect(yield* store.dump).toBe(before)
        expect((yield* read(send, shop.token, "/orders/new")).status).toBe(404)
      }),
  )

  it.effect(
    "MUST keep a line linked that is left out when its order is placed again, changing and sending nothing, and link what is new beside it (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        for (const [index, id] of ["a", "b", "c"].entries())
          yield* newDesign(send, shop, id, { basePrice: 10 ** index })
        const first = yield* place(send, shop, "1", [lineOf("a"), lineOf("b")])
        yield* bodyOf(200, first)
        const before = yield* store.dump
        for (const id of ["a", "b"]) {
          const fewer = yield* place(send, shop, "1", [lineOf(id)])
          expect([fewer.status, fewer.text]).toEqual([200, first.text])
        }
        expect(yield* store.dump).toBe(before)
        const more = yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("c"), lineOf("b")]))
        expect(more["total"]).toBe(111)
        expect((more["designs"] as ReadonlyArray<Json>).map(({ id }) => id)).toEqual(["a", "b", "c"])
      }),
  )

  it.effect(
    "MUST answer 204 to an order without lines and store nothing, whether it was placed before or not (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a")
        const placed = yield* place(send, shop, "1", [lineOf("a")])
        yield* bodyOf(200, placed)
        const before = yield* store.dump
        for (const id of ["nobodys", "1"]) {
          const answer = yield* place(send, shop, id, [])
          expect([answer.status, answer.text]).toEqual([204, ""])
        }
        expect(yield* store.dump).toBe(before)
        expect((yield* read(send, shop.token, "/orders/nobodys")).status).toBe(404)
        expect((yield* read(send, shop.token, "/orders/1")).text).toBe(placed.text)
        const nowhere = yield* manage(send, "PUT", "/shops/nobodys/orders/1", {
          name: "#1",
          orderedAt: "2026-10-05T14:48:00Z",
          lines: [],
        })
        expect(nowhere.status).toBe(404)
      }),
  )

  it.effect(
    "MUST refuse with 409 another name, time or line item for what is linked, and to add to a cancelled order (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        for (const id of ["a", "b", "c"]) yield* newDesign(send, shop, id)
        yield* place(send, shop, "1", [lineOf("a"), lineOf("b")])
        const before = yield* store.dump
        for (const answer of [
          yield* place(send, shop, "1", [lineOf("a", "other")]),
          yield* place(send, shop, "1", [lineOf("a", "other"), lineOf("b")]),
          yield* place(send, shop, "1", [lineOf("b", "line-of-a"), lineOf("c")]),
          yield* place(send, shop, "1", [lineOf("c")], { name: "other" }),
          yield* place(send, shop, "1", [lineOf("a"), lineOf("b")], { name: "other" }),
          yield* place(send, shop, "1", [lineOf("a"), lineOf("b")], { orderedAt: "2026-10-05T14:48:00.001Z" }),
        ]) {
          expect([answer.status, Object.keys(answer.json as Json)]).toEqual([409, ["message"]])
        }
        expect(yield* store.dump).toBe(before)
        const cancelled = yield* cancel(send, shop, "1")
        const kept = yield* store.dump
        expect((yield* place(send, shop, "1", [lineOf("a"), lineOf("b"), lineOf("c")])).status).toBe(409)
        // The same content again changes nothing, then too.
        const same = yield* place(send, shop, "1", [lineOf("a"), lineOf("b")])
        expect([same.status, same.text]).toEqual([200, cancelled.text])
        expect(yield* store.dump).toBe(kept)
      }),
  )

  it.effect(
    "MUST take the order's currency from its shop and round totals to the shop's step (§2.2, definition: price)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send, { currency: "CHF", roundingStep: 5 })
        const design = JSON.parse(yield* newDesign(send, shop, "d-1", { basePrice: 1003 }))
        expect(design.price).toEqual({ base: 1003, lines: [], rounding: 2, total: 1005, currency: "CHF" })
        const order = JSON.parse(yield* newOrder(send, shop, "1", ["d-1"]))
        expect([order.currency, order.total]).toEqual(["CHF", 1005])
      }),
  )

  it.effect(
    "MUST refuse with 409 that names both an order with a design in another currency, and keep the order's own when the shop's changes (D6a)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send, { currency: "EUR" })
        for (const id of ["first", "second", "late"]) yield* newDesign(send, shop, id, { basePrice: 100 })
        yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("first")]))
        yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopSettings, currency: "USD" }))
        yield* newDesign(send, shop, "dollars", { basePrice: 100 })
        const before = yield* store.dump
        for (const [order, lines, currencies] of [
          ["2", [lineOf("second")], ["EUR", "USD"]],
          ["2", [lineOf("dollars"), lineOf("second")], ["EUR", "USD"]],
          ["1", [lineOf("first"), lineOf("dollars")], ["USD", "EUR"]],
        ] as const) {
          const refused = yield* place(send, shop, order, lines)
          const { message } = refused.json as { readonly message: string }
          expect([refused.status, Object.keys(refused.json as Json)]).toEqual([409, ["message"]])
          expect(message).toMatch(
            new RegExp(`priced in ${currencies[0]}, but the order "${order}" is in ${currencies[1]}`),
          )
        }
        expect(yield* store.dump).toBe(before)
        const more = yield* bodyOf(200, yield* place(send, shop, "1", [lineOf("second")]))
        expect([more["currency"], more["total"]]).toEqual(["EUR", 200])
        // A draft takes the shop's currency when it is saved again.
        yield* bodyOf(200, yield* save(send, shop, "late"))
        const dollars = yield* bodyOf(200, yield* place(send, shop, "2", [lineOf("dollars"), lineOf("late")]))
        expect([dollars["currency"], dollars["total"]]).toEqual(["USD", 13_000])
        const prices = (dollars["designs"] as ReadonlyArray<Json>).map(({ price }) => (price as Json)["currency"])
        expect(prices).toEqual(["USD", "USD"])
      }),
  )

  it.effect(
    "MUST refuse with 422 an order whose designs add up to more than 2^53 − 1 cents, and store nothing (§1)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a", { basePrice: Number.MAX_SAFE_INTEGER - 1 })
        yield* newDesign(send, shop, "b", { basePrice: 2 })
        const before = yield* store.dump
        const answer = yield* place(send, shop, "1", [lineOf("a"), lineOf("b")])
        expect([answer.status, Object.keys(answer.json as Json)]).toEqual([422, ["message", "problems"]])
        expect(yield* store.dump).toBe(before)
      }),
  )
})

describe("Image addresses of an embedder's own (D7)", () => {
  plain.effect(
    "MUST be those that the embedder's function gives, from the shop, the design's id and the views in order",
    () =>
      Effect.gen(function* () {
        const { ports } = yield* memory.open
        const asked: Array<unknown> = []
        const send = yield* inProcess(ports).pipe(
          Effect.provideService(ImageUrls, (shop, designId, views) => {
            asked.push([shop.id, designId, views])
            return { images: { only: `https://own.example/${designId}` }, thumbnail: "https://own.example/thumb" }
          }),
        )
        const shop = yield* newShop(send)
        const design = JSON.parse(yield* newDesign(send, shop, "d-1"))
        expect(asked).toEqual([[shop.id, "d-1", ["front", "inside"]]])
        expect(design.images).toEqual({ only: "https://own.example/d-1" })
        expect(design.thumbnail).toBe("https://own.example/thumb")
        // Once given they stay, when another function makes those of later designs.
        const later = yield* inProcess(ports)
        yield* newOrder(later, shop, "1", ["d-1"])
        const ordered = yield* bodyOf(200, yield* read(later, shop.token, "/designs/d-1"))
        expect(ordered["images"]).toEqual({ only: "https://own.example/d-1" })
      }),
  )
})
