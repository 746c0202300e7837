import { Effect, Result } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { redacted } from "../../../../core/rules/orders/Redaction.ts"
import { equal, exactly, failsWith, none } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { changed, hostileIds, makeDesign, makeOrder, newShop, someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  alone,
  claimed,
  failure,
  firstDelivery,
  happen,
  hour,
  logOf,
  newEndpoint,
  settleAll,
  theHost,
} from "../support/Webhooks.ts"
import { bothHosts } from "./CommitCases.ts"

/** A committed draft. */
const draftOf = Effect.fnUntraced(function* (shop: string, id = "draft") {
  const draft = makeDesign(shop, id)
  yield* (yield* OrderStore).commit({ shop, designs: [draft], order: null, events: [] })
  return draft
})

const removal = (draft: { readonly shop: string; readonly id: string }, revision = 1) => ({
  shop: draft.shop,
  id: draft.id,
  revision,
  events: [],
})

const designCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.remove",
    title: "MUST remove a draft of any id on every host, once, and leave its id free and all other designs as they are",
    requirements: ["D9", "D43"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, other] = [yield* newShop, yield* newShop]
      const designs = hostileIds.map((id) => makeDesign(shop, id))
      yield* store.commit({ shop, designs, order: null, events: [] })
      yield* store.commit({ shop: other, designs: [makeDesign(other, "1001")], order: null, events: [] })
      for (const [index, draft] of designs.entries()) {
        yield* store.remove(removal(draft))
        for (const host of [store, otherStore]) yield* none(draft.id, yield* host.readDesign(shop, draft.id))
        if (index % 20 > 0) continue
        yield* failsWith("removing it again", "StaleRevision", otherStore.remove(removal(draft)))
        const left = (yield* otherStore.designs(shop, hostileIds)).map(({ id }) => id)
        yield* equal("the others", left.toSorted(), hostileIds.slice(index + 1).toSorted())
      }
      yield* equal("another shop's", (yield* store.designs(other, ["1001"])).length, 1)
      const again = makeDesign(shop, "1001")
      yield* otherStore.commit({ shop, designs: [again], order: null, events: [] })
      yield* equal("a new one with its id", yield* store.designs(shop, ["1001"]), [again])
    }),
  },
  {
    id: "resources.remove.stale",
    title:
      "MUST NOT remove a design that has another revision, e.g. because an order holds it meanwhile, and may be retried",
    requirements: ["D6", "D43"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const draft = yield* draftOf(shop)
      const order = makeOrder(shop, "1")
      const ordered = changed(draft, { status: "ordered", orderId: order.id })
      yield* otherStore.commit({ shop, designs: [ordered], order, events: [] })
      for (const wrong of [removal(draft, 1), removal(draft, 3), removal({ shop, id: "none" })]) {
        const stale = yield* Effect.flip(store.remove(wrong))
        yield* equal("the removal", [stale._tag, "canRetry" in stale && stale.canRetry], ["StaleRevision", true])
      }
      for (const host of [store, otherStore])
        yield* equal("the design", yield* host.designs(shop, [draft.id]), [ordered])
    }),
  },
  {
    id: "resources.remove.race",
    title: "MUST let exactly one of concurrent removals and changes of a draft succeed",
    requirements: ["D6", "D43"],
    rounds: 5,
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const draft = yield* draftOf(shop)
      const next = changed(draft)
      const save = otherStore.commit({ shop, designs: [next], order: null, events: [] })
      const calls = [store.remove(removal(draft)), save, otherStore.remove(removal(draft))]
      const results = yield* Effect.forEach(calls, (call) => Effect.result(call), { concurrency: "unbounded" })
      yield* exactly("how many succeed", 1, results.filter(Result.isSuccess))
      for (const result of results) {
        if (Result.isFailure(result)) yield* equal("the others' failure", result.failure._tag, "StaleRevision")
      }
      const isSaved = results[1] !== undefined && Result.isSuccess(results[1])
      yield* equal("what is left", yield* store.designs(shop, [draft.id]), isSaved ? [next] : [])
    }),
  },
  {
    id: "resources.remove.transaction",
    title:
      "MUST be part of an outer transaction: seen elsewhere after its end, undone with it, and not retryable if stale",
    requirements: ["D23", "D43"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const draft = yield* draftOf(shop)
      const undone = Effect.andThen(store.remove(removal(draft)), Effect.fail("given up"))
      yield* equal("the failure", yield* Effect.flip(transaction.run(undone)), "given up")
      yield* equal("after it was undone", yield* store.designs(shop, [draft.id]), [draft])
      yield* transaction.run(
        Effect.gen(function* () {
          const stale = yield* Effect.flip(store.remove(removal(draft, 2)))
          yield* equal("a stale one", [stale._tag, "canRetry" in stale && stale.canRetry], ["StaleRevision", false])
          yield* store.remove(removal(draft))
          yield* equal("inside", yield* store.designs(shop, [draft.id]), [])
          yield* equal("elsewhere", yield* otherStore.designs(shop, [draft.id]), [draft])
        }),
      )
      yield* equal("afterwards", yield* otherStore.designs(shop, [draft.id]), [])
    }),
  },
])

const eventCases = alone(
  calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    DeliveryLog,
    EventStore,
  )([
    {
      id: "resources.remove.events",
      title: "MUST replace bodies and responses of events with the removal, and of none without it",
      requirements: ["D39", "D43"],
      run: Effect.gen(function* () {
        const [store, otherStore] = yield* bothHosts
        const feed = yield* onOtherHost(EventStore)
        const host = yield* theHost
        const endpoint = yield* newEndpoint()
        const { shop } = endpoint
        const draft = yield* draftOf(shop)
        const [event, beside] = yield* happen(shop, [0, 1])
        const claims = [...(yield* claimed(host, someTime + 1)).values()]
        yield* settleAll(
          host,
          claims.map((claim) => failure(claim)),
        )
        const seen = Effect.gen(function* () {
          const query = { shop, after: null, kinds: [event.event], limit: 10, bytes: 10_000 } as const
          const attempts = (yield* logOf(host, endpoint)).flatMap(({ attempts }) => attempts)
          return [(yield* feed.feed(query as never)).bodies, attempts.map(({ responseStart }) => responseStart)]
        })
        const before = yield* seen
        const events = [
          { id: event.id, body: "{}" },
          { id: "evt_gone", body: "{}" },
        ]
        yield* failsWith("stale", "StaleRevision", otherStore.remove({ ...removal(draft, 2), events }))
        yield* equal("after a stale removal", yield* seen, before)
        yield* store.remove({ ...removal(draft), events })
        yield* equal("bodies, and responses, newest first", yield* seen, [
          ["{}", beside.body],
          ["no", redacted],
        ])
        const later = yield* claimed(host, someTime + hour)
        yield* equal("the body sent afterwards", later.get(firstDelivery(event, endpoint).id)?.body, "{}")
      }),
    },
  ]),
)

/** The contract of `OrderStore.remove`. */
export const removeDesignCases = [...designCases, ...eventCases]
