/** Helpers of delivery cases: endpoints, and reading a delivery. */
import { createHmac } from "node:crypto"
import { Clock, Effect } from "effect"
import { equal, holds } from "../Assertion.ts"
import { hasKeys, isTimestamp, jsonOf, objectOf, textOf } from "./Asking.ts"
import type { OwnShop } from "./Filling.ts"
import type { OpenReceiver, Received, Reply } from "./Receiver.ts"
import { Driver, Receivers } from "./ServiceCase.ts"

/** An endpoint whose deliveries the case receives. */
export interface Hook extends OpenReceiver {
  readonly id: string
  readonly secret: string
}

/** Adds an endpoint to a shop. */
export const addHook = Effect.fnUntraced(function* (
  shop: OwnShop,
  { events, reply }: { readonly events?: ReadonlyArray<string>; readonly reply?: (index: number) => Reply } = {},
) {
  const receiver = yield* (yield* Receivers).open(reply)
  const input = { url: receiver.url, ...(events === undefined ? {} : { events }) }
  const endpoint = yield* (yield* Driver).createEndpoint({ shop: shop.id, input })
  const hook: Hook = { ...receiver, ...endpoint }
  return hook
})

/** A delivery whose headers, signature with this secret (§5, §6) and envelope (§2.5) were checked. */
export const delivery = Effect.fnUntraced(function* (secret: string, received: Received) {
  const { body, headers, headerNames, method, text } = received
  const envelope = yield* jsonOf("the body", text)
  const keys = ["id", "event", "apiVersion", "createdAt", "shop", "data", "test"]
  yield* hasKeys("the envelope", envelope, keys)
  const event = yield* textOf("event", envelope["event"])
  const id = yield* textOf("id", envelope["id"])
  yield* holds(`the event's id has the form evt_<id>: ${id}`, /^evt_.+$/.test(id))
  yield* equal("apiVersion", envelope["apiVersion"], "2026-10")
  yield* isTimestamp("createdAt", envelope["createdAt"])
  yield* equal("method", method, "POST")
  yield* equal("Content-Type", headers["content-type"], "application/json")
  const agent = headers["user-agent"] ?? "(none)"
  yield* holds(`User-Agent has the form <name>-Webhooks/1.0: ${agent}`, /^[^\s/]+-Webhooks\/1\.0$/.test(agent))
  yield* equal("X-Service-Event", headers["x-service-event"], event)
  const deliveryId = headers["x-service-delivery"] ?? ""
  yield* holds(`X-Service-Delivery is a delivery's id: ${deliveryId}`, deliveryId !== "")
  const timestamp = headers["x-service-timestamp"] ?? ""
  yield* holds(`X-Service-Timestamp is whole seconds: ${timestamp}`, /^[1-9]\d*$/.test(timestamp))
  const apart = Math.abs(Number(timestamp) * 1_000 - received.at)
  yield* holds(`X-Service-Timestamp is the time of the attempt: ${apart} ms from it`, apart <= 300_000)
  const signature = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")
  yield* equal("X-Service-Signature", headers["x-service-signature"], signature)
  // Not in the message: what failed is that it was shown.
  const key = secret.replace(/^whsec_/, "")
  const shown = Object.entries({ ...headers, "body of the delivery": text }).find(([_, value]) => value?.includes(key))
  yield* holds(`${shown?.[0] ?? "no header"} does not hold the signing secret`, shown === undefined)
  for (const name of ["X-Service-Event", "X-Service-Delivery", "X-Service-Timestamp", "X-Service-Signature"]) {
    yield* holds(`${name} is written so: ${headerNames.join(", ")}`, headerNames.includes(name))
  }
  const data = yield* objectOf("data", envelope["data"])
  return { id, event, deliveryId, data, envelope, text, timestamp: Number(timestamp) }
})

/** Waits for this many deliveries, and checks each. */
export const deliveries = Effect.fnUntraced(function* (hook: Hook, count: number) {
  const received = yield* hook.until(count)
  return yield* Effect.forEach(received, (each) => delivery(hook.secret, each))
})

/** Waits long enough for all deliveries to arrive, and expects this many. */
export const nothingMore = Effect.fnUntraced(function* (hook: Hook, count: number) {
  const { schedule } = yield* Receivers
  yield* Effect.sleep(Math.max(1_000, ...schedule.map((wait) => wait * 2)))
  yield* equal("deliveries at the end", hook.received.length, count)
})

/**
 * The log of an endpoint once it has settled, because it shows a received delivery a moment later. Both the statuses of
 * its deliveries and the number of their attempts can say that it has.
 */
export const logUntil = Effect.fnUntraced(function* (
  shop: OwnShop,
  hook: Hook,
  settled: (statuses: ReadonlyArray<string>, attempts: number) => boolean,
) {
  const driver = yield* Driver
  const began = yield* Clock.currentTimeMillis
  for (;;) {
    const log = yield* driver.deliveries({ shop: shop.id, endpoint: hook.id })
    const late = (yield* Clock.currentTimeMillis) - began > 20_000
    const attempts = log.reduce((sum, delivery) => sum + delivery.attempts.length, 0)
    const statuses = log.map(({ status }) => status)
    if (settled(statuses, attempts) || late) return log
    yield* Effect.sleep("50 millis")
  }
})
