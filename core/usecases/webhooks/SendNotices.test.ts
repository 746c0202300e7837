/** How notices are sent (D42). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { failTimes, minute, second, waits } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { format } from "../../model/Instant.ts"
import type { Notice } from "../../model/Resources.ts"
import { type NoticeRecord, noticeOf } from "../../model/webhooks/Notice.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { NoticeNotSent, Notices } from "../../ports/Notices.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { createToken, deleteToken } from "../access/ManageTokens.ts"
import { readNotices } from "./ReadNotices.ts"
import { sendDueNotices, sendNotices } from "./SendNotices.ts"

const day = 24 * 60 * minute

const options = { schedule: waits, lease: 30 * second }

/** An endpoint with one notice to send: it has failed ten times in a row. */
const failing = Effect.fnUntraced(function* () {
  const world = yield* makeWorld()
  const endpoint = yield* world.endpoint({ url: "https://erp.example.com/hook?key=s3cret" })
  world.outside.respond = () => Effect.succeed(responseOf(500))
  yield* failTimes(world, 10, "a")
  return { world, endpoint }
})

/** Sends due notices to a receiver of the test. */
const sendTo = (world: World, send: (notice: NoticeRecord) => Effect.Effect<void, NoticeNotSent>) =>
  Effect.provideService(world.run(sendDueNotices(options)), Notices, { send })

/** The lines that an effect logs. */
const logged = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
  yield* Effect.provide(effect, Logger.layer([logger]))
  return lines
})

describe("sendDueNotices", () => {
  it.effect("MUST send each notice once (D42)", () =>
    Effect.gen(function* () {
      const { endpoint, world } = yield* failing()
      const sent: Array<NoticeRecord> = []
      const send = (notice: NoticeRecord) => Effect.sync(() => void sent.push(notice))
      yield* sendTo(world, send)
      yield* TestClock.adjust(60 * minute)
      yield* sendTo(world, send)
      expect(sent.map(noticeOf)).toMatchObject([{ notice: "endpoint.failing", endpoint: { id: endpoint.id } }])
    }),
  )

  it.effect("MUST send the notice of a token's end seven days before, once, and none for a deleted token (D77)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { run, shop } = world
      const create = (name: string, expiresAt: string) => run(createToken(shop, { name, expiresAt }))
      const { token } = yield* create("ERP", format(someTime + 10 * day))
      const gone = yield* create("Old", format(someTime + 9 * day))
      yield* run(deleteToken(shop, gone.token.id))
      const sent: Array<Notice> = []
      const send = (notice: NoticeRecord) => Effect.sync(() => void sent.push(noticeOf(notice)))
      const counts: Array<number> = []
      for (const wait of [0, 3 * day - 1, 1, day, 30 * day]) {
        yield* TestClock.adjust(wait)
        yield* sendTo(world, send)
        counts.push(sent.length, (yield* run(readNotices(shop, 10))).length)
      }
      expect(counts).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
      const { expiresAt, hint, id, name } = token
      expect(sent).toMatchObject([{ notice: "token.ending", shop, token: { id, name, hint, expiresAt } }])
      expect(yield* run(readNotices(shop, 10))).toEqual(sent)
    }),
  )

  it.effect("MUST NOT send a notice that another worker is sending", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const begun = yield* Latch.make()
      const first = yield* Effect.forkChild(sendTo(world, () => Effect.andThen(begun.open, Effect.never)))
      yield* begun.await
      let sent = 0
      yield* sendTo(world, () => Effect.sync(() => void sent++))
      expect(sent).toBe(0)
      yield* Fiber.interrupt(first)
    }),
  )

  it.effect("MUST log a line without the URL unless a service is provided", () =>
    Effect.gen(function* () {
      const { endpoint, world } = yield* failing()
      const lines = yield* logged(world.run(sendDueNotices(options)))
      expect(lines).toEqual([
        `Warn Deliveries to the endpoint ${endpoint.id} of the shop ${world.shop} have failed 10 times in a row`,
      ])
    }),
  )

  it.effect(
    "MUST send a notice again on the schedule if it could not be sent, log why, and end with the schedule (D42)",
    () =>
      Effect.gen(function* () {
        const { world } = yield* failing()
        let tries = 0
        const send = () =>
          Effect.suspend(() => {
            tries++
            return new NoticeNotSent({ message: "the answer was 503" })
          })
        const lines: Array<string> = []
        for (const wait of [...waits, 48 * 60 * minute]) {
          lines.push(...(yield* logged(sendTo(world, send))))
          yield* TestClock.adjust(wait - 1)
          yield* sendTo(world, send)
          expect(tries).toBe(lines.length)
          yield* TestClock.adjust(1)
        }
        expect(tries).toBe(7)
        expect(lines[0]).toMatch(
          /^Warn A notice could not be sent: the answer was 503\. It is sent again later\. Deliveries to/,
        )
        expect(lines.at(-1)).toMatch(
          /It is not sent again\. Deliveries to the endpoint .* have failed 10 times in a row$/,
        )
        expect(lines.join()).not.toContain("s3cret")
      }),
  )

  it.effect("MUST count a notice as not sent if sending takes longer than half of the lease, or dies", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const slow = yield* Effect.forkChild(logged(sendTo(world, () => Effect.never)))
      yield* TestClock.adjust(15 * second)
      expect(yield* Fiber.join(slow)).toEqual([expect.stringContaining("it took longer than 15 seconds")])
      yield* TestClock.adjust(minute)
      expect(yield* logged(sendTo(world, () => Effect.die(new Error("oops"))))).toEqual([
        expect.stringContaining("could not be sent: Error: oops"),
      ])
      yield* TestClock.adjust(5 * minute)
      let sent = 0
      yield* sendTo(world, () => Effect.sync(() => void sent++))
      expect(sent).toBe(1)
    }),
  )
})

