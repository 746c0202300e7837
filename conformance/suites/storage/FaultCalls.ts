/** One prepared call of every method of every port, and the state that it could change. */

import { Effect, Result, type Scope } from "effect"
import { AuditStore } from "../../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../core/ports/EventStore.ts"
import { Inbox } from "../../../core/ports/Inbox.ts"
import { KeptAnswers } from "../../../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import {
  changing,
  pausing,
  promoting,
  resealing,
  rotating,
  turningOn,
} from "../../../core/rules/webhooks/EndpointUpdates.ts"
import { makeEntry, queryOf } from "./audit/Entries.ts"
import type { StoragePort, StorageSubjects } from "./StorageCase.ts"
import {
  everyOrder,
  makeDesign,
  makeInboxItem,
  makeOrder,
  makeOrdered,
  makePlatform,
  makeShop,
  makeToken,
  newShop,
  someTime,
  unique,
  wholePage,
} from "./support/Fixtures.ts"
import {
  advance,
  anyFinished,
  claimed,
  failure,
  firstDeliveryId,
  happen,
  hour,
  makeDelivery,
  makeEndpoint,
  newEndpoint,
  request,
  theHost,
} from "./support/Webhooks.ts"

/** Calls by method. Each can be repeated. */
export interface Calls {
  readonly calls: Readonly<Record<string, Effect.Effect<unknown, unknown>>>
  /** The state of the store. */
  readonly state: Effect.Effect<unknown, unknown>
}

interface PortCalls {
  /** Used in case ids. */
  readonly id: string
  readonly name: string
  readonly ports: ReadonlyArray<StoragePort>
  readonly make: Effect.Effect<Calls, unknown, StorageSubjects | Scope.Scope>
}

const shops = Effect.gen(function* () {
  const store = yield* ShopStore
  const shop = makeShop()
  yield* store.put(shop)
  const calls = {
    find: store.find(shop.id),
    isComplete: store.isComplete(shop.id),
    list: store.list({ search: shop.id, after: null, limit: 1 }),
    mark: store.mark(shop.id, someTime),
    put: store.put({ ...shop, domain: "new.example.com" }),
    remove: store.remove({ shop: shop.id, now: someTime, limit: 10 }),
  }
  return { calls, state: store.find(shop.id) }
})

const customizers = Effect.gen(function* () {
  const store = yield* CustomizerStore
  const description = {
    shop: yield* newShop,
    id: 1,
    title: "Ring",
    platformProductId: "gid://p/Product/1",
    assetBase: "",
  }
  const { shop } = description
  const published = { definition: "{}", digest: unique() }
  yield* store.put(description)
  yield* store.publish(shop, 1, published, someTime)
  const calls = {
    find: store.find(shop, 1),
    summary: store.summary(shop, 1),
    list: store.list({ shop, after: 0, limit: 10 }),
    versions: store.versions({ shop, id: 1, before: 9, limit: 10 }),
    definition: store.definition(shop, 1, 1),
    put: store.put({ ...description, title: "Mug" }),
    publish: store.publish(shop, 1, published, someTime),
  }
  return { calls, state: store.find(shop, 1) }
})

