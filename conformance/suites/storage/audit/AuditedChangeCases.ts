import { Effect } from "effect"
import type { AuditEntry, Audited } from "../../../../core/model/audit/AuditEntry.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import * as AuditRules from "../../../../core/rules/audit/AuditRules.ts"
import { changing, pausing, promoting, rotating, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, holds, some } from "../../Assertion.ts"
import { Cut, calling, onOtherHost, type StorageCase } from "../StorageCase.ts"
import { changed, makeDesign, makeShop, makeToken, newShop, retrying, someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  advance,
  alone,
  anyFinished,
  bothHosts,
  claimed,
  failure,
  happen,
  hour,
  makeDelivery,
  makeEndpoint,
  makeEvent,
  newEndpoint,
  settleAll,
  turnOf,
} from "../support/Webhooks.ts"
import { entriesOf, makeEntry, newOccasion, said } from "./Entries.ts"

const about = (endpoint: EndpointRecord) => ({ type: "endpoint" as const, id: endpoint.id })

/** The next entry of an endpoint. */
const audited = () => AuditRules.endpoint(newOccasion())

/** Fails if it is called. */
const never = (): never => {
  throw new Error("There is nothing before and nothing after")
}

/** The ids that the entries of a shop are about, in order. */
const subjectsOf = (shop: string) =>
  Effect.map(entriesOf(shop), (entries) => entries.map(({ subject }) => subject.id).toSorted())

