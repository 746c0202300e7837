/** How notices are told (D42). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { responseOf } from "../../conformance/worlds/Outside.ts"
import { makeWorld, type World } from "../../conformance/worlds/TestWorker.ts"
import { failTimes, minute, second, waits } from "../../conformance/worlds/WorkerSteps.ts"
import { type NoticeRecord, noticeOf } from "../model/Notice.ts"
import { NoticeStore } from "../ports/NoticeStore.ts"
import { NoticeNotTold, Notices } from "../ports/Notices.ts"
import { StorageError } from "../ports/StorageError.ts"
import { tellDueNotices, tellNotices } from "./TellNotices.ts"

const options = { schedule: waits, lease: 30 * second }

/** An endpoint of which there is one notice to tell: it has failed ten times in a row. */
const failing = Effect.fnUntraced(function* () {
  const world = yield* makeWorld()
  const endpoint = yield* world.endpoint({ url: "https://erp.example.com/hook?key=s3cret" })
  world.outside.respond = () => Effect.succeed(responseOf(500))
  yield* failTimes(world, 10, "a")
  return { world, endpoint }
})

/** Tells what is due, to whom the test says. */
const tellTo = (world: World, tell: (notice: NoticeRecord) => Effect.Effect<void, NoticeNotTold>) =>
  Effect.provideService(world.run(tellDueNotices(options)), Notices, { tell })

/** The log's lines that an effect leaves. */
const logged = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
  yield* Effect.provide(effect, Logger.layer([logger]))
  return lines
})

describe("tellDueNotices", () => {
  it.effect("MUST tell each notice once", () =>
    Effect.gen(function* () {
      const { endpoint, world } = yield* failing()
      const told: Array<NoticeRecord> = []
      const tell = (notice: NoticeRecord) => Effect.sync(() => void told.push(notice))
      yield* tellTo(world, tell)
      yield* TestClock.adjust(60 * minute)
      yield* tellTo(world, tell)
      expect(told.map(noticeOf)).toMatchObject([{ notice: "endpoint.failing", endpoint: { id: endpoint.id } }])
    }),
  )

  it.effect("MUST NOT tell what another worker is telling", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const begun = yield* Latch.make()
      const first = yield* Effect.forkChild(tellTo(world, () => Effect.andThen(begun.open, Effect.never)))
      yield* begun.await
      let told = 0
      yield* tellTo(world, () => Effect.sync(() => void told++))
      expect(told).toBe(0)
      yield* Fiber.interrupt(first)
    }),
  )

  it.effect("MUST tell more than it claims at once, all of them, and none from the deadline on", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      for (const round of ["b", "c", "d"]) {
        for (let endpoints = 0; endpoints < 1; endpoints++) yield* world.endpoint()
        yield* failTimes(world, 20, round)
      }
      const store = Context.get(world.ports, NoticeStore)
      const all = yield* store.list(world.shop, 100)
      let told = 0
      const tell = () => Effect.sync(() => void told++)
      yield* Effect.provideService(world.run(tellDueNotices(options, 0)), Notices, { tell })
      expect(told).toBe(0)
      yield* tellTo(world, tell)
      expect(told).toBe(all.length)
      expect(all.length).toBeGreaterThan(1)
    }),
  )

  it.effect("MUST be a line of the log where nothing else is provided, without the URL", () =>
    Effect.gen(function* () {
      const { endpoint, world } = yield* failing()
      const lines = yield* logged(world.run(tellDueNotices(options)))
      expect(lines).toEqual([
        `Warn Deliveries to the endpoint ${endpoint.id} of the shop ${world.shop} have failed 10 times in a row`,
      ])
    }),
  )

  it.effect(
    "MUST tell again by the schedule what could not be told, say why in the log, and end with the schedule",
    () =>
      Effect.gen(function* () {
        const { world } = yield* failing()
        let tries = 0
        const tell = () =>
          Effect.suspend(() => {
            tries++
            return new NoticeNotTold({ message: "the answer was 503" })
          })
        const lines: Array<string> = []
        for (const wait of [...waits, 48 * 60 * minute]) {
          lines.push(...(yield* logged(tellTo(world, tell))))
          yield* TestClock.adjust(wait - 1)
          yield* tellTo(world, tell)
          expect(tries).toBe(lines.length)
          yield* TestClock.adjust(1)
        }
        expect(tries).toBe(7)
        expect(lines[0]).toMatch(
          /^Warn A notice could not be told: the answer was 503\. It is told again later\. Deliveries to/,
        )
        expect(lines.at(-1)).toMatch(
          /It is not told again\. Deliveries to the endpoint .* have failed 10 times in a row$/,
        )
        expect(lines.join()).not.toContain("s3cret")
      }),
  )

  it.effect("MUST count as not told what takes longer than half of the lease, or is a defect", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const slow = yield* Effect.forkChild(logged(tellTo(world, () => Effect.never)))
      yield* TestClock.adjust(15 * second)
      expect(yield* Fiber.join(slow)).toEqual([expect.stringContaining("it took longer than 15 seconds")])
      yield* TestClock.adjust(minute)
      expect(yield* logged(tellTo(world, () => Effect.die(new Error("oops"))))).toEqual([
        expect.stringContaining("could not be told: Error: oops"),
      ])
      yield* TestClock.adjust(5 * minute)
      let told = 0
      yield* tellTo(world, () => Effect.sync(() => void told++))
      expect(told).toBe(1)
    }),
  )
})

