/** Events of platforms with hostile content: each comes to an end that says why, and none holds up others (D57). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { makeInboxItem } from "../../../conformance/suites/storage/support/Fixtures.ts"
import {
  eventOf,
  receive,
  shopifyWith,
  statusOf,
  worldDomain,
} from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { shopifyDataRequest, shopifyRedaction } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { putShop } from "../shops/ManageShops.ts"
import { applyWaiting, keepApplying } from "./ApplyEvent.ts"
import { receiveEvent } from "./ReceiveEvent.ts"

const long = "x".repeat(1_000_000)
const hostile = "\0\u001b[31m\u202e\u2028\ud800"

const order = (fields: object) => ({ ...shopifyWith(["a"]), ...fields })
const withLine = (fields: object) => {
  const { line_items, ...rest } = shopifyWith(["a"])
  return { ...rest, line_items: line_items.map((line) => ({ ...line, ...fields })) }
}
const withDesign = (value: unknown) => withLine({ properties: [{ name: "_designwire_id", value }] })

const poison: ReadonlyArray<readonly [topic: string, json: unknown]> = [
  ...["orders/create", "orders/updated"].flatMap((topic) =>
    [hostile, "\0", long].flatMap((text) =>
      ["id", "name", "created_at", "updated_at", "admin_graphql_api_id"].map(
        (field) => [topic, order({ [field]: text })] as const,
      ),
    ),
  ),
  ...[hostile, "\0", long].flatMap(
    (text): ReadonlyArray<readonly [string, unknown]> => [
      ["orders/create", withLine({ id: text })],
      ["orders/create", withDesign(text)],
      ["customers/redact", shopifyRedaction([1, text as never], worldDomain)],
      ["customers/redact", shopifyRedaction([1], text)],
      ["customers/data_request", shopifyDataRequest([1, text as never], worldDomain)],
      ["shop/redact", { shop_id: 1, shop_domain: text }],
      ["shop/redact", { [text]: 1 }],
      ["order.created", { ...wooCommerceOrder({ id: 1, lines: [] }), number: text }],
      ["order.deleted", { id: text }],
    ],
  ),
]

/** The most events of a shop, and bytes of their bodies, as the guide names them. */
const [mostEvents, mostBytes] = [5_000_000, 2 * 1024 ** 3]

const inboxOf = (world: World) => Inbox.pipe(Effect.provideContext(world.ports))

describe("An event with hostile content", () => {
  it.effect.each(poison)("%s MUST come to an end, with a reason that can be stored and shown (D57)", ([topic, json]) =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const kept = yield* receive(world, topic, json)
      expect(kept?.state).toBe("failed")
      expect([...(kept?.reason ?? "")].length).toBeLessThanOrEqual(500)
      expect(kept?.reason).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u)
      expect(
        [kept?.orderId ?? "1", kept?.topic, kept?.eventId ?? "1"].every((text) => text?.isWellFormed() === true),
      ).toBe(true)
      expect(kept?.orderId ?? "").not.toContain("\0")
    }),
  )

  it.effect.each([
    ["topic", { topic: "orders/\0create" }],
    ["topic", { topic: "" }],
    ["eventId", { eventId: "\u0007" }],
    ["body", { body: '{"note":"\ud800"}' }],
  ] as const)("MUST be refused if its %s can't be stored: %j", ([, fields]) =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const event = { ...eventOf("orders/create", shopifyWith(["a"])), ...fields }
      expect(yield* Effect.flip(world.run(receiveEvent(world.shop, event)))).toMatchObject({ _tag: "InvalidInput" })
    }),
  )

  it.effect("MUST be carried out if it names 60,000 orders, and say how many of them it found (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const found = Array.from({ length: 25 }, (_, index) => 10_000 + index)
      for (const id of found) yield* world.order(String(id), [`d-${id}`])
      const ids = Array.from({ length: 60_000 }, (_, index) => index + 1)
      const names = found.slice(0, 20).map((id) => `"${id}"`)
      for (const [topic, json, begin] of [
        ["customers/data_request", shopifyDataRequest(ids, worldDomain), "The buyer asks for the data of the orders"],
        ["customers/redact", shopifyRedaction(ids, worldDomain), "Redacted the orders"],
      ] as const) {
        expect(yield* receive(world, topic, json)).toMatchObject({
          state: "applied",
          reason: `${begin} ${names.join(", ")} and 5 more`,
        })
      }
    }),
  )
})

