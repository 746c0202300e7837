import { Effect, Option } from "effect"
import type { InboxItem, InboxOutcome, OrderProgress } from "../../../../core/model/ingest/InboxItem.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makeInboxItem, newShop, place, someTime } from "../support/Fixtures.ts"

const hosts = Effect.all([Inbox, onOtherHost(Inbox)])

const applied: InboxOutcome = { state: "applied", reason: null, designId: null }

/** More ids than a statement of Postgres can have parameters. */
const manyIds = Array.from({ length: 70_000 }, (_, index) => `order ${index}`)

/** What is worked on in the inbox, shop by shop, and how much it has (D57). */
export const inboxWorkCases = calling(
  ShopStore,
  Inbox,
)([
  {
    id: "inbox.triggered",
    title:
      "MUST give a change the latest trigger of the newest modification of its order, whatever the order of arrival",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const progressAfter = Effect.fnUntraced(function* (fields: Partial<InboxItem>) {
        const item = makeInboxItem(shop, fields)
        yield* inbox.put(item)
        yield* inbox.apply(shop, item.id, () => Effect.succeed(applied))
        const seen: Array<OrderProgress> = []
        const next = makeInboxItem(shop)
        yield* other.put(next)
        yield* other.apply(shop, next.id, (_, progress) =>
          Effect.sync(() => {
            seen.push(progress)
            return { ...applied, state: "failed" }
          }),
        )
        return seen[0]
      })
      const second = 1_000
      const none = { placedAt: null, placedTriggeredAt: null, isCancelled: false }
      const ended = { cancelledAt: null, cancelledTriggeredAt: null }
      const placed = (at: number, triggeredAt: number | null) => ({
        ...none,
        placedAt: at,
        placedTriggeredAt: triggeredAt,
      })
      const at = someTime + second
      yield* equal("none says", yield* progressAfter({ modifiedAt: at }), { ...placed(at, null), ...ended })
      for (const [triggeredAt, expected] of [
        [at + 20, at + 20],
        [at + 30, at + 30],
        [at + 10, at + 30],
        [null, at + 30],
      ] as const) {
        const progress = yield* progressAfter({ modifiedAt: at, triggeredAt })
        yield* equal(`after ${triggeredAt}`, progress, { ...placed(at, expected), ...ended })
      }
      const older = yield* progressAfter({ modifiedAt: at - second, triggeredAt: at + 900 })
      yield* equal("after an older second", older, { ...placed(at, at + 30), ...ended })
      const newer = yield* progressAfter({ modifiedAt: at + second, triggeredAt: at + 5 })
      yield* equal("after a newer second", newer, { ...placed(at + second, at + 5), ...ended })
      const cancel = { change: "cancel", modifiedAt: at, triggeredAt: at + 7 } as const
      yield* equal("after a cancellation", yield* progressAfter(cancel), {
        ...placed(at + second, at + 5),
        ...{ isCancelled: true, cancelledAt: at, cancelledTriggeredAt: at + 7 },
      })
    }),
  },
  {
    id: "inbox.waiting",
    title: "MUST find the shops with waiting events, each once, by pages",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shops: Array<string> = []
      for (const states of [
        ["waiting", "waiting"],
        ["failed"],
        ["waiting"],
        ["applied", "waiting", "failed"],
        [],
      ] as const) {
        const shop = yield* newShop
        shops.push(shop)
        for (const state of states) yield* inbox.put(makeInboxItem(shop, { state }))
      }
      const expected = [shops[0], shops[2], shops[3]].flatMap((shop) => shop ?? []).toSorted()
      for (const limit of [1, 2, 100]) {
        const found: Array<string> = []
        let page: ReadonlyArray<string>
        do {
          page = yield* other.waiting({ after: found.at(-1) ?? null, limit })
          found.push(...page)
        } while (page.length === limit)
        // Other cases have shops with events too.
        yield* equal(
          `by pages of ${limit}`,
          found.filter((shop) => shops.includes(shop)),
          expected,
        )
      }
    }),
  },
  {
    id: "inbox.ready.shop",
    title: "MUST find the waiting events of a shop alone, after the one with an id, the oldest first",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const ids = ["inb_A", "inb_Z", "inb_a", "inb_z"]
      for (const id of ids.toReversed()) yield* inbox.put(makeInboxItem(shop, { id }))
      yield* inbox.put(makeInboxItem(beside, { id: "inb_M" }))
      yield* equal("all", (yield* other.ready({ shop, after: null, limit: 100 })).found, ids)
      yield* equal("the rest", (yield* other.ready({ shop, after: "inb_Z", limit: 100 })).found, ["inb_a", "inb_z"])
      const last = yield* other.ready({ shop, after: "inb_z", limit: 100 })
      yield* equal("after the last", last, { found: [], after: null })
    }),
  },
  {
    id: "inbox.size",
    title: "MUST say how many events a shop has, and how many bytes of bodies it keeps",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      yield* equal("without events", yield* other.size(shop), { events: 0, bytes: 0 })
      const long = "ä".repeat(5_000)
      const items = [
        makeInboxItem(shop, { body: long }),
        makeInboxItem(shop, { body: "{}", state: "failed" }),
        makeInboxItem(shop, { body: long, state: "ignored" }),
      ]
      for (const item of [...items, makeInboxItem(beside)]) yield* inbox.put(item)
      yield* equal("with events", yield* other.size(shop), { events: 3, bytes: 10_002 })
      yield* inbox.apply(shop, items[0]?.id ?? "", () => Effect.succeed(applied))
      yield* equal("once one is done", yield* other.size(shop), { events: 3, bytes: 2 })
    }),
  },
  {
    id: "inbox.erase.many",
    ports: [ShopStore, OrderStore, Inbox],
    title: "MUST erase the events of 70,000 orders, and find which of 5,000 are stored",
    requirements: ["D43", "D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const store = yield* OrderStore
      const shop = yield* newShop
      const named = [0, 31_000, 69_999].map((index) => manyIds[index] ?? "")
      const items = [...named, "another"].map((orderId) => makeInboxItem(shop, { orderId }))
      for (const item of items) yield* inbox.put(item)
      yield* other.erase(shop, manyIds, "redacted")
      for (const [index, { id }] of items.entries()) {
        const state = Option.getOrUndefined(yield* inbox.find(shop, id))?.state
        yield* equal(`the event ${index}`, state, index === 3 ? "waiting" : "ignored")
      }
      const asked = manyIds.slice(0, 5_000)
      const stored = [0, 2_500, 4_999].map((index) => asked[index] ?? "")
      for (const id of [...stored, "another"]) yield* place(shop, id, someTime)
      yield* equal("the stored orders", (yield* store.existing(shop, "orders", asked)).toSorted(), stored.toSorted())
      yield* equal("of another shop", yield* store.existing(yield* newShop, "orders", asked), [])
      yield* equal("of none", yield* store.existing(shop, "orders", []), [])
    }),
  },
])
