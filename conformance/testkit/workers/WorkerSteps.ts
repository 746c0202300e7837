/** Shared steps of worker tests. */
import { expect } from "@effect/vitest"
import { Effect, type Latch } from "effect"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import type { WebhookResponse } from "../../../core/ports/WebhookSender.ts"
import { type Respond, responseOf, type SentRequest } from "./Outside.ts"
import { makeWorld, type WorkerWorldOptions, type World } from "./TestWorker.ts"

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** An instant or count that is never reached. */
export const never = Number.MAX_SAFE_INTEGER

/** The waits in the table of §6. */
export const waits = [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour]

/** The result of `drain` if nothing was due. */
export const nothing = { attempts: 0, succeeded: 0 }

/** Expects exactly one delivery. */
export const only = (deliveries: ReadonlyArray<DeliveryRecord>): DeliveryRecord => {
  expect(deliveries).toHaveLength(1)
  return deliveries[0] as DeliveryRecord
}

/** Takes the requests sent since the last call. */
export const taken = (sent: Array<SentRequest>): Array<SentRequest> => sent.splice(0)

/** Orders this many designs, each with its own order and event. */
export const orders = Effect.fnUntraced(function* (world: Pick<World, "order">, count: number, name = "o") {
  for (let index = 0; index < count; index++) yield* world.order(`${name}-${index}`, [`${name}-${index}`])
})

/** Attempts this many new events one after the other at the current instant; the receiver decides whether they fail. */
export const failTimes = Effect.fnUntraced(function* (world: World, times: number, name: string) {
  for (let time = 0; time < times; time++) {
    yield* world.order(`${name}-${time}`, [`${name}-${time}`])
    yield* world.drain
  }
})

/** Responds after this many milliseconds. */
export const lasting = (response: WebhookResponse, duration: number) => () =>
  Effect.as(Effect.sleep(duration), response)

/** Responds when the gate is opened. */
export const behind =
  (gate: Latch.Latch, status = 200): Respond =>
  () =>
    Effect.as(gate.await, responseOf(status))

const down = new StorageError({ message: "The store is down", cause: undefined, isRetryable: true })

/** Makes calls of the queue fail, `left` times each, which can be set again. */
export const flaky = () => {
  const left = { claim: 0, settle: 0, walk: 0 }
  const calls = { claim: 0, settle: 0, walk: 0 }
  const fails = (method: keyof typeof left) => {
    calls[method]++
    if (left[method] === 0) return false
    left[method]--
    return true
  }
  const deliveries = (store: DeliveryQueue["Service"]): Partial<DeliveryQueue["Service"]> => ({
    claim: (request) => Effect.suspend(() => (fails("claim") ? Effect.fail(down) : store.claim(request))),
    settle: (settlements, advance) =>
      Effect.suspend(() => (fails("settle") ? Effect.fail(down) : store.settle(settlements, advance))),
    walk: (step) => Effect.suspend(() => (fails("walk") ? Effect.fail(down) : store.walk(step))),
  })
  return { left, calls, deliveries }
}

/** A world whose worker runs until the test ends. */
export const working = Effect.fnUntraced(function* (options: WorkerWorldOptions = {}) {
  const world = yield* makeWorld(options)
  const worker = yield* Effect.forkScoped(world.work)
  // It has found nothing.
  yield* world.walked
  return { ...world, worker }
})
