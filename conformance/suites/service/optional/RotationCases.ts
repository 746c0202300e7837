import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import { Effect } from "effect"
import { equal, holds } from "../../Assertion.ts"
import { isRefused, newShop, type OwnShop, sell } from "../Filling.ts"
import { addHook, deliveries, delivery, type Hook } from "../Hooks.ts"
import type { Received } from "../Receiver.ts"
import { Driver, receiving } from "../ServiceCase.ts"

const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"]

/** The next delivery to an endpoint, of a new order, checked with this secret. */
const next = Effect.fnUntraced(function* (shop: OwnShop, hook: Hook, secret: string) {
  const count = hook.received.length
  yield* sell(shop, `o-${count}`, [`d-${count}`])
  return yield* nth(hook, count, secret)
})

/** The delivery of this index, counted from 0, checked with this secret. */
const nth = Effect.fnUntraced(function* (hook: Hook, index: number, secret: string) {
  const received = (yield* hook.until(index + 1))[index] as Received
  return { received, ...(yield* delivery(secret, received)) }
})

/** Rotates the secret of an endpoint and returns the new one. */
const rotate = Effect.fnUntraced(function* (shop: OwnShop, hook: Hook, overlap?: number) {
  const given = { shop: shop.id, endpoint: hook.id, ...(overlap === undefined ? {} : { overlap }) }
  const { secret } = yield* (yield* Driver).rotate(given)
  yield* holds(`the new secret has the form: ${secret.slice(0, 6)}…`, /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret))
  yield* holds("it differs from the old one", secret !== hook.secret)
  return secret
})

/** Expects the headers of Standard Webhooks, signed once with each of these secrets, in any order. */
const isStandard = Effect.fnUntraced(function* (
  { id, received }: { readonly id: string; readonly received: Received },
  secrets: ReadonlyArray<string>,
) {
  const { at, body, headers } = received
  yield* equal("webhook-id", headers["webhook-id"], id)
  const timestamp = headers["webhook-timestamp"] ?? ""
  yield* holds(`webhook-timestamp is whole seconds: ${timestamp}`, /^[1-9]\d*$/.test(timestamp))
  const apart = Math.abs(Number(timestamp) * 1_000 - at)
  yield* holds(`webhook-timestamp is the time of the attempt: ${apart} ms from it`, apart <= 300_000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`
  })
  const sent = (headers["webhook-signature"] ?? "").split(" ")
  yield* equal("the signatures of webhook-signature", sent.toSorted(), signatures.toSorted())
})

const isPlain = ({ received }: { readonly received: Received }) =>
  equal(
    "headers of Standard Webhooks",
    standardHeaders.filter((name) => received.headers[name] !== undefined),
    [],
  )

/** Turns the headers of Standard Webhooks on or off. */
const askFor = Effect.fnUntraced(function* (shop: OwnShop, hook: Hook, enabled: boolean) {
  yield* (yield* Driver).standardWebhooks({ shop: shop.id, endpoint: hook.id, enabled })
})

/**
 * Rotation of signing secrets (D40) and the headers of Standard Webhooks (D41), which the specification does not
 * require: a service may lack them.
 */
export const rotationCases = receiving([
  {
    id: "rotation.none",
    title: "MUST sign all deliveries of an endpoint with its one secret if there is no rotation",
    requirements: ["§5-6", "§5-7"],
    without: "rotation",
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const [one, two] = [yield* addHook(shop), yield* addHook(shop)]
      for (const order of ["1", "2"]) yield* sell(shop, order, [`d-${order}`])
      for (const hook of [one, two]) yield* deliveries(hook, 2)
    }),
  },
  {
    id: "rotation.promote",
    title: "MUST sign with the old secret until the new one is promoted, and then only with the new one",
    requirements: ["D40", "§5-7"],
    needs: ["rotation"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const [hook, other] = [yield* addHook(shop), yield* addHook(shop)]
      yield* next(shop, hook, hook.secret)
      const secret = yield* rotate(shop, hook)
      yield* next(shop, hook, hook.secret)
      yield* driver.promote({ shop: shop.id, endpoint: hook.id })
      yield* next(shop, hook, secret)
      // The other endpoint keeps its secret.
      yield* deliveries(other, 3)
    }),
  },
  {
    id: "rotation.overlap",
    title: "MUST sign with the new secret once the overlap is over",
    requirements: ["D40"],
    needs: ["rotation"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      const secret = yield* rotate(shop, hook, 1)
      yield* Effect.sleep("1500 millis")
      yield* next(shop, hook, secret)
    }),
  },
  {
    id: "rotation.at-once",
    title: "MUST replace a secret at once with an overlap of 0, even for redeliveries",
    requirements: ["D40", "D24"],
    needs: ["rotation"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      const first = yield* next(shop, hook, hook.secret)
      const secret = yield* rotate(shop, hook, 0)
      yield* next(shop, hook, secret)
      yield* driver.redeliver({ shop: shop.id, endpoint: hook.id, delivery: first.deliveryId })
      yield* equal("the redelivered event", (yield* nth(hook, 2, secret)).id, first.id)
    }),
  },
  {
    id: "rotation.refused",
    title: "MUST refuse an overlap below 0 or above 7 days, and change nothing",
    requirements: ["D40"],
    needs: ["rotation"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      for (const overlap of [-1, 7 * 86_400 + 1]) {
        yield* isRefused(`an overlap of ${overlap}`, driver.rotate({ shop: shop.id, endpoint: hook.id, overlap }))
      }
      yield* next(shop, hook, hook.secret)
      yield* rotate(shop, hook, 7 * 86_400)
    }),
  },
  {
    id: "standard.default",
    title: "MUST send no headers of Standard Webhooks to an endpoint that has not requested them",
    requirements: ["D41"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* isPlain(yield* next(shop, hook, hook.secret))
    }),
  },
  {
    id: "standard.headers",
    title: "MUST also send the headers of Standard Webhooks to an endpoint while it requests them",
    requirements: ["D41"],
    needs: ["standardWebhooks"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const [hook, other] = [yield* addHook(shop), yield* addHook(shop)]
      yield* askFor(shop, hook, true)
      yield* isStandard(yield* next(shop, hook, hook.secret), [hook.secret])
      yield* isPlain(yield* nth(other, 0, other.secret))
      yield* askFor(shop, hook, false)
      yield* isPlain(yield* next(shop, hook, hook.secret))
    }),
  },
  {
    id: "standard.rotation",
    title: "MUST sign the headers of Standard Webhooks with both secrets during a rotation, then only with the new one",
    requirements: ["D40", "D41"],
    needs: ["rotation", "standardWebhooks"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* askFor(shop, hook, true)
      const secret = yield* rotate(shop, hook)
      yield* isStandard(yield* next(shop, hook, hook.secret), [hook.secret, secret])
      yield* driver.promote({ shop: shop.id, endpoint: hook.id })
      yield* isStandard(yield* next(shop, hook, secret), [secret])
    }),
  },
])
