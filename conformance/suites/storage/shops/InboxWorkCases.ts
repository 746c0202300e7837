import { Effect, Option } from "effect"
import type {
  InboxItem,
  InboxOutcome,
  InboxSettlement,
  OrderProgress,
} from "../../../../core/model/ingest/InboxItem.ts"
import { Inbox, type InboxAlarm } from "../../../../core/ports/Inbox.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { troubleOf } from "../../../../core/rules/webhooks/NoticeRules.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makeInboxItem, newShop, place, someTime } from "../support/Fixtures.ts"

const hosts = Effect.all([Inbox, onOtherHost(Inbox)])

const applied: InboxOutcome = { state: "applied", reason: null, designId: null }

const day = 86_400_000

/** A position right before a shop's id. */
const before = (shop: string): string =>
  `${shop.slice(0, -1)}${String.fromCharCode(shop.charCodeAt(shop.length - 1) - 1)}~`

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
      const none = { placedAt: null, placedTriggeredAt: null, placedState: null, isCancelled: false }
      const ended = { cancelledAt: null, cancelledTriggeredAt: null }
      const placed = (at: number, triggeredAt: number | null) => ({
        ...none,
        placedAt: at,
        placedTriggeredAt: triggeredAt,
        placedState: "applied" as const,
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
    id: "inbox.raise",
    ports: [ShopStore, Inbox, NoticeStore],
    title:
      "MUST count events that failed or wait for too long, and store one notice about those of a shop and kind in an " +
      "hour, about each event once, and about no others",
    requirements: ["D85"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const notices = yield* NoticeStore
      const shop = yield* newShop
      const [now, minute, hour] = [someTime + 30 * day, 60_000, 3_600_000]
      const put = (fields: Partial<InboxItem>) => {
        const item = makeInboxItem(shop, fields)
        return Effect.as(inbox.put(item), item)
      }
      const failed = yield* put({ state: "failed", reason: "why", receivedAt: now })
      const waiting = yield* put({ state: "waiting", designId: "d", receivedAt: now - 15 * minute })
      const unpaid = yield* put({ state: "unpaid", receivedAt: now - day })
      yield* put({ state: "waiting", designId: "d", receivedAt: now - 14 * minute })
      yield* put({ state: "unpaid", receivedAt: now - day + minute })
      for (const state of ["applied", "ignored"] as const) yield* put({ state, receivedAt: now - 2 * day })
      const old = yield* put({ state: "failed", receivedAt: now - 8 * day })
      const raiseAll = Effect.fnUntraced(function* (at: number) {
        const raised: Array<string> = []
        let after: string | null = null
        do {
          const step: InboxAlarm = yield* other.raise({ now: at, after, limit: 3 })
          raised.push(...step.raised.filter((record) => record.shop === shop).map(({ id }) => id))
          after = step.after
        } while (after !== null)
        return raised.toSorted()
      })
      const idsOf = (...records: ReadonlyArray<{ readonly id: string }>) => records.map(({ id }) => id).toSorted()
      const oldestFirst = (left: InboxItem, right: InboxItem) => (left.id < right.id ? -1 : 1)
      const listed = (at: number) => notices.list(shop, 10, at)
      yield* equal("the count", yield* other.trouble(shop, now), { failed: 2, waiting: 2, ended: 0, troubled: 0 })
      yield* equal("of another shop", yield* other.trouble(yield* newShop, now), {
        failed: 0,
        waiting: 0,
        ended: 0,
        troubled: 0,
      })
      const [first, second] = [waiting, unpaid].toSorted(oldestFirst)
      if (first === undefined || second === undefined) return yield* Effect.die("two events wait")
      // One of the failed ones came too long ago to be told of.
      const expected = [troubleOf([failed], 2, now), troubleOf([first, second], 2, now)]
      yield* equal("the first time", yield* raiseAll(now), idsOf(...expected))
      yield* equal("again", yield* raiseAll(now + 1), [])
      const byId = <A extends { readonly id: string }>(all: ReadonlyArray<A>) =>
        all.toSorted((left, right) => (left.id < right.id ? -1 : 1))
      yield* equal("the notices", byId(yield* listed(now)), byId(expected))
      const { raised: _, ...step } = yield* inbox.raise({ now, after: before(shop), limit: 1 })
      yield* equal("the step's count", step, { failed: 2, waiting: 2, ended: 0, troubled: 0, after: shop })
      yield* inbox.apply(shop, waiting.id, () => Effect.succeed({ ...applied, state: "failed", reason: "no line" }))
      yield* inbox.apply(shop, old.id, () => Effect.succeed(applied))
      yield* equal("the count later", yield* inbox.trouble(shop, now), { failed: 2, waiting: 1, ended: 0, troubled: 0 })
      const again = { ...waiting, state: "failed", reason: "no line" } as const
      const late = yield* put({ state: "failed", receivedAt: now + 2 })
      yield* equal("within the hour", yield* raiseAll(now + hour - 1), [])
      const [older, newer] = [again, late].toSorted(oldestFirst)
      if (older === undefined || newer === undefined) return yield* Effect.die("two events failed")
      const next = troubleOf([older, newer], 3, now + hour)
      // Those that waited for less have waited for long by then.
      const ofFailed = (yield* raiseAll(now + hour)).filter((id) => id.endsWith("_f"))
      yield* equal("one that waited and has failed, and a new one", ofFailed, [next.id])
      const kept = (yield* listed(now + hour)).find(({ id }) => id === next.id)
      yield* equal("both in one notice", kept, next)
      yield* equal("each once", yield* raiseAll(now + 3 * hour), [])
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
  {
    id: "inbox.settles",
    ports: [ShopStore, OrderStore, Inbox],
    title:
      "MUST end the events of an order that a newer state settles, lift its cancellations, and keep a body if asked",
    requirements: ["D80"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const store = yield* OrderStore
      const shop = yield* newShop
      const settle = Effect.fnUntraced(function* (item: InboxItem, outcome: InboxSettlement, isByHand = false) {
        yield* inbox.apply(shop, item.id, () => Effect.succeed(outcome), isByHand)
      })
      const states = [
        { ...applied, state: "unpaid" },
        { ...applied, state: "failed" },
        { ...applied, state: "waiting", designId: "d1" },
        applied,
      ] as const
      const items = states.map(() => makeInboxItem(shop))
      const [cancel, untried, beside, last] = [
        makeInboxItem(shop, { change: "cancel" }),
        makeInboxItem(shop),
        makeInboxItem(shop, { orderId: "2" }),
        makeInboxItem(shop),
      ]
      for (const item of [...items, cancel, untried, beside, last]) yield* inbox.put(item)
      for (const [index, item] of items.entries()) yield* settle(item, states[index] ?? applied)
      yield* settle(cancel, applied)
      yield* settle(beside, { ...applied, state: "unpaid" })
      const report = { shop, id: "1", isCancelled: true, isEmpty: false, until: someTime + 1_000 }
      yield* store.keepUnstored(report, someTime)
      const kept = { ...applied, state: "ignored", keepsBody: true, ends: "newer", lifts: "open" } as const
      yield* settle(last, kept)
      const stateOf = ({ id }: InboxItem) =>
        Effect.map(other.find(shop, id), (found) => Option.getOrUndefined(found)?.state)
      const all = yield* Effect.forEach([...items, cancel, untried, beside, last], stateOf)
      yield* equal("the states", all.join(" "), "ignored ignored ignored applied ignored waiting unpaid ignored")
      const unstored = Option.getOrUndefined(yield* store.unstoredOrder(shop, "1"))
      yield* equal("the report of a cancellation", unstored?.isCancelled ?? false, false)
      // The same cancellation may come again.
      const again = makeInboxItem(shop, { change: "cancel", content: cancel.content, eventId: null })
      yield* equal("a second cancellation", (yield* inbox.put(again)).id, again.id)
      yield* settle(last, applied)
      yield* equal("not tried", yield* stateOf(last), "ignored")
      yield* settle(last, applied, true)
      yield* equal("placed by hand", yield* stateOf(last), "applied")
      yield* settle(last, { ...applied, state: "failed" }, true)
      yield* equal("not again", yield* stateOf(last), "applied")
      // An older state, for want of which newer ones waited.
      const late = yield* Effect.forEach([...states, applied], () => {
        const item = makeInboxItem(shop, { orderId: "3" })
        return Effect.as(inbox.put(item), item)
      })
      for (const [index, item] of late.entries()) {
        yield* settle(item, states[index] ?? { ...applied, retries: true })
      }
      const retried = yield* Effect.forEach([...late, beside], stateOf)
      yield* equal("the states after an older one", retried.join(" "), "waiting waiting waiting applied applied unpaid")
      const found = yield* Effect.forEach(late, ({ id }) => other.find(shop, id))
      const designs = found.map((each) => Option.getOrUndefined(each)?.designId ?? null)
      yield* equal("the designs that they wait for", designs, [null, null, "d1", null, null])
    }),
  },
])