const orders = Effect.gen(function* () {
  const store = yield* OrderStore
  const shop = yield* newShop
  const order = makeOrder(shop, "1")
  // Each removal takes the next one.
  const drafts = Array.from({ length: 200 }, (_, index) => makeDesign(shop, `draft ${index}`))
  const left = drafts.values()
  yield* store.commit({ shop, designs: [makeOrdered(order, "a", 0), ...drafts], order, events: [] })
  const page = store.readOrders({ shop, ...wholePage })
  const added = Effect.suspend(() =>
    store.commit({ shop, designs: [makeDesign(shop, unique())], order: makeOrder(shop, unique()), events: [] }),
  )
  const calls = {
    commit: added,
    commitOrders: Effect.suspend(() =>
      store.commitOrders(shop, [{ designs: [], order: makeOrder(shop, unique()), events: [] }]),
    ),
    remove: Effect.suspend(() => store.remove({ shop, id: left.next().value?.id ?? "", revision: 1, events: [] })),
    unstoredOrder: store.unstoredOrder(shop, "2"),
    keepUnstored: store.keepUnstored({ shop, id: "2", isCancelled: true, isEmpty: false, until: someTime }, someTime),
    withdrawCancellation: Effect.suspend(() =>
      store.withdrawCancellation({ shop, id: "2", reason: "taken back", now: someTime, audit: makeEntry(shop) }),
    ),
    orderLines: store.orderLines(shop, "1"),
    linesOf: store.linesOf(shop, ["1", "2"]),
    existing: store.existing(shop, "orders", ["1"]),
    designs: store.designs(shop, ["a"]),
    order: store.order(shop, "1"),
    readDesign: store.readDesign(shop, "a"),
    existingDesigns: store.existing(shop, "designs", ["a"]),
    drafts: store.drafts({
      ...{ shop, customizer: 1, savedBefore: someTime, after: null, limit: 2, bytes: 1_000_000 },
    }),
    endedDrafts: store.endedDrafts({ savedBefore: someTime, after: null, limit: 2 }),
    readOrders: page,
    readDesigns: store.readDesigns({ shop, limit: 2, bytes: 1_000_000, after: null, createdFrom: null }),
    latestOrderedDesign: store.latestOrderedDesign(shop),
    search: store.search({ ...everyOrder, shop }),
    searchId: store.search({ ...everyOrder, shop, ids: ["1"] }),
  }
  const kept = Effect.map(
    store.designs(
      shop,
      drafts.map(({ id }) => id),
    ),
    (designs) => designs.length,
  )
  return { calls, state: Effect.all([page, kept]) }
})

const tokens = Effect.gen(function* () {
  const store = yield* TokenStore
  const token = makeToken(yield* newShop)
  const { id, shop } = token
  yield* store.add(token, 100)
  const calls = {
    add: Effect.suspend(() => store.add(makeToken(shop), 100)),
    list: store.list(shop),
    find: store.find(token.digest),
    touch: store.touch(shop, id, someTime + 1),
    revoke: store.revoke(shop, id),
  }
  return { calls, state: store.list(shop) }
})

const rates = Effect.gen(function* () {
  const store = yield* RateLimits
  const rate = { limit: 3, window: 60_000 }
  const taken = { shop: makeShop().id, tokenId: `tok_${unique()}`, now: someTime, rate }
  yield* store.take(taken)
  return { calls: { take: store.take(taken), peek: store.peek(taken) }, state: store.peek(taken) }
})

const endpoints = Effect.gen(function* () {
  const store = yield* EndpointStore
  const endpoint = yield* newEndpoint()
  const { id, shop } = endpoint
  const calls = {
    add: Effect.suspend(() => store.add(makeEndpoint(shop), 5)),
    list: store.list(shop),
    find: store.find(shop, id),
    update: store.update(shop, id, changing({ description: "other" })),
    rotate: store.update(shop, id, rotating({ secret: unique(), until: someTime + 1, now: someTime })),
    promote: store.update(shop, id, promoting(someTime)),
    pause: store.update(shop, id, pausing(someTime)),
    turnOn: store.update(shop, id, turningOn),
    remove: store.remove(shop, id),
  }
  return { calls, state: store.list(shop) }
})

const secrets = Effect.gen(function* () {
  const store = yield* EndpointStore
  const { id, shop } = yield* newEndpoint()
  const reseal = store.update(shop, id, (endpoint) => resealing(endpoint.secret, unique())(endpoint))
  return { calls: { all: store.all(null, 10), reseal }, state: store.find(shop, id) }
})

const queue = Effect.gen(function* () {
  const [store, log] = [yield* DeliveryQueue, yield* DeliveryLog]
  const endpoint = yield* newEndpoint()
  const { id, shop } = endpoint
  const events = yield* happen(shop, [0, 1])
  const [first, second] = [...(yield* claimed(yield* theHost, someTime + 5)).values()]
  const named = { newcomer: [], troubled: [], proven: [shop] }
  const walk = store.walk({ now: someTime, after: null, limit: 10 })
  const calls = {
    add: Effect.suspend(() => store.add(makeDelivery(events[0], endpoint), null)),
    recover: store.recover({ shop, endpointId: id, since: 0, now: someTime, run: unique(8) }),
    tryNow: store.tryNow({ shop, endpointId: id, id: firstDeliveryId(events[0], endpoint), now: someTime }),
    resend: Effect.suspend(() =>
      store.resend({
        ...{ shop, endpointId: id, filter: anyFinished(someTime + 10), after: null, limit: 10 },
        ...{ run: unique(22), now: someTime + 10 },
      }),
    ),
    claim: Effect.suspend(() => store.claim({ ...request({ now: someTime + 10 }), shops: named })),
    settle: store.settle(first === undefined ? [] : [failure(first)], advance),
    release: store.release(second === undefined ? [] : [second]),
    walk,
  }
  return { calls, state: Effect.all([log.list(shop, id, 10), walk]) }
})

