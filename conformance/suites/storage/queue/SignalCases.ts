import { Effect, Option, Queue } from "effect"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { DeliverySignal, type Signal } from "../../../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, some } from "../../Assertion.ts"
import { calling, type ListedCase, type StorageCase } from "../StorageCase.ts"
import { someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  addTest,
  advance,
  alone,
  anyFinished,
  bothHosts,
  createEndpoint,
  failure,
  type Host,
  happen,
  makeDelivery,
  makeEvent,
  newEndpoint,
  newWebhookShop,
  request,
  success,
  switchedOff,
} from "../support/Webhooks.ts"

/** Expects a worker to be signalled within a few seconds. */
const isTold = (worker: Queue.Dequeue<Signal>) =>
  Queue.take(worker).pipe(
    Effect.timeoutOption("5 seconds"),
    Effect.flatMap((told) => some("the signal", told)),
  )

/** Expects a delivery that a host can claim, and returns its shop. */
const isThere = (host: Host) =>
  Effect.flatMap(host.queue.claim(request()), ([claim]) =>
    Effect.map(some("a delivery to claim", Option.fromUndefinedOr(claim)), ({ shop }) => shop),
  )

/** Expects a worker to be signalled within a few seconds that a shop has something to claim. */
const isToldOf = (worker: Queue.Dequeue<Signal>, shop: string) =>
  Queue.take(worker).pipe(
    Effect.repeat({ until: (told) => told === null || told.includes(shop) }),
    Effect.timeoutOption("5 seconds"),
    Effect.flatMap((told) => some("a signal that names the shop", told)),
  )

/** Takes pending signals: there may be spurious ones. */
const drain = (worker: Queue.Dequeue<Signal>) => Effect.repeat(Queue.poll(worker), { while: Option.isSome })

/** A cause of a signal: a prepared effect that leaves something to claim. */
const changes: ReadonlyArray<{
  readonly name: string
  readonly title: string
  readonly requirements: ReadonlyArray<string>
  /** Whether preparing it signals too. */
  readonly told?: boolean
  readonly ready: (
    host: Host,
  ) => Effect.Effect<Effect.Effect<unknown, unknown>, unknown, Effect.Services<StorageCase["run"]>>
}> = [
  {
    name: "commit",
    title: "an event with deliveries is committed",
    requirements: ["D23"],
    ready: (host) =>
      Effect.map(newEndpoint(), ({ shop }) =>
        host.orders.commit({ shop, designs: [], order: null, events: [makeEvent(shop)] }),
      ),
  },
  {
    name: "add",
    title: "a redelivery is added",
    requirements: ["D29"],
    ready: Effect.fnUntraced(function* (host: Host) {
      const endpoint = yield* newEndpoint({ kinds: ["design.created"] })
      const [event] = yield* happen(endpoint.shop)
      return event === undefined ? Effect.void : host.queue.add(makeDelivery(event, endpoint), null)
    }),
  },
  {
    name: "test",
    title: "a test of an endpoint that is switched off is added",
    requirements: ["D30"],
    ready: Effect.fnUntraced(function* (host: Host) {
      const endpoint = yield* newEndpoint(switchedOff)
      const event = makeEvent(endpoint.shop, { event: "ping", test: true })
      return host.queue.add(makeDelivery(event, endpoint), event)
    }),
  },
  {
    name: "recover",
    title: "deliveries are recovered",
    requirements: ["D28"],
    ready: Effect.fnUntraced(function* (host: Host) {
      const { id, shop } = yield* newEndpoint({ kinds: ["design.created"] })
      yield* happen(shop, [0], { event: "design.ordered" })
      yield* host.endpoints.update(shop, id, changing({ kinds: ["design.ordered"] }))
      return host.queue.recover({ shop, endpointId: id, since: 0, now: someTime, run: unique(8) })
    }),
  },
  {
    name: "try",
    title: "a delivery that waits for a retry is tried",
    requirements: ["D25"],
    told: true,
    ready: Effect.fnUntraced(function* (host: Host) {
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop)
      const [claim] = yield* host.queue.claim(request())
      if (claim === undefined) return Effect.void
      yield* host.queue.settle([failure(claim)], advance)
      const { deliveryId, endpointId, shop } = claim
      return host.queue.tryNow({ shop, endpointId, id: deliveryId, now: someTime })
    }),
  },
  {
    name: "resend",
    title: "deliveries are sent again",
    requirements: ["D29"],
    told: true,
    ready: Effect.fnUntraced(function* (host: Host) {
      const { id, shop } = yield* newEndpoint()
      yield* happen(shop, [-1])
      yield* host.queue.settle(
        (yield* host.queue.claim(request())).map((claim) => success(claim)),
        advance,
      )
      const step = { shop, endpointId: id, filter: anyFinished(someTime), after: null, limit: 10, now: someTime }
      return host.queue.resend({ ...step, run: unique(22) })
    }),
  },
  {
    name: "turn-on",
    title: "an endpoint is turned on",
    requirements: ["D28"],
    told: true,
    ready: Effect.fnUntraced(function* (host: Host) {
      const endpoint = yield* newEndpoint(switchedOff)
      const event = makeEvent(endpoint.shop)
      yield* host.queue.add(makeDelivery(event, endpoint), event)
      return host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
    }),
  },
  {
    name: "plan",
    title: "a shop with something pending leaves the plan free",
    requirements: ["D8"],
    told: true,
    ready: Effect.fnUntraced(function* (host: Host) {
      const shop = yield* newWebhookShop()
      yield* createEndpoint(shop.id)
      yield* happen(shop.id)
      yield* host.shops.put({ ...shop, plan: "free" })
      return host.shops.put(shop)
    }),
  },
]

