import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { TokenChanges } from "../tokens/TokenChanges.ts"
import { layerListening } from "./Listening.ts"
import * as Signals from "./Signals.ts"

it.effect("a host that listens again MUST assume that it missed changes of tokens and deliveries (D18, D23)", () =>
  Effect.gen(function* () {
    const losses = yield* Queue.unbounded<Deferred.Deferred<never, string>>()
    const listening = layerListening(() =>
      Effect.gen(function* () {
        const lost = yield* Deferred.make<never, string>()
        yield* Queue.offer(losses, lost)
        return Deferred.await(lost)
      }),
    )
    const services = Layer.mergeAll(Signals.layerSingleProcess, TokenChanges.layer)
    yield* Effect.gen(function* () {
      const changes: Array<string | undefined> = []
      yield* TokenChanges.use(({ subscribe }) => subscribe((digest) => Effect.sync(() => void changes.push(digest))))
      const worker = yield* DeliverySignal.use(({ subscribe }) => subscribe)
      yield* Layer.build(listening)
      for (const times of [1, 2, 3]) {
        const lost = yield* Queue.take(losses)
        yield* Queue.take(worker)
        yield* Effect.yieldNow
        expect(changes).toEqual(Array(times).fill(undefined))
        yield* Deferred.fail(lost, "the connection is lost")
        yield* TestClock.adjust("1 second")
      }
    }).pipe(Effect.provide(services))
  }).pipe(Effect.scoped),
)
