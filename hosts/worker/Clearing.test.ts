/** Every worker clears the delivery log now and then, whatever has failed before. */

import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { layerLookup } from "../../adapters/node/index.ts"
import { keyRing, memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { localPolicy, newEndpoint, newShop, order } from "../../conformance/testkit/workers/Fleet.ts"
import { decided, type Received, webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { defaultWorker } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { listDeliveries } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import * as Worker from "./index.ts"

it.effect.each([
  ["a failure of the store", Effect.fail(new StorageError({ message: "down", cause: null, isRetryable: true }))],
  ["a defect", Effect.die(new TypeError("rows is not iterable"))],
] as const)("a worker MUST log %s while it clears the log, and clear it ten minutes later", ([_, failing]) =>
  Effect.gen(function* () {
    const ports = yield* Layer.build((yield* memory.open).ports)
    const upkeep = Context.get(ports, Upkeep)
    const calls: Array<"failed" | "cleared"> = []
    const failingOnce = Upkeep.of({
      ...upkeep,
      prune: (step) =>
        Effect.suspend(() => {
          calls.push(calls.length === 0 ? "failed" : "cleared")
          return calls.length === 1 ? failing : upkeep.prune(step)
        }),
    })
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    yield* Layer.build(
      Worker.layer({ keyRing }).pipe(
        Layer.provide(Layer.succeedContext(Context.add(ports, Upkeep, failingOnce))),
        Layer.provideMerge(Logger.layer([logger])),
      ),
    )
    yield* TestClock.adjust("1 minute")
    expect(calls).toEqual(["failed"])
    expect(lines).toEqual([expect.stringMatching(/^Warn Could not clear the delivery log; trying again later/)])
    yield* TestClock.adjust("10 minutes")
    expect(calls).toEqual(["failed", "cleared"])
  }),
)

it.live("a worker that is stopped while it clears the log MUST begin no attempt until that has ended", () =>
  Effect.gen(function* () {
    const ports = yield* Layer.build((yield* memory.open).ports)
    const upkeep = Context.get(ports, Upkeep)
    const [clears, mayEnd] = [yield* Latch.make(), yield* Latch.make()]
    yield* Effect.addFinalizer(() => mayEnd.open)
    const slow = Upkeep.of({
      ...upkeep,
      prune: (step) =>
        clears.open.pipe(Effect.andThen(mayEnd.await), Effect.andThen(upkeep.prune(step)), Effect.uninterruptible),
    })
    const { answering, decide } = decided()
    const receiver = yield* webhookReceiver(answering)
    const scope = yield* Scope.make()
    const worker = Worker.layer({ keyRing, webhookPolicy: localPolicy, worker: { ...defaultWorker, concurrency: 1 } })
    yield* Layer.buildWithScope(Layer.provide(worker, Layer.succeedContext(Context.add(ports, Upkeep, slow))), scope)
    yield* clears.await
    yield* Effect.gen(function* () {
      const shop = yield* newShop
      const endpoint = yield* newEndpoint(shop, receiver, "/hook")
      const states = Effect.map(listDeliveries(shop, endpoint), (log) => log.map(({ status }) => status))
      yield* order(shop, "first")
      yield* receiver.until(() => receiver.requests.length > 0)
      yield* order(shop, "second")
      const stopped = yield* Effect.forkScoped(Scope.close(scope, Exit.void), { startImmediately: true })
      decide(receiver.requests[0] as Received, 200)
      yield* Effect.repeat(Effect.delay(states, "10 millis"), { until: ([_, first]) => first === "succeeded" })
      yield* mayEnd.open
      // It waits for an attempt that it began.
      yield* Fiber.join(stopped)
      expect(receiver.requests).toHaveLength(1)
      expect(yield* states).toEqual(["pending", "succeeded"])
    }).pipe(
      Effect.provide([
        Layer.succeedContext(ports),
        NodeCrypto.layer,
        layerLookup(),
        Layer.succeed(KeyRing, keyRing),
        Layer.succeed(WebhookPolicy, localPolicy),
      ]),
    )
  }),
)