describe("The metric of notices", () => {
  it.effect("MUST count attempts by outcome", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      let failures = 2
      const tell = () =>
        Effect.suspend(() => (failures-- > 0 ? new NoticeNotTold({ message: "the answer was 503" }) : Effect.void))
      for (const wait of [minute, 5 * minute, 0]) {
        yield* tellTo(world, tell)
        yield* TestClock.adjust(wait)
      }
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "designwire_notices_total")
      const description = "Attempts to tell a notice, by outcome"
      expect(counted.map(({ attributes, description, state }) => ({ attributes, description, state }))).toEqual([
        { attributes: { outcome: "failed" }, description, state: { count: 2, incremental: true } },
        { attributes: { outcome: "told" }, description, state: { count: 1, incremental: true } },
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )
})

describe("tellNotices", () => {
  it.effect("MUST go on when the store has broken with a defect", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const store = Context.get(world.ports, NoticeStore)
      let failures = 1
      const breaking = NoticeStore.of({
        ...store,
        claim: (request) => (failures-- > 0 ? Effect.die(new Error("A connection was lost")) : store.claim(request)),
      })
      let told = 0
      yield* world
        .run(Effect.provideService(tellNotices(options), NoticeStore, breaking))
        .pipe(Effect.provideService(Notices, { tell: () => Effect.sync(() => void told++) }), Effect.forkScoped)
      yield* TestClock.adjust(5 * second)
      expect(told).toBe(1)
    }),
  )

  it.effect("MUST tell within five seconds what there is to tell, and go on when the store has failed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      const told: Array<string> = []
      const store = Context.get(world.ports, NoticeStore)
      let failures = 2
      const flaky = NoticeStore.of({
        ...store,
        claim: (request) =>
          failures-- > 0
            ? Effect.fail(new StorageError({ message: "The store is down", cause: undefined, isRetryable: true }))
            : store.claim(request),
      })
      yield* world
        .run(Effect.provideService(tellNotices(options), NoticeStore, flaky))
        .pipe(
          Effect.provideService(Notices, { tell: ({ id }) => Effect.sync(() => void told.push(id)) }),
          Effect.forkScoped,
        )
      yield* failTimes(world, 10, "a")
      expect(told).toEqual([])
      yield* TestClock.adjust(10 * second)
      expect(told).toHaveLength(1)
      yield* failTimes(world, 10, "b")
      yield* TestClock.adjust(5 * second)
      expect(told).toHaveLength(2)
    }),
  )
})