/** A world with a second shop, and an inbox in which events of the first shop take a while. */
const twoShops = Effect.gen(function* () {
  const world = yield* makeWorld()
  const inbox = yield* inboxOf(world)
  const beside = `${world.shop}-b`
  yield* world.run(
    putShop(beside, { domain: "b.example.com", currency: "EUR", imageBase: "https://images.example.com" }),
  )
  return { world, inbox, beside }
})

describe("Events that wait", () => {
  it.effect("MUST be applied shop by shop in turns: slow events of one shop delay another's by one turn (D57)", () =>
    Effect.gen(function* () {
      const { beside, inbox, world } = yield* twoShops
      const ids = Array.from({ length: 40 }, (_, index) => `inb_${String(index).padStart(3, "0")}`)
      for (const id of ids) yield* inbox.put(makeInboxItem(world.shop, { id, orderId: id }))
      const tried: Array<string> = []
      const slow = Inbox.of({
        ...inbox,
        apply: (shop, id, change) =>
          Effect.suspend(() => {
            tried.push(`${shop === beside ? "b" : "a"} ${id}`)
            return shop === beside
              ? inbox.apply(shop, id, change)
              : Effect.andThen(Effect.sleep("1 second"), inbox.apply(shop, id, change))
          }),
      })
      const applying = world.run(Effect.provideService(applyWaiting(), Inbox, slow))
      const later = Effect.andThen(
        Effect.sleep("5 seconds"),
        inbox.put(makeInboxItem(beside, { id: "inb_b", orderId: "9" })),
      )
      yield* Effect.all([applying, later, TestClock.adjust("2 minutes")], { concurrency: 3 })
      expect(tried.filter((each) => each.startsWith("a"))).toEqual(ids.map((id) => `a ${id}`))
      const place = tried.indexOf("b inb_b")
      expect(place).toBeGreaterThan(3)
      expect(place).toBeLessThan(10)
    }),
  )

  it.effect("MUST NOT be held up by one that never ends: it waits on, and those behind it are applied (D57)", () =>
    Effect.gen(function* () {
      const { beside, inbox, world } = yield* twoShops
      const hanging = ["inb_1", "inb_3"]
      for (const id of [...hanging, "inb_2", "inb_4"]) yield* inbox.put(makeInboxItem(world.shop, { id, orderId: id }))
      yield* inbox.put(makeInboxItem(beside, { id: "inb_b", orderId: "9" }))
      const hung = Inbox.of({
        ...inbox,
        apply: (shop, id, change) => (hanging.includes(id) ? Effect.never : inbox.apply(shop, id, change)),
      })
      const applying = world.run(Effect.provideService(applyWaiting(), Inbox, hung))
      yield* Effect.all([applying, TestClock.adjust("3 minutes")], { concurrency: 2 })
      const stateOf = (shop: string, id: string) =>
        Effect.map(inbox.list({ shop, state: null, after: null, limit: 100 }), (entries) =>
          entries.find((entry) => entry.id === id),
        )
      for (const id of hanging) expect((yield* stateOf(world.shop, id))?.state).toBe("waiting")
      for (const [shop, id] of [
        [world.shop, "inb_2"],
        [world.shop, "inb_4"],
        [beside, "inb_b"],
      ] as const) {
        expect([id, (yield* stateOf(shop, id))?.state]).toEqual([id, "failed"])
      }
    }),
  )

  it.effect("MUST fail once the store has refused for an hour to carry it out, and wait if that passes (D57)", () =>
    Effect.gen(function* () {
      const { inbox, world } = yield* twoShops
      const orders = yield* OrderStore.pipe(Effect.provideContext(world.ports))
      for (const design of ["a", "b", "c"]) yield* world.save(design)
      const refusal = (isRetryable: boolean) =>
        Effect.fail(new StorageError({ message: "no such thing", cause: undefined, isRetryable }))
      /** Order 1 is never stored, order 2 not while the store is away, and order 3 only when it is tried again. */
      const failures: Record<string, ReadonlyArray<boolean>> = {
        "1": Array(100).fill(false),
        "2": Array(4).fill(true),
        "3": [false, false],
      }
      const commit: typeof orders.commit = (change) => {
        const [isRetryable, ...later] = failures[change.order?.id ?? ""] ?? []
        failures[change.order?.id ?? ""] = later
        return isRetryable === undefined ? orders.commit(change) : refusal(isRetryable)
      }
      const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(effect, OrderStore, OrderStore.of({ ...orders, commit }))
      const states = Effect.gen(function* () {
        const entries = yield* inbox.list({ shop: world.shop, state: null, after: null, limit: 9 })
        return Object.fromEntries(entries.map(({ orderId, reason, state }) => [orderId, reason ?? state]))
      })
      for (const [index, design] of ["a", "b", "c"].entries()) {
        yield* world.run(
          within(receiveEvent(world.shop, eventOf("orders/create", shopifyWith([design], { id: index + 1 })))),
        )
      }
      for (const later of ["58 minutes", "1 minute"] as const) {
        yield* world.run(within(applyWaiting()))
        expect((yield* states)["1"]).toBe("waiting")
        yield* TestClock.adjust(later)
      }
      yield* TestClock.adjust("1 minute")
      yield* world.run(within(applyWaiting()))
      expect(yield* states).toEqual({
        ...{ "1": "The storage of the service can't carry it out: the log of the service says why" },
        ...{ "2": "applied", "3": "applied" },
      })
    }),
  )

  it.effect("MUST be looked for every ten seconds, also after the store has failed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* receive(world, "orders/create", shopifyWith(["late"]))
      yield* world.save("late")
      const keeping = world.run(Effect.timeoutOption(keepApplying, "15 seconds"))
      yield* Effect.all([keeping, TestClock.adjust("15 seconds")], { concurrency: 2 })
      expect(yield* statusOf(world)).toBe("ordered late")
    }),
  )
})

