import { expect, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Layer, Logger, Queue } from "effect"
import { TestClock } from "effect/testing"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { TokenChanges } from "../access/TokenChanges.ts"
import { layerListening } from "./Listening.ts"
import { layerSingleProcess } from "./Signals.ts"

it.effect("a host that listens again MUST assume that it missed changes: tokens, deliveries (D18, D23)", () =>
  Effect.gen(function* () {
    const losses = yield* Queue.unbounded<Deferred.Deferred<never, string>>()
    const listening = layerListening(() =>
      Effect.gen(function* () {
        const lost = yield* Deferred.make<never, string>()
        yield* Queue.offer(losses, lost)
        return Deferred.await(lost)
      }),
    )
    const services = Layer.merge(layerSingleProcess, TokenChanges.layer)
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

/** A host that can listen only at some times, in seconds: the times at which it tries, and its log. */
const tries = Effect.fnUntraced(function* (listensAt: (second: number) => boolean, loses: boolean) {
  const times: Array<number> = []
  const log: Array<string> = []
  const listening = layerListening(() =>
    Effect.gen(function* () {
      const second = (yield* Clock.currentTimeMillis) / 1000
      times.push(second)
      if (!listensAt(second)) return yield* Effect.fail(new Error("connect ECONNREFUSED"))
      return loses ? Effect.fail(new Error("connection lost")) : Effect.never
    }),
  )
  const services = Layer.merge(layerSingleProcess, TokenChanges.layer)
  yield* Layer.build(listening).pipe(
    Effect.provide(services),
    Effect.provide(Logger.layer([Logger.make(({ logLevel, message }) => void log.push(`${logLevel} ${message}`))])),
  )
  yield* TestClock.adjust("200 seconds")
  return { times, log }
}, Effect.scoped)

const lost = "Warn Lost the channels designwire_tokens and designwire_deliveries;"

it.effect("a host that can't listen MUST wait longer and longer, and log once a minute and when it listens again", () =>
  Effect.gen(function* () {
    const { log, times } = yield* tries((second) => second >= 150, false)
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121, 151])
    expect(log).toEqual([
      `${lost} listening again: connect ECONNREFUSED`,
      `${lost} not listening after 6 tries in 61 seconds: connect ECONNREFUSED`,
      `${lost} not listening after 8 tries in 121 seconds: connect ECONNREFUSED`,
      "Info Listening again to designwire_tokens and designwire_deliveries, after 9 tries in 151 seconds",
    ])
  }),
)

it.effect("a host that loses its channels every second MUST log it once a minute", () =>
  Effect.gen(function* () {
    const { log, times } = yield* tries(() => true, true)
    expect(times).toHaveLength(201)
    expect(log.filter((line) => line.startsWith(lost))).toHaveLength(4)
    expect(log.filter((line) => line.includes("Listening again"))).toHaveLength(4)
  }),
)
