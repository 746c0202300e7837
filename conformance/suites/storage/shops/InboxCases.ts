import { Deferred, Effect, Option } from "effect"
import type {
  InboxEntry,
  InboxItem,
  InboxOutcome,
  InboxState,
  OrderProgress,
} from "../../../../core/model/ingest/InboxItem.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { type Change, OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { droppedOf } from "../../../../core/rules/webhooks/NoticeRules.ts"
import { equal, failsWith, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import {
  day,
  hostileTexts,
  makeDesign,
  makeInboxItem,
  makeOrder,
  makeOrdered,
  makeToken,
  newShop,
  retrying,
  someTime,
} from "../support/Fixtures.ts"

const hosts = Effect.all([Inbox, onOtherHost(Inbox)])

const applied: InboxOutcome = { state: "applied", reason: null, designId: null }
const ignored: InboxOutcome = { state: "ignored", reason: "nothing to do", designId: null }
const failed: InboxOutcome = { state: "failed", reason: "another currency", designId: null }
const waiting: InboxOutcome = { state: "waiting", reason: "no such design", designId: "a" }

const nothingDone: OrderProgress = {
  ...{ placedAt: null, placedTriggeredAt: null, placedState: null },
  ...{ isCancelled: false, cancelledAt: null, cancelledTriggeredAt: null },
}

/** The change that places the order of an event, with one design. */
const placing = (inboxItem: InboxItem): Change => {
  const { orderId, shop } = inboxItem
  const order = makeOrder(shop, orderId ?? "")
  return { shop, designs: [makeOrdered(order, `design of ${orderId}`, 0)], order, events: [], inboxItem }
}

/** An event as it is stored: without its body. */
const entryOf = ({ body: _, ...entry }: InboxItem, outcome: Partial<InboxOutcome> = {}): InboxEntry => ({
  ...entry,
  ...outcome,
})

/** Applies an event with an outcome, and returns what the change was given. */
const applying = Effect.fnUntraced(function* (inbox: Inbox["Service"], item: InboxItem, outcome: InboxOutcome) {
  const given: Array<readonly [InboxItem, OrderProgress]> = []
  const entry = yield* inbox.apply(item.shop, item.id, (...parameters) =>
    Effect.sync(() => {
      given.push(parameters)
      return outcome
    }),
  )
  return { entry: Option.getOrUndefined(entry), given }
})

/** All steps of `ready`, as ids of a shop's events. */
const readyOf = Effect.fnUntraced(function* (inbox: Inbox["Service"], shop: string, limit: number) {
  const ids: Array<string> = []
  let after: string | null = null
  do {
    const step: Effect.Success<ReturnType<Inbox["Service"]["ready"]>> = yield* inbox.ready({ shop, after, limit })
    ids.push(...step.found)
    after = step.after
  } while (after !== null)
  return ids
})

/** Events that shop platforms send (D57). */
export const inboxCases = calling(
  ShopStore,
  Inbox,
)([
  {
    id: "inbox.put",
    title: "MUST store an event, and return its body byte for byte on every host",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const empty = { eventId: null, orderId: null, change: null, modifiedAt: null, content: null } as const
      for (const [index, body] of hostileTexts.entries()) {
        const item = makeInboxItem(shop, { body, source: index % 2 === 0 ? "shopify" : "woocommerce", ...empty })
        yield* equal("the stored event", yield* inbox.put(item), entryOf(item))
        yield* equal("found", Option.getOrUndefined(yield* other.find(shop, item.id)), entryOf(item))
        const { given } = yield* applying(other, item, failed)
        yield* equal("given to the change", given, [[item, nothingDone]])
      }
      yield* none("of another shop", yield* inbox.find(yield* newShop, "inb_1"))
    }),
  },
  {
    id: "inbox.known",
    title: "MUST say which contents events of a platform have",
    requirements: ["D88"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, neighbour] = [yield* newShop, yield* newShop]
      const [one, two] = [makeInboxItem(shop), makeInboxItem(shop)]
      for (const item of [one, two, makeInboxItem(shop, { content: null })]) yield* inbox.put(item)
      const asked = [two.content ?? "", "none", one.content ?? ""]
      const found = yield* other.known(shop, "shopify", asked)
      yield* equal("known", found.toSorted(), [one.content ?? "", two.content ?? ""].toSorted())
      yield* equal("of the other platform", yield* other.known(shop, "woocommerce", asked), [])
      yield* equal("of another shop", yield* other.known(neighbour, "shopify", asked), [])
      yield* equal("none", yield* other.known(shop, "shopify", []), [])
    }),
  },
  {
    id: "inbox.list.order",
    title: "MUST list the events about an order, newest first, of those in a state only these",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, neighbour] = [yield* newShop, yield* newShop]
      const [first, second] = [makeInboxItem(shop, { orderId: "1" }), makeInboxItem(shop, { orderId: "1" })]
      const others = [makeInboxItem(shop, { orderId: "2" }), makeInboxItem(shop, { orderId: null })]
      for (const item of [first, second, ...others, makeInboxItem(neighbour, { orderId: "1" })]) yield* inbox.put(item)
      yield* applying(inbox, first, applied)
      const list = (order: string, state: InboxState | null = null) =>
        Effect.map(other.list({ shop, state, order, after: null, limit: 10 }), (found) => found.map(({ id }) => id))
      yield* equal("all", yield* list("1"), [first.id, second.id].toSorted().reverse())
      yield* equal("waiting", yield* list("1", "waiting"), [second.id])
      yield* equal("none", yield* list("3"), [])
    }),
  },
  {
    id: "inbox.list.saying",
    title: "MUST list the events whose body has one of some texts, of those that were not taken over",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, neighbour] = [yield* newShop, yield* newShop]
      const saying = (name: string) => ({ orderId: null, body: `{"id":1,"name":"${name}"}` })
      const [first, second, third] = [saying("#1"), saying("#2"), saying("#1")].map((one) => makeInboxItem(shop, one))
      if (first === undefined || second === undefined || third === undefined) return
      for (const item of [first, second, third, makeInboxItem(neighbour, saying("#1"))]) yield* inbox.put(item)
      const list = (texts: ReadonlyArray<string>, state: InboxState | null = null) =>
        Effect.map(other.list({ shop, state, saying: texts, after: null, limit: 10 }), (all) => all.map(({ id }) => id))
      yield* equal("one", yield* list(['"name":"#1"']), [first.id, third.id].toSorted().reverse())
      yield* equal("a text that is no pattern", yield* list(['"name":"#_"', "%", ".*"]), [])
      yield* equal("several", (yield* list(['"name":"#2"', '"name":"#1"'])).length, 3)
      yield* applying(inbox, first, failed)
      yield* applying(inbox, third, applied)
      yield* equal("failed", yield* list(['"name":"#1"']), [first.id])
      yield* equal("waiting", yield* list(['"name":"#1"'], "waiting"), [])
    }),
  },
  {
    id: "inbox.placed",
    title: "MUST return each order once that events of a platform have placed, in pages",
    requirements: ["D88"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const given: ReadonlyArray<readonly [string, Partial<InboxItem>, InboxOutcome]> = [
        ...([1, 2, 3].map((id) => [`o-${id}`, {}, applied]) as ReadonlyArray<readonly [string, object, InboxOutcome]>),
        ["o-2", {}, applied],
        ["o-4", { change: "cancel" }, applied],
        ["o-5", {}, failed],
        ["o-6", { source: "woocommerce" }, applied],
      ]
      for (const [orderId, fields, outcome] of given) {
        const item = makeInboxItem(shop, { orderId, ...fields })
        yield* inbox.put(item)
        yield* applying(inbox, item, outcome)
      }
      const page = (after: string | null) => other.placed({ shop, source: "shopify", after, limit: 2 })
      yield* equal("first", yield* page(null), ["o-1", "o-2"])
      yield* equal("next", yield* page("o-2"), ["o-3"])
      yield* equal("end", yield* page("o-3"), [])
    }),
  },
  {
    id: "inbox.again",
    title: "MUST store an event once: with one id of the platform, or with one content, and return the earlier one",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const first = makeInboxItem(shop)
      const second = makeInboxItem(shop)
      for (const item of [first, second]) yield* inbox.put(item)
      const { content, eventId } = first
      for (const [again, kept] of [
        [makeInboxItem(shop, { eventId }), first],
        [makeInboxItem(shop, { content }), first],
        [makeInboxItem(shop, { eventId: second.eventId, content }), second],
      ] as const) {
        yield* equal("the earlier one", yield* other.put(again), entryOf(kept))
        yield* none("the other", yield* inbox.find(shop, again.id))
      }
      for (const apart of [
        makeInboxItem(beside, { eventId, content }),
        makeInboxItem(shop, { eventId, content, source: "woocommerce" }),
      ]) {
        yield* equal("apart", yield* other.put(apart), entryOf(apart))
      }
      yield* applying(inbox, first, applied)
      yield* equal("once it is done", yield* other.put(makeInboxItem(shop, { content })), entryOf(first, applied))
    }),
  },
  {
    id: "inbox.again.later",
    title: "MUST give an event the latest time at which others of the platform have said the same of its order",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [t, shop] = [someTime, yield* newShop]
      for (const [triggeredAt, outcome] of [
        [t, undefined],
        [null, undefined],
        [t, applied],
        [t, failed],
      ] as const) {
        const first = makeInboxItem(shop, { triggeredAt, orderId: `${triggeredAt} ${outcome?.state}` })
        yield* inbox.put(first)
        if (outcome !== undefined) yield* applying(inbox, first, outcome)
        const { content, eventId } = first
        let known = triggeredAt
        for (const [fields, latest] of [
          [{ triggeredAt: t + 2 }, t + 2],
          [{ triggeredAt: t + 1 }, t + 2],
          [{ triggeredAt: null }, t + 2],
          [{ triggeredAt: t + 3, eventId: null }, t + 2],
          [{ triggeredAt: t + 3, eventId }, t + 2],
          [{ triggeredAt: t + 4 }, t + 4],
        ] as const) {
          const expected = { ...entryOf(first, outcome), triggeredAt: latest }
          yield* equal("the answer", yield* other.put(makeInboxItem(shop, { content, ...fields })), expected)
          yield* equal("kept", yield* inbox.find(shop, first.id), Option.some(expected))
          known = latest
        }
        yield* equal("the last", known, t + 4)
        if (outcome !== undefined) continue
        const { given } = yield* applying(inbox, { ...first, triggeredAt: known }, failed)
        yield* equal("given to the change", given, [[{ ...first, triggeredAt: known }, nothingDone]])
      }
    }),
  },
  {
    id: "inbox.again.state",
    title: "MUST store an event with the content of an earlier one if its order has had another state in between",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [t, shop] = [someTime, yield* newShop]
      const beside = yield* newShop
      const earlier = makeInboxItem(shop, { triggeredAt: t + 10 })
      const { content } = earlier
      const between = makeInboxItem(shop, { triggeredAt: t + 10, change: "cancel" })
      // None of these was in between: another order, time, platform or shop, or the same content.
      const apart = [
        makeInboxItem(shop, { triggeredAt: t + 11, orderId: "2" }),
        makeInboxItem(shop, { triggeredAt: t + 11, modifiedAt: t + 1 }),
        makeInboxItem(shop, { triggeredAt: t + 11, source: "woocommerce" }),
        makeInboxItem(shop, { triggeredAt: t + 9 }),
        makeInboxItem(shop, { triggeredAt: null }),
        makeInboxItem(beside, { triggeredAt: t + 11 }),
      ]
      for (const item of [earlier, ...apart]) yield* inbox.put(item)
      const late = { content, triggeredAt: t + 12 }
      const atOnce = makeInboxItem(shop, { content, triggeredAt: t + 10 })
      yield* equal("no other state", yield* other.put(atOnce), entryOf(earlier))
      yield* inbox.put(between)
      for (const fields of [{ triggeredAt: t + 10 }, { triggeredAt: null }, { eventId: null }]) {
        const again = makeInboxItem(shop, { ...late, ...fields })
        yield* equal(`again: ${JSON.stringify(fields)}`, yield* other.put(again), entryOf(earlier))
      }
      const back = makeInboxItem(shop, late)
      yield* equal("the state again", yield* other.put(back), { ...entryOf(back), content: null })
      const { given } = yield* applying(inbox, back, failed)
      yield* equal("given to the change", given, [[{ ...back, content: null }, nothingDone]])
      const { eventId } = back
      yield* equal("twice", yield* inbox.put(makeInboxItem(shop, { ...late, eventId })), {
        ...entryOf(back, failed),
        content: null,
      })
      const unknown = makeInboxItem(shop, { orderId: "3", triggeredAt: null })
      const next = makeInboxItem(shop, { orderId: "3", triggeredAt: t })
      const last = makeInboxItem(shop, { orderId: "3", triggeredAt: t + 1, content: unknown.content })
      for (const item of [unknown, next]) yield* inbox.put(item)
      yield* equal("after one without a time", (yield* inbox.put(last)).id, last.id)
    }),
  },
  {
    id: "inbox.race",
    rounds: 5,
    title: "MUST store one of many events that are the same at the same time, and apply it once",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const both = yield* hosts
      const shop = yield* newShop
      const { content, eventId } = makeInboxItem(shop)
      let times = 0
      const change = () =>
        Effect.sync(() => {
          times++
          return applied
        })
      const ids = yield* Effect.forEach(
        Array.from({ length: 12 }),
        Effect.fnUntraced(function* (_, index) {
          const inbox = both[index % 2] ?? both[0]
          const same = index % 3 === 0 ? { eventId } : index % 3 === 1 ? { content } : { eventId, content }
          const { id } = yield* retrying(inbox.put(makeInboxItem(shop, { ...same, orderId: "1" })))
          yield* retrying(inbox.apply(shop, id, change))
          return id
        }),
        { concurrency: "unbounded" },
      )
      const stored = yield* both[0].list({ shop, state: null, after: null, limit: 100 })
      yield* equal("the stored events", stored.map(({ id }) => id).toSorted(), [...new Set(ids)].toSorted())
      yield* equal("how often one was applied", times, stored.length)
    }),
  },
  {
    id: "inbox.outcome",
    title: "MUST store the outcome of a change, and carry out no change of an event that is done or is not there",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      for (const done of [applied, ignored]) {
        const item = makeInboxItem(shop, { orderId: done.state })
        yield* inbox.put(item)
        for (const outcome of [waiting, failed, waiting, done]) {
          const { entry, given } = yield* applying(other, item, outcome)
          yield* equal("after the change", entry, entryOf(item, outcome))
          yield* equal("how often it was carried out", given.length, 1)
          yield* equal("found", Option.getOrUndefined(yield* inbox.find(shop, item.id)), entryOf(item, outcome))
        }
        const { entry, given } = yield* applying(inbox, item, failed)
        yield* equal("once it is done", [entry, given], [entryOf(item, done), []])
      }
      const unknown = yield* applying(inbox, makeInboxItem(shop), applied)
      yield* equal("without an event", unknown, { entry: undefined, given: [] })
    }),
  },
  {
    id: "inbox.done-at-once",
    title: "MUST store an event that is done already, without a change",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const item = makeInboxItem(yield* newShop, ignored)
      yield* equal("stored", yield* inbox.put(item), entryOf(item))
      yield* equal("applied", yield* applying(other, item, applied), { entry: entryOf(item), given: [] })
    }),
  },
  {
    id: "inbox.progress",
    title: "MUST give a change what the events before have done to its order",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const done = Effect.fnUntraced(function* (fields: Partial<InboxItem>, outcome: InboxOutcome) {
        const item = makeInboxItem(shop, fields)
        yield* inbox.put(item)
        return (yield* applying(other, item, outcome)).given[0]?.[1]
      })
      yield* equal("at first", yield* done({ modifiedAt: someTime + 5 }, applied), nothingDone)
      const placed: OrderProgress = { ...nothingDone, placedAt: someTime + 5, placedState: "applied" }
      yield* equal("after a placing", yield* done({ modifiedAt: someTime + 2 }, ignored), placed)
      yield* equal("after an older one", yield* done({ modifiedAt: someTime + 9 }, failed), placed)
      // Its order may have been placed in part.
      const tried: OrderProgress = { ...placed, placedAt: someTime + 9, placedState: "failed" }
      yield* equal("after one that failed", yield* done({ change: "cancel", modifiedAt: null }, applied), tried)
      const cancelled = { ...tried, isCancelled: true }
      yield* equal("after a cancellation", yield* done({ change: "cancel", modifiedAt: someTime }, ignored), cancelled)
      yield* equal("after nothing", yield* done({ change: "cancel", modifiedAt: someTime + 7 }, applied), cancelled)
      yield* equal("after another", yield* done({}, waiting), { ...cancelled, cancelledAt: someTime + 7 })
      yield* equal("of another order", yield* done({ orderId: "2" }, waiting), nothingDone)
      yield* equal("of another source", yield* done({ source: "woocommerce" }, waiting), nothingDone)
    }),
  },
  {
    id: "inbox.apart",
    title: "MUST carry out changes of events of one order one after the other",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const both = yield* hosts
      const shop = yield* newShop
      const items = Array.from({ length: 6 }, (_, index) => makeInboxItem(shop, { modifiedAt: someTime + index }))
      for (const item of items) yield* both[0].put(item)
      let underWay = 0
      let most = 0
      const seen: Array<number | null> = []
      const change = (_: InboxItem, { placedAt }: OrderProgress) =>
        Effect.gen(function* () {
          underWay++
          most = Math.max(most, underWay)
          seen.push(placedAt)
          yield* Effect.sleep("5 millis")
          underWay--
          return applied
        })
      yield* Effect.forEach(items, ({ id }, index) => retrying((both[index % 2] ?? both[0]).apply(shop, id, change)), {
        concurrency: "unbounded",
      })
      yield* equal("the most under way", most, 1)
      yield* equal("how many have seen no other", seen.filter((placedAt) => placedAt === null).length, 1)
    }),
  },
  {
    id: "inbox.failing",
    title: "MUST fail with the failure of the change, and leave the event as it was",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const item = makeInboxItem(yield* newShop)
      yield* inbox.put(item)
      const failure = yield* Effect.flip(inbox.apply(item.shop, item.id, () => Effect.fail("given up")))
      yield* equal("the failure", failure, "given up")
      yield* equal("the event", Option.getOrUndefined(yield* other.find(item.shop, item.id)), entryOf(item))
      yield* equal("the next time", (yield* applying(other, item, applied)).given.length, 1)
    }),
  },
  {
    id: "inbox.atomic",
    ports: [ShopStore, TokenStore, Inbox],
    needs: ["transaction"],
    title: "MUST store a change together with its outcome: both, or neither if the change fails or is interrupted",
    requirements: ["D57", "D23"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const tokens = yield* TokenStore
      const item = makeInboxItem(yield* newShop)
      const { id, shop } = item
      yield* inbox.put(item)
      const token = makeToken(shop)
      const add = tokens.add(token, 100)
      yield* Effect.flip(inbox.apply(shop, id, () => Effect.andThen(add, Effect.fail("given up"))))
      yield* equal("after a failure", yield* tokens.list(shop), [])
      const added = yield* Deferred.make<void>()
      const hanging = Effect.andThen(add, Effect.andThen(Deferred.succeed(added, undefined), Effect.never))
      yield* Effect.raceFirst(
        inbox.apply(shop, id, () => hanging),
        Deferred.await(added),
      )
      yield* equal("after an interruption", yield* tokens.list(shop), [])
      yield* equal("the event", Option.getOrUndefined(yield* other.find(shop, id)), entryOf(item))
      yield* other.apply(shop, id, () => Effect.as(add, applied))
      yield* equal("after success", yield* tokens.list(shop), [token])
    }),
  },
  {
    id: "inbox.order",
    ports: [ShopStore, OrderStore, Inbox],
    title:
      "MUST store a done event with the order that it brings, and neither if an earlier event of its source is known",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const store = yield* OrderStore
      const [shop, beside] = [yield* newShop, yield* newShop]
      const bringing = (inboxItem: InboxItem) => store.commit(placing(inboxItem))
      const first = makeInboxItem(shop, applied)
      yield* bringing(first)
      yield* some("the order", yield* store.order(shop, "1"))
      yield* equal("the event", Option.getOrUndefined(yield* other.find(shop, first.id)), entryOf(first))
      yield* equal("applied again", (yield* applying(other, first, failed)).given, [])
      yield* equal("the same", yield* other.put(makeInboxItem(shop, { content: first.content })), entryOf(first))
      const waits = makeInboxItem(shop, { orderId: "2" })
      yield* inbox.put(waits)
      const { content, eventId } = first
      for (const fields of [{ orderId: "2" }, { orderId: "3", eventId }, { orderId: "3", content }]) {
        const item = makeInboxItem(shop, { ...applied, ...fields })
        yield* failsWith("the commit", "StaleRevision", bringing(item))
        yield* none("the order", yield* store.order(shop, fields.orderId))
        yield* none("the event", yield* inbox.find(shop, item.id))
      }
      const stale = makeInboxItem(shop, { ...applied, source: "woocommerce" })
      yield* failsWith("the commit of an order that is there", "StaleRevision", bringing(stale))
      yield* none("its event", yield* inbox.find(shop, stale.id))
      for (const apart of [
        makeInboxItem(shop, { ...applied, orderId: "2", source: "woocommerce", eventId, content }),
        makeInboxItem(beside, { ...applied, eventId, content }),
      ]) {
        yield* bringing(apart)
        yield* equal("apart", Option.getOrUndefined(yield* other.find(apart.shop, apart.id)), entryOf(apart))
      }
    }),
  },
  {
    id: "inbox.order.race",
    rounds: 5,
    ports: [ShopStore, OrderStore, Inbox],
    title: "MUST store one of many that are the same event at the same time, and its order only with it",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const both = yield* hosts
      const store = yield* OrderStore
      const shop = yield* newShop
      const { content } = makeInboxItem(shop)
      const placed = yield* Effect.forEach(
        Array.from({ length: 12 }),
        (_, index) => {
          const item = makeInboxItem(shop, { content, ...(index % 3 === 0 ? {} : applied) })
          if (index % 3 === 0) return Effect.as(retrying((both[index % 2] ?? both[0]).put(item)), false)
          return retrying(store.commit(placing(item))).pipe(
            Effect.as(true),
            Effect.catchTag("StaleRevision", () => Effect.succeed(false)),
          )
        },
        { concurrency: "unbounded" },
      )
      const stored = yield* both[0].list({ shop, state: null, after: null, limit: 100 })
      yield* equal("the number of events", stored.length, 1)
      const times = stored[0]?.state === "applied" ? 1 : 0
      yield* equal("how often the order was placed", placed.filter((is) => is).length, times)
      yield* equal("whether it is stored", Option.isSome(yield* store.order(shop, "1")), times === 1)
    }),
  },
  {
    id: "inbox.order.atomic",
    ports: [ShopStore, OrderStore, Inbox],
    needs: ["transaction"],
    title: "MUST store an order together with the outcome of the change that places it, and nothing if it is stale",
    requirements: ["D57", "D23"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const store = yield* OrderStore
      const shop = yield* newShop
      const [item, again] = [makeInboxItem(shop), makeInboxItem(shop)]
      for (const each of [item, again]) yield* inbox.put(each)
      const { inboxItem: _, ...change } = placing(item)
      const placed = yield* inbox.apply(shop, item.id, () => Effect.as(store.commit(change), applied))
      yield* equal("the outcome", Option.getOrUndefined(placed), entryOf(item, applied))
      yield* some("the order", yield* store.order(shop, "1"))
      const designs = [makeDesign(shop, "another"), ...change.designs]
      const stale = inbox.apply(shop, again.id, () => Effect.as(store.commit({ ...change, designs }), applied))
      yield* failsWith("a stale change", "StaleRevision", stale)
      yield* equal("its event", Option.getOrUndefined(yield* other.find(shop, again.id)), entryOf(again))
      yield* none("its design", yield* store.readDesign(shop, "another"))
    }),
  },
  {
    id: "inbox.list",
    title: "MUST list a shop's events newest first, by pages, all of them or those in one state",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const ids = ["inb_0A", "inb_0B", "inb_0Z", "inb_0a", "inb_1"]
      for (const id of ids) yield* inbox.put(makeInboxItem(shop, { id, ...(id < "inb_0Z" ? failed : {}) }))
      yield* inbox.put(makeInboxItem(yield* newShop, { id: "inb_0C" }))
      const list = (state: InboxEntry["state"] | null, after: string | null, limit: number, from?: string) =>
        Effect.map(other.list({ shop, state, after, limit, from }), (entries) => entries.map(({ id }) => id))
      yield* equal("all", yield* list(null, null, 100), ids.toReversed())
      yield* equal("a page", yield* list(null, null, 2), ["inb_1", "inb_0a"])
      yield* equal("the next page", yield* list(null, "inb_0a", 2), ["inb_0Z", "inb_0B"])
      yield* equal("from an id on", yield* list(null, "inb_1", 100, "inb_0Z"), ["inb_0a", "inb_0Z"])
      yield* equal("those that failed", yield* list("failed", null, 100), ["inb_0B", "inb_0A"])
      yield* equal("those that failed from an id on", yield* list("failed", null, 100, "inb_0AA"), ["inb_0B"])
      yield* equal("those that were applied", yield* list("applied", null, 100), [])
    }),
  },
  {
    id: "inbox.list.bytes",
    title: "MUST end a list before it has more bytes than it may, but never before its first event",
    requirements: ["D46", "D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const lengths = [10, 90_000, 30_000, 30_000, 30_000, 10]
      const ids = lengths.map((_, index) => `inb_${index}`)
      for (const [index, length] of lengths.entries()) {
        const fields = { ...failed, id: `inb_${index}`, reason: "x".repeat(length) }
        yield* inbox.put(makeInboxItem(shop, fields))
      }
      const newest = ids.toReversed()
      const list = (bytes: number, after: string | null, limit = 100) =>
        Effect.map(other.list({ shop, state: "failed", after, limit, bytes }), (entries) => entries.map(({ id }) => id))
      yield* equal("all that fit", yield* list(70_000, null), newest.slice(0, 3))
      yield* equal("the next ones", yield* list(70_000, "inb_3"), newest.slice(3, 4))
      yield* equal("one that is larger than the list", yield* list(70_000, "inb_2"), newest.slice(4, 5))
      yield* equal("the last", yield* list(70_000, "inb_1"), newest.slice(5))
      yield* equal("the first", yield* list(0, null), newest.slice(0, 1))
      yield* equal("fewer than fit", yield* list(70_000, null, 2), newest.slice(0, 2))
      yield* equal("all", yield* list(1_000_000, null), newest)
    }),
  },
  {
    id: "inbox.ready",
    ports: [ShopStore, OrderStore, Inbox],
    title: "MUST find waiting events once the design that they wait for exists, step by step",
    requirements: ["D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const designIds = [null, "a", "b", "a", null]
      const items = designIds.map((designId, index) => makeInboxItem(shop, { id: `inb_${index}`, designId }))
      for (const item of items) yield* inbox.put(item)
      yield* inbox.put(makeInboxItem(shop, { id: "inb_9", ...failed }))
      yield* equal("without designs", yield* readyOf(other, shop, 2), ["inb_0", "inb_4"])
      const designs = [makeDesign(shop, "a")]
      yield* (yield* OrderStore).commit({ shop, designs, order: null, events: [] })
      for (const limit of [1, 3, 100]) {
        yield* equal("with a design", yield* readyOf(other, shop, limit), ["inb_0", "inb_1", "inb_3", "inb_4"])
      }
      for (const item of items) yield* applying(inbox, item, applied)
      yield* equal("once they are done", yield* readyOf(other, shop, 100), [])
    }),
  },
  {
    id: "inbox.erase",
    title: "MUST drop the bodies of events about some orders, and ignore those that are not done",
    requirements: ["D43", "D57"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const erased = makeInboxItem(shop, { ...failed, source: "woocommerce" })
      const kept = [
        makeInboxItem(shop, { orderId: "2" }),
        makeInboxItem(shop, { orderId: null }),
        makeInboxItem(beside, {}),
        makeInboxItem(shop, applied),
      ]
      for (const item of [erased, ...kept]) yield* inbox.put(item)
      yield* other.erase(shop, ["1", "3"], "redacted")
      const outcome: InboxOutcome = { state: "ignored", reason: "redacted", designId: null }
      const again = yield* applying(inbox, erased, applied)
      yield* equal("the erased event", again, { entry: entryOf(erased, outcome), given: [] })
      for (const item of kept) {
        yield* equal("another", Option.getOrUndefined(yield* inbox.find(item.shop, item.id)), entryOf(item))
      }
    }),
  },
  {
    id: "inbox.prune",
    alone: true,
    ports: [ShopStore, Inbox, NoticeStore, Upkeep],
    title: "MUST drop events of days that have passed in upkeep, and no others, with one notice of those not applied",
    requirements: ["D33", "D42", "D57"],
    run: Effect.gen(function* () {
      const [inbox] = yield* hosts
      const upkeep = yield* Upkeep
      const notices = yield* NoticeStore
      const [shop, beside] = [yield* newShop, yield* newShop]
      const receivedAt = [day - 9, day - 8, day - 1, day, day + 5]
      const items = receivedAt.flatMap((receivedAt) =>
        [failed, applied, waiting, ignored].map((outcome, index) =>
          makeInboxItem(shop, { id: `inb_${9 - index}${receivedAt}`, receivedAt, ...outcome }),
        ),
      )
      for (const item of items) yield* inbox.put(item)
      yield* inbox.put(makeInboxItem(beside, { receivedAt: 1, ...applied }))
      const prune = Effect.fnUntraced(function* (eventsBefore: number, now: number) {
        let after: string | null = null
        do {
          after = yield* upkeep.prune({ keep: 1_000, eventsBefore, now, limit: 7, after })
        } while (after !== null)
        const left = yield* inbox.list({ shop, state: null, after: null, limit: 100 })
        return { left: left.length, told: yield* notices.list(shop, 100, now) }
      })
      yield* equal("within the first day", yield* prune(day - 1, 7), { left: 20, told: [] })
      const oldest = items[2]
      if (oldest === undefined) return
      const told = [droppedOf(6, entryOf(oldest), 8)]
      for (const now of [8, 9]) {
        yield* equal("within the second day", yield* prune(2 * day - 1, now), { left: 8, told })
      }
      const { left, told: later } = yield* prune(2 * day, 10)
      yield* equal("after the second day", [left, later.length, later[1]], [0, 2, told[0]])
      yield* equal("of a shop whose events were applied", yield* notices.list(beside, 100, 10), [])
    }),
  },
  {
    id: "inbox.shop",
    title: "MUST drop events with their shop",
    requirements: ["D43", "D57"],
    run: Effect.gen(function* () {
      const [inbox] = yield* hosts
      const shops = yield* ShopStore
      const item = makeInboxItem(yield* newShop)
      const { id, shop } = item
      const record = yield* some("the shop", yield* shops.find(shop))
      yield* inbox.put(item)
      while (!(yield* shops.remove({ shop, now: someTime, limit: 100 })));
      yield* shops.put(record)
      yield* none("the event", yield* inbox.find(shop, id))
      yield* equal("the next time", yield* inbox.put(item), entryOf(item))
    }),
  },
])