const log = Effect.gen(function* () {
  const store = yield* DeliveryLog
  const { id, shop } = yield* newEndpoint()
  yield* happen(shop)
  const list = store.list(shop, id, 10)
  return {
    calls: {
      list,
      find: store.find(shop, id, "dlv_none"),
      activity: store.activity(shop, { from: 0, until: 3_600_000, step: 3_600_000 }),
      missed: store.missed(shop, id, 0),
      resendable: store.resendable(shop, id, anyFinished(someTime)),
    },
    state: list,
  }
})

const search = Effect.gen(function* () {
  const [store, events] = [yield* DeliveryLog, yield* EventStore]
  const { shop } = yield* newEndpoint()
  const [event] = yield* happen(shop)
  const part = { shop, after: null, limit: 10 }
  const page = store.page({ ...part, filter: {} })
  return {
    calls: {
      page,
      pending: store.page({ ...part, pending: {} }),
      ofEvents: store.page({ ...part, events: [event.id] }),
      find: store.find(shop, null, "dlv_none"),
      events: events.find({ shop, about: { event: event.id }, limit: 10 }),
      spellings: store.spellings({ shop, of: "event", id: event.id }),
    },
    state: page,
  }
})

const answers = Effect.gen(function* () {
  const store = yield* KeptAnswers
  const tokens = yield* TokenStore
  const shop = yield* newShop
  const once = Effect.suspend(() => {
    const request = { shop, key: unique(), request: "digest", now: someTime, until: someTime + hour, hasTexts: true }
    return store.once(request, Effect.as(tokens.add(makeToken(shop), 100), "the answer"))
  })
  yield* once
  return { calls: { once, eraseTexts: store.eraseTexts(shop) }, state: tokens.list(shop) }
})

const sessions = Effect.gen(function* () {
  const store = yield* SettingsSessions
  const shop = yield* newShop
  const standing = store.standing({ shop, owner: "an owner", session: "a session" })
  const until = someTime + hour
  const calls = {
    standing,
    spend: Effect.suspend(() => store.spend({ shop, id: unique(), until })),
    endAll: store.endAll({ shop, owner: "another", now: someTime, until }),
  }
  return { calls, state: standing }
})

const upkeep = Effect.gen(function* () {
  const store = yield* Upkeep
  const { shop } = yield* newEndpoint()
  yield* happen(shop)
  const calls = {
    time: store.time,
    probe: store.probe,
    prune: store.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 100, after: null }),
    purgeRemoved: store.purgeRemoved({ since: someTime, limit: 10 }),
    statistics: store.statistics(someTime),
    backlog: store.backlog(shop, someTime),
  }
  return { calls, state: store.statistics(someTime) }
})

const views = Effect.gen(function* () {
  const [shops, endpoints] = [yield* ShopStore, yield* EndpointStore]
  const { shop } = yield* newEndpoint()
  const withShop = endpoints.withShop(shop)
  return {
    calls: {
      withShop,
      list: shops.list({ search: shop, after: null, limit: 1 }),
      mark: shops.mark(shop, someTime),
    },
    state: withShop,
  }
})

const notices = Effect.gen(function* () {
  const store = yield* NoticeStore
  const { shop } = yield* newEndpoint()
  yield* happen(shop)
  const given = [...(yield* claimed(yield* theHost)).values()].map((claim) => failure(claim))
  yield* (yield* DeliveryQueue).settle(
    given.map((one) => ({ ...one, status: "failed", nextAttemptAt: null })),
    advance,
  )
  const claim = Effect.suspend(() =>
    store.claim({ now: someTime + hour, limit: 100, leaseUntil: someTime + 2 * hour, token: unique() }),
  )
  const [held] = yield* claim
  const calls = {
    list: store.list(shop, 10, someTime + hour),
    claim,
    settle: held === undefined ? Effect.void : store.settle(held, null),
  }
  return { calls, state: store.list(shop, 10, someTime + hour) }
})