/** The contract of the methods of other ports that store entries. */
export const auditedChangeCases: ReadonlyArray<StorageCase> = calling(
  ShopStore,
  EndpointStore,
  AuditStore,
)([
  {
    id: "audit.endpoints",
    title: "MUST store the entry of each change of an endpoint, from the endpoint before and after",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = [yield* EndpointStore, yield* onOtherHost(EndpointStore)] as const
      const [store] = both
      const endpoint = makeEndpoint(yield* newShop)
      const { id, shop } = endpoint
      const told: Array<readonly [EndpointRecord | null, EndpointRecord | null]> = []
      let at = someTime
      const seen: Audited<EndpointRecord> = (before, after) => {
        told.push([before, after])
        return makeEntry(shop, { at: at++, subject: about(endpoint), before: null, after: null })
      }
      const calls = [
        ["add", store.add(endpoint, 5, seen)],
        ["change", both[1].update(shop, id, changing({ description: "other" }), seen)],
        ["change the kinds", store.update(shop, id, changing({ kinds: ["design.created"] }), seen)],
        [
          "rotate",
          both[1].update(shop, id, rotating({ secret: unique(), until: someTime + hour, now: someTime }), seen),
        ],
        ["promote", store.update(shop, id, promoting(someTime), seen)],
        ["pause", both[1].update(shop, id, pausing(someTime), seen)],
        ["turn on", store.update(shop, id, turningOn, seen)],
        ["remove", both[1].remove(shop, id, seen)],
      ] as const
      let last: EndpointRecord | null = null
      for (const [index, [what, call]] of calls.entries()) {
        yield* call as Effect.Effect<unknown, unknown>
        const [before = null, after = null] = told.at(-1) ?? []
        yield* equal(`${what}: the endpoint before`, before, last)
        last = (yield* store.list(shop))[0] ?? null
        yield* equal(`${what}: the endpoint after`, after, last)
        yield* equal(`${what}: entries`, (yield* entriesOf(shop)).length, index + 1)
      }
    }),
  },
  {
    id: "audit.endpoints.none",
    title: "MUST store no entry for a change that is refused, that is of nothing, or that changes nothing",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const store = yield* EndpointStore
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      yield* equal("one too many", yield* store.add(makeEndpoint(shop), 1, audited()), false)
      yield* store.update(shop, "whe_none", changing({ description: "x" }), never)
      yield* store.update(shop, "whe_none", changing({ kinds: ["order.cancelled"] }), never)
      yield* store.update(shop, "whe_none", rotating({ secret: "s", until: 1, now: 0 }), never)
      yield* store.update(shop, "whe_none", promoting(someTime), never)
      yield* store.update(shop, "whe_none", pausing(someTime), never)
      yield* store.update(shop, "whe_none", turningOn, never)
      yield* store.remove(shop, "whe_none", never)
      yield* store.update(shop, id, changing({ description: endpoint.description, kinds: endpoint.kinds }), audited())
      yield* store.update(shop, id, promoting(someTime), AuditRules.promotion(newOccasion()))
      yield* store.update(shop, id, turningOn, AuditRules.enabling(newOccasion()))
      yield* store.update(shop, id, pausing(someTime))
      yield* store.update(shop, id, pausing(someTime + 1), AuditRules.pausing(newOccasion()))
      yield* equal("entries", yield* entriesOf(shop), [])
    }),
  },
  {
    id: "audit.endpoints.race",
    title: "MUST store entries of racing changes as if they were made one after the other",
    requirements: ["D59"],
    rounds: 3,
    run: Effect.gen(function* () {
      const both = [yield* EndpointStore, yield* onOtherHost(EndpointStore)] as const
      const endpoint = yield* newEndpoint({ description: "0" })
      const { id, shop } = endpoint
      yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => String(index + 1)),
        (description, index) => retrying(turnOf(both, index).update(shop, id, changing({ description }), audited())),
        { concurrency: "unbounded", discard: true },
      )
      const steps = new Map<unknown, unknown>()
      for (const { after, before } of yield* entriesOf(shop)) {
        steps.set(before?.["description"], after?.["description"])
      }
      yield* equal("different states before", steps.size, 12)
      let description: unknown = "0"
      for (let step = 0; step < 12; step++) description = steps.get(description)
      yield* equal("the last state after", description, (yield* both[0].list(shop))[0]?.description)
    }),
  },
  {
    id: "audit.tokens",
    ports: [ShopStore, TokenStore, AuditStore],
    title: "MUST store the entry of a token that is created or deleted, and none if neither happens",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = [yield* TokenStore, yield* onOtherHost(TokenStore)] as const
      const token = makeToken(yield* newShop, { name: "ERP" })
      const { id, shop } = token
      const subject = { type: "token" as const, id }
      const fields = { name: "ERP", hint: token.hint }
      const auditing = (at: number) => AuditRules.token(newOccasion(someTime + at))
      yield* equal("adding", yield* both[0].add(token, 1, auditing(0)), true)
      yield* equal("one too many", yield* both[1].add(makeToken(shop), 1, auditing(1)), false)
      yield* equal("one that is not there", yield* both[0].revoke(shop, "tok_none", never), false)
      yield* equal("revoking", yield* both[1].revoke(shop, id, auditing(2)), true)
      yield* equal("revoking again", yield* both[0].revoke(shop, id, never), false)
      yield* equal("entries", said(yield* entriesOf(shop)), [
        { action: "token.deleted", subject, before: fields, after: null },
        { action: "token.created", subject, before: null, after: fields },
      ])
    }),
  },
  {
    id: "audit.shops",
    ports: [ShopStore, AuditStore],
    title: "MUST store the entry of a shop that is created or changed, with the fields that changed",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = [yield* ShopStore, yield* onOtherHost(ShopStore)] as const
      const shop = makeShop({ plan: "free" })
      const auditing = (at: number) => AuditRules.shop(newOccasion(someTime + at))
      yield* both[0].put(shop, auditing(0))
      yield* both[1].put(shop, auditing(1))
      yield* both[1].put({ ...shop, plan: "pro", roundingStep: 5 }, auditing(2))
      const subject = { type: "shop" as const, id: shop.id }
      const { id: _, ...fields } = shop
      yield* equal("entries", said(yield* entriesOf(shop.id)), [
        {
          action: "shop.changed",
          subject,
          before: { plan: "free", roundingStep: 1 },
          after: { plan: "pro", roundingStep: 5 },
        },
        { action: "shop.created", subject, before: null, after: fields },
      ])
    }),
  },
  {
    id: "audit.shops.race",
    ports: [ShopStore, CustomizerStore, AuditStore],
    title: "MUST store one entry of a creation if calls that create the same thing race",
    requirements: ["D59"],
    rounds: 3,
    run: Effect.gen(function* () {
      const shops = [yield* ShopStore, yield* onOtherHost(ShopStore)] as const
      const customizers = [yield* CustomizerStore, yield* onOtherHost(CustomizerStore)] as const
      const shop = makeShop()
      const description = {
        shop: shop.id,
        id: 7,
        platformProductId: "gid://p/Product/1",
        assetBase: "https://a.example",
      }
      const racing = <E>(call: (index: number) => Effect.Effect<unknown, E>) =>
        Effect.forEach(Array.from({ length: 8 }).keys(), (index) => retrying(call(index)), {
          concurrency: "unbounded",
          discard: true,
        })
      yield* racing((index) =>
        turnOf(shops, index).put({ ...shop, domain: `d${index}.example` }, AuditRules.shop(newOccasion())),
      )
      yield* racing((index) =>
        turnOf(customizers, index).put(
          { ...description, title: `Ring ${index}` },
          AuditRules.customizer(newOccasion()),
        ),
      )
      const actions = (yield* entriesOf(shop.id)).map(({ action }) => action)
      const count = (action: AuditEntry["action"]) => actions.filter((each) => each === action).length
      yield* equal("created and changed shops", [count("shop.created"), count("shop.changed")], [1, 7])
      yield* equal("created and changed", [count("customizer.created"), count("customizer.changed")], [1, 7])
    }),
  },
  {
    id: "audit.customizers",
    ports: [ShopStore, CustomizerStore, AuditStore],
    title: "MUST store the entry of a customizer that is created, changed or published, with its versions",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = [yield* CustomizerStore, yield* onOtherHost(CustomizerStore)] as const
      const fields = { title: "Ring", platformProductId: "gid://p/Product/1", assetBase: "https://a.example" }
      const customizer = { shop: yield* newShop, id: 7, ...fields }
      const { id, shop } = customizer
      const put = (at: number) => AuditRules.customizer(newOccasion(someTime + at))
      const publish = (at: number) => AuditRules.publication(newOccasion(someTime + at))
      const definition = { definition: "{}", digest: unique() }
      yield* both[0].publish(shop, id, definition, someTime, never)
      yield* both[0].put(customizer, put(0))
      yield* both[1].put(customizer, put(1))
      yield* both[1].publish(shop, id, definition, someTime, publish(2))
      yield* both[0].put({ ...customizer, title: "Mug" }, put(3))
      yield* both[0].publish(shop, id, definition, someTime, publish(4))
      const subject = { type: "customizer" as const, id: "7" }
      yield* equal("entries", said(yield* entriesOf(shop)), [
        { action: "customizer.published", subject, before: { version: 1 }, after: { version: 2 } },
        { action: "customizer.changed", subject, before: { title: "Ring" }, after: { title: "Mug" } },
        { action: "customizer.published", subject, before: { version: null }, after: { version: 1 } },
        { action: "customizer.created", subject, before: null, after: fields },
      ])
    }),
  },
  {
    id: "audit.orders",
    ports: [ShopStore, OrderStore, AuditStore],
    title: "MUST store the entry of a change or a removal of designs with it, and none if it is stale",
    requirements: ["D59", "D43"],
    run: Effect.gen(function* () {
      const both = [yield* OrderStore, yield* onOtherHost(OrderStore)] as const
      const shop = yield* newShop
      const design = makeDesign(shop, "a")
      const entry = (at: number) => makeEntry(shop, { at: someTime + at, subject: { type: "design", id: "a" } })
      const [redacted, stale, removed] = [entry(0), entry(1), entry(2)]
      const change = (one: typeof design, audit?: AuditEntry) => ({
        shop,
        designs: [one],
        order: null,
        events: [],
        ...(audit === undefined ? {} : { audit }),
      })
      yield* both[0].commit(change(design))
      yield* equal("without an entry", yield* entriesOf(shop), [])
      yield* both[1].commit(change(changed(design), redacted))
      yield* Effect.flip(both[0].commit(change(changed(design), stale)))
      yield* Effect.flip(both[0].remove({ shop, id: "a", revision: 1, events: [], audit: stale }))
      yield* both[1].remove({ shop, id: "a", revision: 2, events: [], audit: removed })
      yield* equal("entries", yield* entriesOf(shop), [removed, redacted])
    }),
  },
  {
    id: "audit.transaction",
    ports: [ShopStore, TokenStore, EndpointStore, CustomizerStore, OrderStore, AuditStore],
    title: "MUST store entries within an outer transaction, and none if it is rolled back",
    requirements: ["D59"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const shops = yield* ShopStore
      const [tokens, endpoints, customizers, orders] = [
        yield* TokenStore,
        yield* EndpointStore,
        yield* CustomizerStore,
        yield* OrderStore,
      ]
      const shop = makeShop()
      yield* shops.put(shop)
      const transaction = yield* outerTransaction
      const description = { title: "Ring", platformProductId: "gid://p/Product/1", assetBase: "https://a.example" }
      const changes = Effect.suspend(() =>
        Effect.all([
          shops.put({ ...shop, domain: "new.example" }, AuditRules.shop(newOccasion())),
          tokens.add(makeToken(shop.id), 9, AuditRules.token(newOccasion())),
          endpoints.add(makeEndpoint(shop.id), 9, audited()),
          customizers.put({ shop: shop.id, id: 1, ...description }, AuditRules.customizer(newOccasion())),
          orders.commit({
            shop: shop.id,
            designs: [makeDesign(shop.id, unique())],
            order: null,
            events: [],
            audit: makeEntry(shop.id),
          }),
        ]),
      )
      yield* Effect.flip(transaction.run(Effect.andThen(changes, Effect.fail("given up"))))
      yield* equal("rolled back", yield* entriesOf(shop.id), [])
      yield* transaction.run(
        Effect.gen(function* () {
          yield* changes
          yield* equal("within it", (yield* entriesOf(shop.id)).length, 5)
        }),
      )
      yield* equal("committed", (yield* entriesOf(shop.id)).length, 5)
      const [endpoint] = yield* endpoints.list(shop.id)
      if (endpoint !== undefined) yield* endpoints.remove(shop.id, endpoint.id)
    }),
  },
  {
    id: "audit.cut",
    ports: [ShopStore, TokenStore, AuditStore],
    title: "MUST store both a change and its entry, or neither, if the store is cut at work",
    requirements: ["D59"],
    needs: ["faults"],
    alone: true,
    rounds: 5,
    run: Effect.gen(function* () {
      const cut = yield* some("Cut in the layer of the host", yield* Effect.serviceOption(Cut))
      const tokens = yield* TokenStore
      const shop = yield* newShop
      const add = Effect.suspend(() => tokens.add(makeToken(shop), 1_000, AuditRules.token(newOccasion())))
      yield* add
      yield* Effect.scoped(
        Effect.gen(function* () {
          const adding = Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(add), {
            concurrency: 4,
            discard: true,
          })
          yield* Effect.all([adding, Effect.andThen(add.pipe(Effect.exit), cut)], { concurrency: 2, discard: true })
        }),
      )
      const kept = yield* retrying(Effect.map(tokens.list(shop), (all) => all.map(({ id }) => id).toSorted()))
      yield* holds("some were kept", kept.length > 0)
      yield* equal("tokens with an entry", yield* subjectsOf(shop), kept)
    }),
  },
])

