/** Sending the log again (§6, D22, D29), beyond the cases of the storage suite. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "../../../adapters/memory/index.ts"
import { makeShop, someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeDelivery, makeEndpoint, makeEvent } from "../../../conformance/suites/storage/support/Webhooks.ts"
import { format } from "../../model/Instant.ts"
import { decode, encode, type ResendRun } from "../../model/webhooks/ResendRun.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { layerCrypto } from "../../support/WebCrypto.ts"
import { countResend, readResend, resend, resendStep } from "./ResendDeliveries.ts"

const many = 10_000

/** An endpoint with a log of failed deliveries, one a millisecond. */
const failing = Effect.fnUntraced(function* (count: number) {
  const shop = makeShop()
  yield* (yield* ShopStore).put(shop)
  const endpoint = makeEndpoint(shop.id)
  yield* (yield* EndpointStore).add(endpoint, 5)
  const queue = yield* DeliveryQueue
  for (let index = 0; index < count; index++) {
    const event = makeEvent(shop.id, { createdAt: someTime + index })
    const delivery = makeDelivery(event, endpoint, { status: "failed", nextAttemptAt: null })
    yield* queue.add(delivery, event)
  }
  yield* TestClock.setTime(someTime + count)
  const made = Effect.map(
    DeliveryLog.use((log) => log.list(shop.id, endpoint.id, 1_000_000)),
    (log) => log.filter(({ status }) => status === "pending"),
  )
  return { shop: shop.id, endpoint: endpoint.id, made }
})

const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Layer.fresh(Layer.merge(Memory.layer, layerCrypto)))

describe("A run that sends the log again", () => {
  it.effect("MUST send each of 10,000 once, in steps, though it is killed between and within steps and resumed", () =>
    Effect.gen(function* () {
      const { endpoint, made, shop } = yield* failing(many)
      const begun = yield* readResend({ state: "failed" })
      expect(yield* countResend(shop, endpoint, begun.filter)).toBe(many)
      // All that is kept of a run is a text.
      let kept: string | null = encode(begun.run)
      let sent = 0
      for (let kill = 0; kept !== null; kill++) {
        const run = decode(kept) as ResendRun
        const { filter } = yield* readResend({ state: "failed", next: kept })
        const step = resendStep(shop, endpoint, { filter, run })
        // Some die before the store has answered, some after it and before the page: neither keeps the answer.
        if (kill % 3 === 0) {
          const queue = yield* DeliveryQueue
          const dying = { ...queue, resend: () => Effect.interrupt }
          const exit = yield* Effect.exit(Effect.provideService(step, DeliveryQueue, DeliveryQueue.of(dying)))
          expect(Exit.isFailure(exit)).toBe(true)
          continue
        }
        const done = yield* step
        if (kill % 3 === 1) continue
        sent += done.sent
        kept = done.run === null ? null : encode(done.run)
        yield* TestClock.adjust(1)
      }
      expect(sent).toBe(many)
      const all = yield* made
      expect([all.length, new Set(all.map(({ eventId }) => eventId)).size]).toEqual([many, many])
      expect(yield* countResend(shop, endpoint, begun.filter)).toBe(0)
      // A step that comes again after the end, as a page that is reloaded sends it.
      expect(yield* resendStep(shop, endpoint, begun)).toMatchObject({ sent: 1000, added: 0 })
    }).pipe(memory),
  )

  it.effect("MUST send at most 10,000 in a request and continue from its answer, with the same end", () =>
    Effect.gen(function* () {
      const { endpoint, made, shop } = yield* failing(many + 5)
      const first = yield* resend(shop, endpoint, {})
      expect(first).toEqual({ deliveries: many, next: expect.any(String) })
      yield* TestClock.adjust(1)
      const next = first.next ?? ""
      expect(yield* resend(shop, endpoint, { next })).toEqual({ deliveries: 5, next: null })
      expect(yield* resend(shop, endpoint, { next })).toEqual({ deliveries: 0, next: null })
      expect((yield* made).length).toBe(many + 5)
    }).pipe(memory),
  )

  it.effect("MUST begin no step after two seconds", () =>
    Effect.gen(function* () {
      const { endpoint, shop } = yield* failing(2500)
      const queue = yield* DeliveryQueue
      const slow = DeliveryQueue.of({
        ...queue,
        resend: (step) => Effect.tap(queue.resend(step), () => TestClock.adjust(1000)),
      })
      const request = (next?: string) =>
        Effect.provideService(resend(shop, endpoint, next === undefined ? {} : { next }), DeliveryQueue, slow)
      const first = yield* request()
      expect(first).toEqual({ deliveries: 2000, next: expect.any(String) })
      expect(yield* request(first.next ?? "")).toEqual({ deliveries: 500, next: null })
    }).pipe(memory),
  )

  it.effect("MUST leave out what was created since it began", () =>
    Effect.gen(function* () {
      const { endpoint, made, shop } = yield* failing(2)
      const { filter, run } = yield* readResend({ to: format(someTime + 999_999) })
      yield* TestClock.adjust(5)
      const event = makeEvent(shop, { createdAt: someTime + 3 })
      const late = makeDelivery(event, makeEndpoint(shop, { id: endpoint }), { status: "failed", nextAttemptAt: null })
      yield* DeliveryQueue.use((queue) => queue.add(late, event))
      expect(yield* resendStep(shop, endpoint, { filter, run })).toMatchObject({ sent: 2 })
      expect((yield* made).map(({ eventId }) => eventId)).not.toContain(event.id)
    }).pipe(memory),
  )

  it.effect("MUST refuse a cursor that it has not written, and times that end before they begin", () =>
    Effect.gen(function* () {
      const { run } = yield* readResend({})
      const written = encode({ ...run, after: { createdAt: someTime, id: "dlv_1" } })
      expect(decode(written)).toEqual({ ...run, after: { createdAt: someTime, id: "dlv_1" } })
      const forged = (value: unknown) => `r1.${Buffer.from(JSON.stringify(value)).toString("base64url")}`
      expect(decode(forged([run.run, run.began]))).toEqual(run)
      for (const text of [
        ...["", "r1.", "r1.e30", "r2.e30", `${written}=`, written.slice(0, -2), written.slice(3)],
        ...[
          {},
          [],
          ["short", 0],
          [run.run],
          [run.run, "0"],
          [run.run, 1.5],
          [run.run, 0, 0],
          [run.run, 0, 0, "x'; --"],
        ].map(forged),
      ]) {
        const error = yield* Effect.flip(readResend({ next: text }))
        expect([text, error._tag, error.problems[0]?.path]).toEqual([text, "InvalidInput", "next"])
      }
      const turned = { from: format(someTime), to: format(someTime) }
      expect((yield* Effect.flip(readResend(turned))).problems).toEqual([
        { path: "to", message: "must be after `from`" },
      ])
    }).pipe(memory),
  )
})