/** The contract of stores for signals. */
const changeCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliverySignal,
)([
  ...changes.flatMap(
    ({ name, ready, requirements, title, told = false }): ReadonlyArray<ListedCase> => [
      {
        id: `signals.${name}.here`,
        title: `MUST signal every worker of this host when ${title}, with something to claim already`,
        requirements,
        run: Effect.gen(function* () {
          const [host] = yield* bothHosts
          const workers = [yield* host.signal.subscribe, yield* host.signal.subscribe]
          const change = yield* ready(host)
          for (const worker of workers)
            yield* Effect.andThen(told ? Effect.asVoid(isTold(worker)) : Effect.void, drain(worker))
          yield* change
          const shop = yield* isThere(host)
          for (const worker of workers) yield* isToldOf(worker, shop)
        }),
      },
      {
        id: `signals.${name}.elsewhere`,
        title: `MUST signal the workers of the other hosts when ${title}`,
        requirements,
        needs: ["notify"],
        run: Effect.gen(function* () {
          const [host, other] = yield* bothHosts
          const worker = yield* other.signal.subscribe
          const change = yield* ready(host)
          yield* Effect.andThen(told ? Effect.asVoid(isTold(worker)) : Effect.void, drain(worker))
          yield* change
          yield* isToldOf(worker, yield* isThere(other))
        }),
      },
    ],
  ),
  {
    id: "signals.wake.elsewhere",
    title: "MUST wake the workers of the other hosts",
    requirements: ["D27"],
    needs: ["notify"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const worker = yield* other.signal.subscribe
      yield* drain(worker)
      yield* host.signal.wake
      yield* isTold(worker)
    }),
  },
  {
    id: "signals.elsewhere.each",
    title:
      "MUST signal the workers of the other hosts soon after each commit, without waiting for the next commit or poll",
    requirements: ["D23", "D27"],
    needs: ["notify"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const worker = yield* other.signal.subscribe
      const { shop } = yield* newEndpoint()
      // All within the time allowed for one: a poll every second would find five.
      const told = Effect.gen(function* () {
        for (let number = 1; number <= 20; number++) {
          // Some follow one another closely, others come alone.
          if (number % 2 === 0) yield* Effect.sleep("30 millis")
          yield* drain(worker)
          yield* host.orders.commit({ shop, designs: [], order: null, events: [makeEvent(shop)] })
          yield* Queue.take(worker)
        }
      })
      yield* some("a signal for each of 20 commits", yield* Effect.timeoutOption(told, "5 seconds"))
    }),
  },
  {
    id: "signals.transaction",
    title: "MUST signal workers after the outer transaction of the deliveries has ended",
    requirements: ["D23"],
    needs: ["transaction", "notify"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const transaction = yield* outerTransaction
      const endpoint = yield* newEndpoint()
      const worker = yield* host.signal.subscribe
      yield* drain(worker)
      const commit = Effect.gen(function* () {
        const events = [makeEvent(endpoint.shop)]
        yield* (yield* OrderStore).commit({ shop: endpoint.shop, designs: [], order: null, events })
        // A worker that claims now finds nothing: it must be signalled again.
        yield* drain(worker)
      })
      yield* transaction.run(commit)
      yield* isTold(worker)
      yield* isThere(host)
      yield* drain(worker)
      yield* transaction.run(Effect.andThen(addTest(endpoint), drain(worker)))
      yield* isTold(worker)
    }),
  },
  {
    id: "signals.without-notify",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue],
    title: "MUST let workers of the other hosts find deliveries on their next walk",
    requirements: ["D27"],
    without: "notify",
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* equal("before anything waits", yield* other.queue.claim(request()), [])
      yield* host.orders.commit({ shop: endpoint.shop, designs: [], order: null, events: [makeEvent(endpoint.shop)] })
      yield* isThere(other)
    }),
  },
])

/** The contract of `DeliverySignal` alone. */
const wakeCases = calling(DeliverySignal)([
  {
    id: "signals.wake",
    title: "MUST wake every listening worker of this host, and have it walk over all shops",
    requirements: ["D27"],
    alone: true,
    run: Effect.gen(function* () {
      const signal = yield* DeliverySignal
      const workers = [yield* signal.subscribe, yield* signal.subscribe]
      for (const _ of [1, 2]) {
        yield* signal.wake
        for (const worker of workers) yield* equal("the signal", yield* isTold(worker), null)
      }
    }),
  },
  {
    id: "signals.wake.later",
    title: "MUST signal a worker from the time it starts listening, and continue when another stops",
    requirements: ["D27"],
    alone: true,
    run: Effect.gen(function* () {
      const signal = yield* DeliverySignal
      yield* signal.wake
      const stays = yield* signal.subscribe
      yield* equal("a signal from before", yield* Queue.poll(stays), Option.none())
      yield* Effect.scoped(Effect.flatMap(signal.subscribe, (goes) => Effect.andThen(signal.wake, isTold(goes))))
      yield* drain(stays)
      yield* signal.wake
      yield* isTold(stays)
    }),
  },
])

/** The contract of `DeliverySignal` and the stores for signals. */
export const signalCases: ReadonlyArray<StorageCase> = [...alone(changeCases), ...wakeCases]