/** The same for the queue of deliveries, which all shops share. */
export const auditedDeliveryCases: ReadonlyArray<StorageCase> = alone(
  calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    DeliveryLog,
    AuditStore,
  )([
    {
      id: "audit.deliveries",
      title: "MUST store the entry of added and of recovered deliveries, and none if nothing is added",
      requirements: ["D59"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint({ kinds: ["design.ordered"] })
        const { id, shop } = endpoint
        yield* host.endpoints.update(shop, id, pausing(someTime))
        const [event] = yield* happen(shop)
        yield* host.endpoints.update(shop, id, turningOn)
        const entry = (at: number) => makeEntry(shop, { at: someTime + at, subject: about(endpoint) })
        const [refused, sent, recovered] = [entry(0), entry(1), entry(2)]
        const unknown = { ...makeDelivery(event, endpoint), eventId: "evt_none" }
        yield* equal("no event", yield* host.queue.add(unknown, null, refused), false)
        const recovery = { shop, endpointId: id, since: 0, now: someTime, run: unique(8) }
        const told: Array<number> = []
        const auditing = (added: number) => {
          told.push(added)
          return recovered
        }
        yield* equal("missed", yield* other.queue.recover({ ...recovery, audited: auditing }), 1)
        yield* equal("nothing else", yield* host.queue.recover({ ...recovery, audited: auditing }), 0)
        yield* equal("numbers", told, [1])
        yield* equal("again", yield* other.queue.add(makeDelivery(event, endpoint), null, sent), true)
        yield* equal("entries", yield* entriesOf(shop), [recovered, sent])
      }),
    },
    {
      id: "audit.repairs",
      title:
        "MUST store the entry of a delivery that is tried, and of a step that sends deliveries again, and no other",
      requirements: ["D59"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint()
        const { id: endpointId, shop } = endpoint
        const entry = (at: number) => makeEntry(shop, { at: someTime + at, subject: about(endpoint) })
        const [refused, tried, resent] = [entry(0), entry(1), entry(2)]
        const [waits, ended] = [makeEvent(shop), makeEvent(shop)]
        const [pending, failed] = [
          makeDelivery(waits, endpoint),
          makeDelivery(ended, endpoint, { status: "failed", nextAttemptAt: null }),
        ]
        yield* host.queue.add(pending, waits)
        const trial = { shop, endpointId, now: someTime }
        yield* equal("unknown", yield* host.queue.tryNow({ ...trial, id: "dlv_none", audit: refused }), "unknown")
        yield* equal("due", yield* other.queue.tryNow({ ...trial, id: pending.id, audit: tried }), "due")
        const told: Array<number> = []
        const auditing = (added: number) => {
          told.push(added)
          return resent
        }
        const filter = anyFinished(someTime + hour)
        const step = { shop, endpointId, filter, after: null, limit: 9, run: unique(22), now: someTime + hour }
        yield* host.queue.resend({ ...step, audited: auditing })
        yield* equal("nothing is finished", told, [])
        yield* host.queue.add(failed, ended)
        yield* equal("finished", yield* host.queue.tryNow({ ...trial, id: failed.id, audit: refused }), "finished")
        yield* other.queue.resend({ ...step, audited: auditing })
        yield* host.queue.resend({ ...step, audited: auditing })
        yield* equal("numbers", told, [1])
        yield* equal("entries", yield* entriesOf(shop), [resent, tried])
      }),
    },
    {
      id: "audit.service",
      title: "MUST store with settlements that an endpoint fails and that it is switched off, each once",
      requirements: ["D59", "D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const endpoint = yield* newEndpoint()
        yield* happen(
          endpoint.shop,
          Array.from({ length: 22 }, (_, index) => index - 100),
        )
        const claims = [...(yield* claimed(both[0])).values()]
        for (const [index, claim] of claims.entries()) {
          const settlement = failure(claim, someTime + index)
          yield* settleAll(turnOf(both, index), [settlement])
          yield* turnOf(both, index + 1).queue.settle([settlement], advance)
        }
        const entries = yield* entriesOf(endpoint.shop)
        yield* equal(
          "times",
          entries.map(({ at }) => at - someTime),
          [19, 9],
        )
        yield* equal(
          "actors",
          entries.map(({ actor }) => actor.type),
          ["service", "service"],
        )
        yield* equal("entries", said(entries), [
          {
            action: "endpoint.switched_off",
            subject: about(endpoint),
            before: { status: "active" },
            after: { status: "switched_off", consecutiveFailures: 20 },
          },
          { action: "endpoint.failing", subject: about(endpoint), before: null, after: { consecutiveFailures: 10 } },
        ])
      }),
    },
  ]),
)
