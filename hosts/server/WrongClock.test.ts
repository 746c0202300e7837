/** Hosts and workers on machines whose clocks are wrong (D33a). */
import { expect, it } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Layer, Logger } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { makeInboxItem } from "../../conformance/suites/storage/support/Fixtures.ts"
import {
  bodyOf,
  type Json,
  keptAlive,
  keyRing,
  manage,
  manageKey,
  newDesign,
  newOrder,
  newShop,
  pglite,
  postgres,
  read,
  sender,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { localPolicy } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import * as Worker from "../worker/index.ts"

const day = 86_400_000

/** The clock of a machine that was set wrong; the time passes as it does. */
const wrongClock = (state: { ahead: number }) =>
  Clock.clockWith((clock) => {
    const now = () => clock.currentTimeMillisUnsafe() + state.ahead
    return Effect.succeed<Clock.Clock>({
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration),
    })
  })

/** A worker on a machine whose clock is ahead, and its log. `cleared` completes once it has been through the store. */
const workerAhead = Effect.fnUntraced(function* (ports: Context.Context<StoragePorts>, ahead: number) {
  const cleared = yield* Deferred.make<void>()
  const upkeep = Context.get(ports, Upkeep)
  const seen = Upkeep.of({
    ...upkeep,
    prune: (step) =>
      Effect.tap(upkeep.prune(step), (after) => (after === null ? Deferred.succeed(cleared, undefined) : Effect.void)),
  })
  const log: Array<string> = []
  const logger = Logger.make(({ message }) => void log.push(String(message)))
  yield* Layer.build(
    Worker.layer({ keyRing, webhookPolicy: localPolicy }).pipe(
      Layer.provide(Layer.succeedContext(Context.add(ports, Upkeep, seen))),
      Layer.provideMerge(Logger.layer([logger])),
    ),
  ).pipe(Effect.provideService(Clock.Clock, yield* wrongClock({ ahead })))
  return { cleared: Deferred.await(cleared), log }
})

/** A request with a key, which makes a token. */
const tokenOnce = (send: ReturnType<typeof sender>, shop: string, more: Json = {}) =>
  send("POST", `/manage/v1/shops/${shop}/tokens`, {
    headers: {
      ...{ authorization: `Bearer ${manageKey}`, "content-type": "application/json" },
      "idempotency-key": "the same token",
    },
    body: JSON.stringify({ name: "ERP", ...more }),
  })

/** A shop with something of everything that ends some day. */
const shopWithAll = Effect.fnUntraced(function* (
  ports: Context.Context<StoragePorts>,
  send: ReturnType<typeof sender>,
) {
  const shop = yield* newShop(send)
  yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "pro" }))
  yield* newDesign(send, shop, "dsn_first")
  yield* newOrder(send, shop, "1001", ["dsn_first"])
  const expiresAt = new Date(Date.now() + 30 * day).toISOString()
  const made = yield* bodyOf(201, yield* tokenOnce(send, shop.id, { expiresAt }))
  // A cancellation that is kept for an order which may still come.
  yield* bodyOf(202, yield* manage(send, "POST", `/shops/${shop.id}/orders/2002/cancel`, {}))
  const now = Date.now()
  yield* Context.get(ports, Inbox).put(makeInboxItem(shop.id, { receivedAt: now - 20 * day }))
  yield* Context.get(ports, SettingsSessions).spend({ shop: shop.id, id: "link", until: now + day })
  return { ...shop, expiresAt, expiring: made["token"] as string, answer: made }
})

for (const kind of [postgres, pglite]) {
  it.live.each([40, 500, -40])(
    `A worker whose clock is %s days ahead MUST drop nothing, and sign by the store's time, on ${kind.name} (D33a)`,
    (days) =>
      Effect.gen(function* () {
        const { dump, ports: layer } = yield* kind.open
        const ports = yield* Layer.build(layer)
        const send = sender(yield* serve(ports, { webhookPolicy: localPolicy }), yield* keptAlive)
        const shop = yield* shopWithAll(ports, send)
        // Another worker has done everything that there is to do.
        yield* Effect.scoped(Effect.flatMap(workerAhead(ports, 0), ({ cleared }) => cleared))
        const before = yield* dump
        const { cleared, log } = yield* workerAhead(ports, days * day)
        yield* cleared
        expect(yield* dump).toBe(before)
        const direction = days > 0 ? "ahead of" : "behind"
        expect(log[0]).toMatch(new RegExp(`^This machine's clock is ${Math.abs(days) * 86_400} seconds ${direction}`))
        const receiver = yield* webhookReceiver(() => Effect.succeed(200))
        const events = ["design.ordered"]
        const endpoint = yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url: receiver.url("/a"), events })
        yield* bodyOf(201, endpoint)
        yield* newDesign(send, shop, "dsn_second")
        yield* newOrder(send, shop, "1002", ["dsn_second"])
        yield* receiver.until(() => receiver.requests.some(({ status }) => status === 200))
        const signedAt = Number(receiver.requests[0]?.headers["x-service-timestamp"]) * 1000
        expect(Math.abs(signedAt - Date.now())).toBeLessThan(day)
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    `A host whose clock is wrong MUST refuse nothing by it, and not be ready until it is right, on ${kind.name} (D33a)`,
    () =>
      Effect.gen(function* () {
        const { ports: layer } = yield* kind.open
        const ports = yield* Layer.build(layer)
        const agent = yield* keptAlive
        const right = sender(yield* serve(ports), agent)
        const shop = yield* shopWithAll(ports, right)
        const state = { ahead: 40 * day }
        const clock = yield* wrongClock(state)
        const wrong = sender(yield* Effect.provideService(serve(ports), Clock.Clock, clock), agent)
        expect((yield* wrong("GET", "/readyz")).status).toBe(503)
        expect((yield* wrong("GET", "/livez")).status).toBe(200)
        expect((yield* read(wrong, shop.expiring, "/customizers/101")).status).toBe(200)
        // The answer that was kept, not a second token.
        expect((yield* tokenOnce(wrong, shop.id, { expiresAt: shop.expiresAt })).json).toEqual(shop.answer)
        // Requests that are counted at a later time would count for as long.
        for (let request = 0; request < 60; request++) yield* read(wrong, shop.expiring, "/customizers/101")
        const { headers } = yield* read(right, shop.expiring, "/customizers/101")
        expect(Number(/t=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1])).toBeLessThanOrEqual(60)
        state.ahead = -61_000
        expect((yield* wrong("GET", "/readyz")).status).toBe(503)
        state.ahead = 30_000
        expect((yield* wrong("GET", "/readyz")).status).toBe(200)
      }).pipe(Effect.scoped),
  )
}
