/** The alarms of a platform's event that fails or waits for long (D85). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import { minute, receive, shopifyWith } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { showCounters } from "../../model/log/Counters.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { keepApplying } from "./ApplyEvent.ts"
import { raiseAlarms } from "./RaiseAlarms.ts"

const noticesOf = (world: World) =>
  NoticeStore.use((notices) => notices.list(world.shop, 100, Number.MAX_SAFE_INTEGER)).pipe(
    Effect.map((records) => records.map(({ body }) => JSON.parse(body))),
    Effect.provideContext(world.ports),
  )

/** The alarms that are raised now: the fields of their lines in the log. */
const alarmsOf = Effect.fnUntraced(function* (world: World) {
  const lines: Array<Record<string, unknown>> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    const { event, ...fields } = fiber.getRef(References.CurrentLogAnnotations)
    if (String(event).startsWith("inbox.")) lines.push({ event, logLevel, message: String(message), ...fields })
  })
  yield* world.run(Effect.provide(raiseAlarms(), Logger.layer([logger])))
  return lines
})

const buyer = { note: "For Ada Lovelace", email: "ada@example.com" }
const unreadable = { ...shopifyWith(["a"]), ...buyer, id: [buyer.note] }
const unpaid = { ...shopifyWith(["a"]), ...buyer, financial_status: "pending" }

const valueOf = (text: string, snapshots: ReadonlyArray<Metric.Metric.Snapshot>, attributes: object) =>
  snapshots.filter(
    ({ attributes: own, id }) =>
      id === text && Object.entries(attributes).every(([name, value]) => own?.[name] === value),
  )

describe("Events of platforms", () => {
  it.effect("MUST be a line of the log and a notice once they failed, each once, without texts of buyers (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const event = yield* receive(world, "orders/create", unreadable)
      expect(event).toMatchObject({ state: "failed" })
      const lines = yield* alarmsOf(world)
      expect(lines).toMatchObject([
        {
          ...{ event: "inbox.failed", logLevel: "Warn", shop: world.shop, source: "shopify", topic: "orders/create" },
          ...{ inboxItem: event?.id, order: null, reason: event?.reason },
          message: expect.stringContaining("could not be applied: "),
        },
      ])
      const notices = yield* noticesOf(world)
      expect(notices).toMatchObject([
        { notice: "inbox.failed", shop: world.shop, inbox: { id: event?.id, state: "failed", topic: "orders/create" } },
      ])
      expect(JSON.stringify([lines, notices])).not.toMatch(/Ada|ada@/)
      expect(yield* alarmsOf(world)).toEqual([])
      expect(yield* noticesOf(world)).toHaveLength(1)
    }),
  )

  it.effect("MUST be reported once they have waited for 15 minutes for a design, and not before (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* receive(world, "orders/create", { ...shopifyWith(["missing"]), ...buyer })
      yield* TestClock.adjust("14 minutes")
      expect(yield* alarmsOf(world)).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* alarmsOf(world)).toMatchObject([{ event: "inbox.waiting", shop: world.shop, order: "1" }])
      yield* TestClock.adjust("1 minute")
      expect(yield* alarmsOf(world)).toEqual([])
      expect(yield* noticesOf(world)).toMatchObject([
        { notice: "inbox.waiting", inbox: { state: "waiting", orderId: "1" } },
      ])
    }),
  )

  it.effect("MUST be reported once they have waited for 24 hours for payment, and not before (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      expect(yield* receive(world, "orders/create", unpaid)).toMatchObject({ state: "unpaid" })
      yield* TestClock.adjust("1439 minutes")
      expect(yield* alarmsOf(world)).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* alarmsOf(world)).toMatchObject([{ event: "inbox.waiting", order: "1" }])
      expect(yield* noticesOf(world)).toMatchObject([{ notice: "inbox.waiting", inbox: { state: "unpaid" } }])
    }),
  )

  it.effect("MUST be reported together: one notice for each shop, kind and hour, with how many they are (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (let order = 1; order <= 30; order++) {
        yield* receive(world, "orders/create", { ...unpaid, id: order })
        yield* TestClock.adjust(1)
      }
      yield* TestClock.adjust("24 hours")
      const [line, ...others] = yield* alarmsOf(world)
      expect(others).toEqual([])
      expect(line).toMatchObject({ event: "inbox.waiting", order: "1", events: 30 })
      const names = Array.from({ length: 10 }, (_, index) => JSON.stringify(String(index + 1))).join(", ")
      expect(line?.["message"]).toContain(`30 events of the platform of the shop ${world.shop} have waited`)
      expect(line?.["message"]).toContain(`the orders ${names}, and maybe more. The oldest new one: The event `)
      const [notice, ...more] = yield* noticesOf(world)
      expect(more).toEqual([])
      expect(notice.inbox).toMatchObject({ state: "unpaid", events: 30, orderId: "1" })
      expect(notice.inbox.orders).toEqual(Array.from({ length: 10 }, (_, index) => String(index + 1)))
      // Others that come meanwhile wait for the next hour; those that were reported are not reported again.
      yield* receive(world, "orders/create", { ...shopifyWith(["missing"]), id: 77 })
      yield* TestClock.adjust("59 minutes")
      expect(yield* alarmsOf(world)).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* alarmsOf(world)).toMatchObject([{ event: "inbox.waiting", order: "77", events: 31 }])
      yield* TestClock.adjust("2 hours")
      expect(yield* alarmsOf(world)).toEqual([])
    }),
  )

  it.effect("MUST raise nothing if they are applied or ignored, however old they become (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* receive(world, "products/update", { id: 1 })
      yield* receive(world, "orders/create", unpaid)
      yield* receive(world, "orders/updated", shopifyWith(["a"], { updatedAt: minute(1), cancelledAt: minute(1) }))
      yield* TestClock.adjust("3 days")
      expect(yield* alarmsOf(world)).toEqual([])
      expect(yield* noticesOf(world)).toEqual([])
    }),
  )

  it.effect("MUST be counted from 0, and by gauges while they are in trouble, by what hosts run (D85)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const registry = new Map()
      const running = (adjust: "1 second" | "61 seconds") =>
        Effect.all(
          [
            world
              .run(Effect.timeoutOption(keepApplying, adjust))
              .pipe(Effect.provideService(Metric.MetricRegistry, registry)),
            TestClock.adjust(adjust),
          ],
          { concurrency: 2 },
        )
      const snapshot = Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
      const gauge = (state: string) =>
        Effect.map(snapshot, (all) => valueOf("designwire_platform_events_in_trouble", all, { state })[0]?.state)
      yield* running("1 second")
      yield* Effect.provideService(showCounters, Metric.MetricRegistry, registry)
      for (const source of ["shopify", "woocommerce"]) {
        for (const outcome of ["applied", "ignored", "waiting", "failed", "unpaid"]) {
          const all = yield* snapshot
          expect(valueOf("designwire_platform_events_total", all, { source, outcome })).toMatchObject([
            { state: { count: 0 } },
          ])
        }
        expect(valueOf("designwire_platform_events_refused_total", yield* snapshot, { source })).toHaveLength(1)
      }
      expect([yield* gauge("failed"), yield* gauge("waiting")]).toEqual([{ value: 0 }, { value: 0 }])
      yield* receive(world, "orders/create", unreadable)
      yield* running("61 seconds")
      expect([yield* gauge("failed"), yield* gauge("waiting")]).toEqual([{ value: 1 }, { value: 0 }])
      expect(yield* noticesOf(world)).toHaveLength(1)
    }),
  )
})