describe("The metric of notices", () => {
  it.effect("MUST count attempts by outcome", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      let failures = 2
      const send = () =>
        Effect.suspend(() => (failures-- > 0 ? new NoticeNotSent({ message: "the answer was 503" }) : Effect.void))
      for (const wait of [minute, 5 * minute, 0]) {
        yield* sendTo(world, send)
        yield* TestClock.adjust(wait)
      }
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "designwire_notices_total")
      const description = "Attempts to send a notice, by outcome"
      expect(counted.map(({ attributes, description, state }) => ({ attributes, description, state }))).toEqual([
        { attributes: { outcome: "failed" }, description, state: { count: 2, incremental: true } },
        { attributes: { outcome: "told" }, description, state: { count: 1, incremental: true } },
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )
})

describe("sendNotices", () => {
  it.effect("MUST continue when the store has broken with a defect", () =>
    Effect.gen(function* () {
      const { world } = yield* failing()
      const store = Context.get(world.ports, NoticeStore)
      let failures = 1
      const breaking = NoticeStore.of({
        ...store,
        claim: (request) => (failures-- > 0 ? Effect.die(new Error("A connection was lost")) : store.claim(request)),
      })
      let sent = 0
      yield* world
        .run(Effect.provideService(sendNotices(options), NoticeStore, breaking))
        .pipe(Effect.provideService(Notices, { send: () => Effect.sync(() => void sent++) }), Effect.forkScoped)
      yield* TestClock.adjust(5 * second)
      expect(sent).toBe(1)
    }),
  )

  it.effect("MUST send a notice within five seconds, and continue when the store has failed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      const sent: Array<string> = []
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
        .run(Effect.provideService(sendNotices(options), NoticeStore, flaky))
        .pipe(
          Effect.provideService(Notices, { send: ({ id }) => Effect.sync(() => void sent.push(id)) }),
          Effect.forkScoped,
        )
      yield* failTimes(world, 10, "a")
      expect(sent).toEqual([])
      yield* TestClock.adjust(10 * second)
      expect(sent).toHaveLength(1)
      yield* failTimes(world, 10, "b")
      yield* TestClock.adjust(5 * second)
      expect(sent).toHaveLength(2)
    }),
  )
})