const events = Effect.gen(function* () {
  const store = yield* EventStore
  const { shop } = yield* newEndpoint()
  const [event] = yield* happen(shop, [0], { body: JSON.stringify({ data: { design: { id: "a" } } }) })
  const find = store.ofDesigns({ shop, designIds: ["a"], after: null, limit: 10 })
  const feed = store.feed({ shop, after: null, kinds: ["design.ordered"], limit: 10, bytes: 1_000 })
  return { calls: { ofDesigns: find, feed, redact: store.redact(shop, [{ id: event.id, body: "{}" }]) }, state: find }
})

const audit = Effect.gen(function* () {
  const store = yield* AuditStore
  const shop = yield* newShop
  yield* store.add(makeEntry(shop))
  const list = store.list(queryOf(shop))
  return { calls: { add: Effect.suspend(() => store.add(makeEntry(shop))), list }, state: list }
})

const inbox = Effect.gen(function* () {
  const store = yield* Inbox
  const shop = yield* newShop
  const item = yield* store.put(makeInboxItem(shop))
  const calls = {
    put: Effect.suspend(() => store.put(makeInboxItem(shop))),
    apply: store.apply(shop, item.id, () => Effect.succeed({ state: "waiting", reason: null, designId: null })),
    find: store.find(shop, item.id),
    list: store.list({ shop, state: null, after: null, limit: 10 }),
    waiting: store.waiting({ after: null, limit: 10 }),
    ready: store.ready({ shop, after: null, limit: 10 }),
    size: store.size(shop),
    trouble: store.trouble(shop, someTime),
    raise: store.raise({ now: someTime, after: null, limit: 10 }),
    known: store.known(shop, "shopify", ["none"]),
    placed: store.placed({ shop, source: "shopify", after: null, limit: 10 }),
    erase: store.erase(shop, ["no order"], "redacted"),
    platforms: store.platforms({ shop }),
    updatePlatform: Effect.suspend(() =>
      store.updatePlatform(shop, "shopify", () => Result.succeed(makePlatform(shop))),
    ),
  }
  return { calls, state: calls.find }
})

const webhooks = [ShopStore, OrderStore, EndpointStore] as const

/** By port. */
export const callsOfPorts: ReadonlyArray<PortCalls> = [
  { id: "shops", name: "ShopStore", ports: [ShopStore], make: shops },
  { id: "customizers", name: "CustomizerStore", ports: [ShopStore, CustomizerStore], make: customizers },
  { id: "orders", name: "OrderStore", ports: [ShopStore, OrderStore], make: orders },
  { id: "tokens", name: "TokenStore", ports: [ShopStore, TokenStore], make: tokens },
  { id: "rates", name: "RateLimits", ports: [RateLimits], make: rates },
  { id: "endpoints", name: "EndpointStore", ports: [ShopStore, EndpointStore], make: endpoints },
  { id: "secrets", name: "sealed secrets", ports: [ShopStore, EndpointStore], make: secrets },
  { id: "queue", name: "DeliveryQueue", ports: [...webhooks, DeliveryQueue, DeliveryLog], make: queue },
  { id: "log", name: "DeliveryLog", ports: [...webhooks, DeliveryLog], make: log },
  { id: "search", name: "the searches", ports: [...webhooks, DeliveryLog, EventStore], make: search },
  { id: "upkeep", name: "Upkeep", ports: [...webhooks, Upkeep], make: upkeep },
  { id: "notices", name: "NoticeStore", ports: [...webhooks, DeliveryQueue, NoticeStore], make: notices },
  { id: "answers", name: "KeptAnswers", ports: [ShopStore, TokenStore, KeptAnswers], make: answers },
  { id: "inbox", name: "Inbox", ports: [ShopStore, Inbox], make: inbox },
  { id: "views", name: "views of shops", ports: [ShopStore, EndpointStore], make: views },
  { id: "sessions", name: "SettingsSessions", ports: [ShopStore, SettingsSessions], make: sessions },
  { id: "audit", name: "AuditStore", ports: [ShopStore, AuditStore], make: audit },
  { id: "events", name: "EventStore", ports: [...webhooks, EventStore], make: events },
]
