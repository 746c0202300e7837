/** Metrics of attempts and workers (hosts/cli/OPERATING.md). */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Metric } from "effect"
import { TestClock } from "effect/testing"
import { noResponse, responseOf } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { behind, lasting, waits } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { LookupFailed } from "../../../ports/HostLookup.ts"
import { MetricsShops } from "../../../support/MetricsShops.ts"

/** The samples of a metric by their labels. */
const samplesOf = (name: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    Object.fromEntries(
      metrics.flatMap(({ attributes, id, state }) =>
        id === name ? [[Object.values(attributes ?? {}).join(" "), "count" in state ? state.count : state]] : [],
      ),
    ),
  )

it.effect("The metrics MUST count attempts by outcome, and their durations in seconds", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    yield* world.endpoint()
    const responses = [200, 299, 500, 410, 302].map((status) => responseOf(status))
    const failures = (["timeout", "connect", "tls", "reset"] as const).map((error) => noResponse(error))
    for (const [index, response] of [...responses, ...failures].entries()) {
      world.outside.respond = lasting(response, 300)
      yield* world.order(`${index}`, [`d-${index}`])
      const drained = yield* Effect.forkChild(world.drain)
      yield* world.outside.next
      yield* TestClock.adjust(300)
      yield* Fiber.join(drained)
    }
    const unknown = Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
    for (const [error, found] of [
      ["address_refused", Effect.succeed(["10.0.0.1"])],
      ["dns", unknown],
    ] as const) {
      world.outside.lookup = () => found
      yield* world.order(error, [error])
      yield* world.drain
    }
    const metrics = yield* Metric.snapshot
    const counted = metrics.flatMap(({ attributes, id, state }) =>
      id === "designwire_delivery_attempts_total" && "count" in state
        ? [[attributes?.["outcome"], state.count] as const]
        : [],
    )
    expect(new Map(counted)).toEqual(
      new Map([
        ["success", 2],
        ["refused", 2],
        ...["redirect", "timeout", "connect", "tls", "reset", "address_refused", "dns"].map(
          (each) => [each, 1] as const,
        ),
      ]),
    )
    const [took] = metrics.filter(({ id }) => id === "designwire_delivery_attempt_seconds")
    expect(took?.state).toMatchObject({ count: 11, sum: expect.closeTo(2.7), min: 0, max: 0.3 })
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)

it.effect("The metrics MUST count each delivery once when it is finished, with the reason of its last failure", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    yield* world.endpoint()
    yield* world.order("1", ["d-1"])
    yield* world.drain
    world.outside.respond = () => Effect.succeed(noResponse("timeout"))
    yield* world.order("2", ["d-2"])
    yield* world.drain
    const finished = samplesOf("designwire_deliveries_finished_total")
    expect(yield* finished).toEqual({ "succeeded none": 1 })
    for (const wait of waits) {
      yield* TestClock.adjust(wait)
      yield* world.drain
    }
    expect(yield* finished).toEqual({ "succeeded none": 1, "failed timeout": 1 })
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)

it.effect("The metrics MUST count the attempts of listed shops apart, and of no others", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    const attempts = samplesOf("designwire_shop_delivery_attempts_total")
    yield* world.endpoint()
    yield* world.order("1", ["d-1"])
    yield* world.drain
    expect(yield* attempts).toEqual({})
    yield* world.order("2", ["d-2"])
    yield* Effect.provideService(world.drain, MetricsShops, new Set([world.shop, "another"]))
    const counted = Object.entries(yield* attempts).filter(([, count]) => count !== 0)
    expect(counted).toEqual([[`${world.shop} success`, 1]])
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)

it.effect("The metrics MUST show the slots of a worker while it works, and how long claiming and settling take", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld({ worker: { concurrency: 4, perEndpoint: 2 } })
    yield* world.endpoint()
    const gate = yield* Latch.make()
    world.outside.respond = behind(gate)
    const worker = yield* Effect.forkChild(world.work)
    for (let index = 0; index < 5; index++) yield* world.order(`${index}`, [`d-${index}`])
    yield* Effect.all([world.outside.next, world.outside.next])
    expect(yield* samplesOf("designwire_worker_slots")).toEqual({ "": { value: 4 } })
    expect(yield* samplesOf("designwire_worker_slots_in_use")).toEqual({ "": { value: 2 } })
    yield* gate.open
    for (let index = 2; index < 5; index++) yield* world.outside.next
    yield* Fiber.interrupt(worker)
    expect(yield* samplesOf("designwire_worker_slots")).toEqual({})
    const [claims, settles] = [
      yield* samplesOf("designwire_worker_claim_seconds"),
      yield* samplesOf("designwire_worker_settle_seconds"),
    ]
    expect([claims[""], settles[""]]).toEqual([expect.toSatisfy(Number.isInteger), expect.toSatisfy(Number.isInteger)])
    expect(Number(claims[""])).toBeGreaterThan(0)
    expect(Number(settles[""])).toBeGreaterThan(0)
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)