describe("The room of a shop's events", () => {
  const sized = Effect.fnUntraced(function* (size: { readonly events: number; readonly bytes: number }) {
    const world = yield* makeWorld()
    const inbox = yield* inboxOf(world)
    const measured: Array<string> = []
    const full = Inbox.of({
      ...inbox,
      size: (shop) =>
        Effect.sync(() => {
          measured.push(shop)
          return shop === world.shop ? size : { events: 0, bytes: 0 }
        }),
    })
    const send = (json: unknown, topic = "orders/create", shop = world.shop) =>
      world.run(Effect.provideService(receiveEvent(shop, eventOf(topic, json)), Inbox, full))
    return { world, send, measured, inbox }
  })

  it.effect.each([
    { events: mostEvents, bytes: 0 },
    { events: 0, bytes: mostBytes },
  ])("MUST refuse further ones at %j, count that, and take those of another shop (D57)", (size) =>
    Effect.gen(function* () {
      const { inbox, send, world } = yield* sized(size)
      for (const _ of [1, 2]) expect((yield* Effect.flip(send(shopifyWith(["a"]))))._tag).toBe("InboxFull")
      expect(yield* inbox.list({ shop: world.shop, state: null, after: null, limit: 9 })).toEqual([])
      const refused = (yield* Metric.snapshot).find(({ id }) => id === "designwire_platform_events_refused_total")
      expect(refused).toMatchObject({ state: { count: 2 }, attributes: { source: "shopify" } })
      const beside = `${world.shop}-b`
      yield* world.run(
        putShop(beside, { domain: "b.example.com", currency: "EUR", imageBase: "https://images.example.com" }),
      )
      expect((yield* send(shopifyWith(["a"]), "orders/create", beside))?.state).toBe("waiting")
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("MUST be counted between measurements, with bodies only of events that are not done (D57)", () =>
    Effect.gen(function* () {
      const { measured, send, world } = yield* sized({ events: mostEvents - 3, bytes: 0 })
      yield* world.save("a")
      expect((yield* send(shopifyWith(["a"])))?.state).toBe("applied")
      // Known already: it takes no further room.
      for (const _ of [1, 2, 3]) yield* send(shopifyWith(["a"]))
      for (const id of [2, 3]) expect((yield* send(shopifyWith(["later"], { id })))?.state).toBe("waiting")
      expect((yield* Effect.flip(send(shopifyWith(["later"], { id: 4 }))))._tag).toBe("InboxFull")
      expect(measured).toHaveLength(1)
      // Measured again after a minute, as there is little room.
      yield* TestClock.adjust("61 seconds")
      expect((yield* send(shopifyWith(["later"], { id: 4 })))?.state).toBe("waiting")
      expect(measured).toHaveLength(2)
    }),
  )

  it.effect("MUST be measured seldom while more than half of it is free, and not stop the removal of the shop", () =>
    Effect.gen(function* () {
      const { measured, send } = yield* sized({ events: 10, bytes: 10 })
      for (let id = 1; id <= 5; id++) {
        yield* send(shopifyWith(["later"], { id }))
        yield* TestClock.adjust("61 seconds")
      }
      expect(measured).toHaveLength(1)
      const full = yield* sized({ events: mostEvents, bytes: mostBytes })
      expect(yield* full.send({ shop_id: 1, shop_domain: worldDomain }, "shop/redact")).toBeUndefined()
    }),
  )
})
