/** When deliveries are attempted, and what becomes of them and their endpoint (§3, §6, §8, D25–D29). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/storage/Fixtures.ts"
import {
  answered,
  attempt,
  makeWorld,
  type SentRequest,
  unanswered,
  type World,
} from "../../conformance/worlds/TestWorker.ts"
import type { DeliveryRecord } from "../model/Delivery.ts"
import { format, type Instant } from "../model/Instant.ts"
import { LookupFailed } from "../ports/HostLookup.ts"
import type { WebhookResponse } from "../ports/WebhookSender.ts"
import { redeliver, sendTestEvent } from "./ManageDeliveries.ts"
import { changeEndpoint, removeEndpoint, turnOnEndpoint } from "./ManageEndpoints.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The table of §6. */
const waits = [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour]

/** Lets an attempt under way last. */
const lasting = (response: WebhookResponse, duration: number) => () => Effect.as(Effect.sleep(duration), response)

/** Makes the one attempt that is due, which lasts so long. */
const attemptLasting = Effect.fnUntraced(function* (world: World, duration: number) {
  const drained = yield* Effect.forkChild(world.drain)
  const sent = yield* world.outside.next
  yield* TestClock.adjust(duration)
  expect(yield* Fiber.join(drained)).toMatchObject({ attempts: 1 })
  return sent
})

const nothing = { attempts: 0, succeeded: 0 }

const only = (deliveries: ReadonlyArray<DeliveryRecord>): DeliveryRecord => {
  expect(deliveries).toHaveLength(1)
  return deliveries[0]!
}

/** Makes an endpoint fail so often, each time with a new event, at the instant at hand. */
const failTimes = Effect.fnUntraced(function* (world: World, times: number, name: string) {
  for (let time = 0; time < times; time++) {
    yield* world.order(`${name}-${time}`, [`${name}-${time}`])
    yield* world.drain
  }
})

describe("The retry schedule (§6, §8)", () => {
  it.effect(
    "MUST attempt 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours and 24 hours after the end of the failed attempt, never before, and then mark the delivery failed for good (D25)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        const durations = [700, 1, 4999, 0, 2500, 1234, 33]
        const expected: Array<ReturnType<typeof attempt>> = []
        let due: Instant = someTime
        for (const [index, duration] of durations.entries()) {
          if (index > 0) {
            yield* TestClock.setTime(due - 1)
            expect(yield* world.drain).toEqual(nothing)
            yield* TestClock.setTime(due)
          }
          world.outside.answer = lasting(answered(500), duration)
          expect((yield* attemptLasting(world, duration)).at).toBe(due)
          expected.push(attempt(index + 1, due, 500, null, duration))
          const wait = waits[index]
          const ended = due + duration
          due = ended + (wait ?? 0)
          expect(only(yield* world.log(endpoint))).toMatchObject({
            status: wait === undefined ? "failed" : "pending",
            nextAttemptAt: wait === undefined ? null : due,
            attempts: expected,
          })
        }
        expect(world.outside.sent).toHaveLength(7)
        yield* TestClock.adjust(400 * day)
        expect(yield* world.drain).toEqual(nothing)
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "failed", attempts: expected })
        expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 7 })
      }),
  )

  it.effect(
    "MUST keep to the schedule over all of 32 hours and 36 minutes by itself, with nobody to wake the worker (§6, D25)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.answer = () => Effect.succeed(answered(503))
        yield* world.order("1", ["d-1"])
        const worker = yield* Effect.forkChild(world.dispatch.work)
        let due: Instant = someTime
        for (const [index, wait] of [...waits, 0].entries()) {
          if (index > 0) {
            yield* TestClock.setTime(due - 1)
            expect(world.outside.sent).toHaveLength(index)
            yield* TestClock.setTime(due)
          }
          expect((yield* world.outside.next).at).toBe(due)
          yield* world.settled
          due += wait
        }
        expect(due - someTime).toBe(32 * hour + 36 * minute)
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "failed", nextAttemptAt: null })
        yield* TestClock.adjust(3 * day)
        expect(world.outside.sent).toHaveLength(7)
        yield* Fiber.interrupt(worker)
      }),
    60_000,
  )

  for (let success = 1; success <= 7; success++) {
    it.effect(`MUST send nothing more after attempt ${success} succeeded, and reset the streak (§6, D25, D27)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        for (let number = 1; number <= success; number++) {
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(number - 1)
          const status = number === success ? 299 : 500
          world.outside.answer = () => Effect.succeed(answered(status))
          expect(yield* world.drain).toEqual({ attempts: 1, succeeded: status === 299 ? 1 : 0 })
          yield* TestClock.adjust(waits[number - 1] ?? 0)
        }
        expect(only(yield* world.log(endpoint))).toMatchObject({ status: "succeeded", nextAttemptAt: null })
        expect(only(yield* world.log(endpoint)).attempts).toHaveLength(success)
        expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
        yield* TestClock.adjust(40 * day)
        expect(yield* world.drain).toEqual(nothing)
      }),
    )
  }

  for (const [what, response, error] of [
    ["400", answered(400), null],
    ["401", answered(401), null],
    ["410 (D25)", answered(410), null],
    ["429 (D25)", answered(429), null],
    ["500", answered(500), null],
    ["199", answered(199), null],
    ["300: a redirect", answered(300), "redirect"],
    ["301: a redirect", answered(301), "redirect"],
    ["307: a redirect", answered(307), "redirect"],
    ["304: a redirect", answered(304), "redirect"],
    ["no connection", unanswered("connect"), "connect"],
    ["no TLS", unanswered("tls"), "tls"],
    ["a timeout", unanswered("timeout"), "timeout"],
    ["a reset", unanswered("reset"), "reset"],
  ] as const) {
    it.effect(`MUST take ${what} for a failure, log why, count it and try again a minute later (§6, D25, D32)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.answer = () => Effect.succeed(response)
        yield* world.order("1", ["d-1"])
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "pending",
          nextAttemptAt: someTime + minute,
          attempts: [attempt(1, someTime, response.statusCode, error)],
        })
        expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
      }),
    )
  }

  for (const status of [200, 201, 202, 204, 206, 226, 299]) {
    it.effect(`MUST take ${status} for success, whatever the body says (§6, D26)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.answer = () => Effect.succeed(answered(status, '{"error":"failed"}'))
        yield* world.order("1", ["d-1"])
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "succeeded",
          nextAttemptAt: null,
          attempts: [{ ...attempt(1, someTime, status), responseStart: '{"error":"failed"}' }],
        })
      }),
    )
  }

  it.effect("MUST keep to another schedule where the installation has one (contract: Settings)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { schedule: [10, 3 * second] } })
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* TestClock.adjust(10)
      yield* world.drain
      yield* TestClock.adjust(3 * second)
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({
        status: "failed",
        attempts: [someTime, someTime + 10, someTime + 10 + 3 * second].map((at, index) => ({ number: index + 1, at })),
      })
    }),
  )
})

describe("An address that is refused (§6, D27, D36)", () => {
  for (const [what, addresses] of [
    ["a private address", ["10.0.0.1"]],
    ["one private address among public ones", ["93.184.216.34", "2606:2800:220:1::1", "192.168.1.7"]],
    ["loopback", ["::1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a private IPv4 address as IPv6", ["::ffff:10.0.0.1"]],
    ["no address at all", []],
  ] as const) {
    it.effect(`MUST send nothing to a name that has ${what} by now, log address_refused, count it and retry`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.succeed(addresses)
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
        expect(world.outside.sent).toEqual([])
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "pending",
          nextAttemptAt: someTime + minute,
          attempts: [attempt(1, someTime, null, "address_refused")],
        })
        expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
        // It is judged anew before every attempt.
        world.outside.lookup = () => Effect.succeed(["93.184.216.35"])
        yield* TestClock.adjust(minute)
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        expect(world.outside.sent[0]?.request.addresses).toEqual(["93.184.216.35"])
      }),
    )
  }

  it.effect("MUST log dns where the name is not found, count it and retry (§6, D32)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      world.outside.lookup = () => Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
      expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
      expect(world.outside.sent).toEqual([])
      expect(only(yield* world.log(endpoint))).toMatchObject({
        nextAttemptAt: someTime + minute,
        attempts: [attempt(1, someTime, null, "dns")],
      })
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect(
    "MUST log a timeout and send nothing where the name is not found within the attempt's 5 seconds (D26)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.never
        const drained = yield* Effect.forkChild(world.drain)
        yield* world.claimed
        yield* TestClock.adjust(6 * second)
        yield* Fiber.join(drained)
        expect(world.outside.sent).toEqual([])
        expect(only(yield* world.log(endpoint)).attempts).toMatchObject([{ statusCode: null, error: "timeout" }])
        expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
      }),
  )

  it.effect(
    "MUST NOT send where the look-up took the whole 5 seconds, though a moment more is waited for it (D26)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.as(Effect.sleep(5050), ["93.184.216.34"])
        const drained = yield* Effect.forkChild(world.drain)
        yield* world.claimed
        yield* TestClock.adjust(6 * second)
        yield* Fiber.join(drained)
        expect(world.outside.sent).toEqual([])
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "pending",
          attempts: [{ statusCode: null, error: "timeout" }],
        })
      }),
  )

  it.effect(
    "MUST give the sender what is left of the 5 seconds once the name is found, and 3 seconds to connect (§6, D26)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.as(Effect.sleep(1800), ["93.184.216.34"])
        const drained = yield* Effect.forkChild(world.drain)
        yield* world.claimed
        yield* TestClock.adjust(1800)
        const { request } = yield* world.outside.next
        expect(request).toMatchObject({ timeout: 3200, connectTimeout: 3000, responseLimit: 1024 })
        yield* Fiber.join(drained)
      }),
  )
})

describe("Twenty failures in a row (§3, §8, D27, D28)", () => {
  it.effect(
    "MUST switch off at the twentieth, counted over several events, hold what is pending, and go on with what is overdue at once when it is turned on",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        world.outside.answer = () => Effect.succeed(answered(500))
        yield* failTimes(world, 19, "a")
        expect(yield* world.endpointNow(endpoint)).toMatchObject({
          status: "active",
          consecutiveFailures: 19,
          switchedOffAt: null,
        })
        yield* TestClock.adjust(10)
        yield* failTimes(world, 1, "b")
        const off = { status: "switched_off", consecutiveFailures: 20, switchedOffAt: someTime + 10 }
        expect(yield* world.endpointNow(endpoint)).toMatchObject(off)

        // What happens meanwhile makes no delivery, and nothing is sent, however long it takes.
        yield* world.order("c", ["c"])
        yield* TestClock.adjust(2 * day)
        expect(yield* world.drain).toEqual(nothing)
        expect(yield* world.endpointNow(endpoint)).toMatchObject(off)
        const held = yield* world.log(endpoint)
        expect(held).toHaveLength(20)
        expect(held.every(({ status }) => status === "pending")).toBe(true)

        world.outside.answer = () => Effect.succeed(answered(200))
        expect(yield* world.run(turnOnEndpoint(world.shop, endpoint.id))).toMatchObject({
          status: "active",
          consecutiveFailures: 0,
          switchedOffAt: null,
        })
        expect(yield* world.drain).toEqual({ attempts: 20, succeeded: 20 })
        expect(world.outside.sent.slice(20).map(({ at }) => at)).toEqual(Array(20).fill(someTime + 10 + 2 * day))
        // They go on where they were: these were second attempts.
        expect((yield* world.log(endpoint)).map(({ attempts }) => attempts.length)).toEqual(Array(20).fill(2))
      }),
  )

  it.effect("MUST NOT send before its time what is not yet due when the endpoint is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* failTimes(world, 20, "a")
      yield* TestClock.adjust(30 * second)
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(30 * second - 1)
      expect(yield* world.drain).toEqual(nothing)
      yield* TestClock.adjust(1)
      expect((yield* world.drain).attempts).toBe(20)
    }),
  )

  it.effect("MUST begin the count anew at every success, and when it is turned on (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const failing = () => Effect.succeed(answered(500))
      world.outside.answer = failing
      yield* failTimes(world, 19, "a")
      world.outside.answer = () => Effect.succeed(answered(204))
      yield* failTimes(world, 1, "good")
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
      world.outside.answer = failing
      yield* failTimes(world, 19, "b")
      expect((yield* world.endpointNow(endpoint)).status).toBe("active")
      // Turning on what is on changes nothing.
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 1, "c")
      expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      yield* failTimes(world, 19, "d")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
    }),
  )

  it.effect("MUST count retries of one event like attempts of several, and refused addresses and dns too (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(unanswered("timeout"))
      for (const id of ["1", "2"]) yield* world.order(id, [id])
      yield* world.drain
      for (const wait of waits) {
        yield* TestClock.adjust(wait)
        yield* world.drain
      }
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(14)
      world.outside.lookup = () => Effect.succeed(["10.0.0.1"])
      yield* failTimes(world, 3, "refused")
      world.outside.lookup = () => Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
      yield* failTimes(world, 2, "dns")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
      yield* failTimes(world, 1, "last")
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "switched_off", consecutiveFailures: 20 })
    }),
  )

  it.effect("MUST NOT count one endpoint's failures for another (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const bad = yield* world.endpoint({ url: "https://bad.example.com/" })
      const good = yield* world.endpoint({ url: "https://good.example.com/" })
      world.outside.answer = ({ request }) => Effect.succeed(answered(request.url.includes("bad") ? 500 : 200))
      yield* failTimes(world, 21, "a")
      expect((yield* world.endpointNow(bad)).status).toBe("switched_off")
      expect(yield* world.endpointNow(good)).toMatchObject({ status: "active", consecutiveFailures: 0 })
      expect(yield* world.log(good)).toHaveLength(21)
      expect(yield* world.log(bad)).toHaveLength(20)
    }),
  )

  it.effect(
    "MUST settle attempts that are under way when it is switched off: into the log, without changing its health (D27, D28)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ worker: { perEndpoint: 30, concurrency: 30 } })
        const endpoint = yield* world.endpoint()
        const answers = new Map<string, WebhookResponse>()
        world.outside.answer = (sent: SentRequest) => {
          const number = world.outside.sent.length
          // The first twenty-one fail after a second, the rest answer 200 after two.
          const late = number > 21
          answers.set(sent.deliveryId, answered(late ? 200 : 500))
          return Effect.as(Effect.sleep(late ? 2000 : 1000), answered(late ? 200 : 500))
        }
        for (let index = 0; index < 23; index++) yield* world.order(`o-${index}`, [`d-${index}`])
        const drained = yield* Effect.forkChild(world.drain)
        for (let index = 0; index < 23; index++) yield* world.outside.next
        yield* TestClock.adjust(2000)
        expect(yield* Fiber.join(drained)).toEqual({ attempts: 23, succeeded: 2 })
        expect(yield* world.endpointNow(endpoint)).toMatchObject({
          status: "switched_off",
          consecutiveFailures: 20,
          switchedOffAt: someTime + 1000,
        })
        const log = yield* world.log(endpoint)
        expect(log.map(({ attempts }) => attempts.length)).toEqual(Array(23).fill(1))
        expect(log.filter(({ status }) => status === "succeeded")).toHaveLength(2)
        yield* TestClock.adjust(day)
        expect(yield* world.drain).toEqual(nothing)
      }),
  )
})

describe("Redelivering (§6, D22, D27, D29)", () => {
  it.effect(
    "MUST send the same body with the same event id as a new delivery with an id of its own, also of what succeeded, and retry it like any other",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        yield* world.drain
        const first = only(yield* world.log(endpoint))
        expect(first.status).toBe("succeeded")

        yield* TestClock.adjust(5 * day)
        world.outside.answer = () => Effect.succeed(answered(500))
        const again = yield* world.run(redeliver(world.shop, endpoint.id, first.id))
        expect(again).toMatchObject({
          eventId: first.eventId,
          event: "design.ordered",
          test: false,
          status: "pending",
          createdAt: format(someTime + 5 * day),
          attempts: [],
        })
        expect(again.id).not.toBe(first.id)
        yield* world.drain
        for (const [index, wait] of waits.entries()) {
          yield* TestClock.adjust(wait - 1)
          expect(yield* world.drain).toEqual(nothing)
          yield* TestClock.adjust(1)
          expect((yield* world.drain).attempts).toBe(1)
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(index + 2)
        }
        const [newest, oldest] = yield* world.log(endpoint)
        expect(newest).toMatchObject({ id: again.id, status: "failed" })
        expect(newest?.attempts).toHaveLength(7)
        expect(oldest).toEqual(first)
        const bodies = new Set(world.outside.sent.map(({ request }) => request.body))
        expect(bodies.size).toBe(1)
        expect(world.outside.sent.map(({ deliveryId }) => deliveryId)).toEqual([first.id, ...Array(7).fill(again.id)])
      }),
  )

  it.effect("MUST count for the twenty, and reset them (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const { id } = only(yield* world.log(endpoint))
      world.outside.answer = () => Effect.succeed(answered(500))
      const resend = Effect.andThen(world.run(redeliver(world.shop, endpoint.id, id)), world.drain)
      for (let time = 0; time < 19; time++) yield* resend
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(19)
      world.outside.answer = () => Effect.succeed(answered(200))
      yield* resend
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(0)
      world.outside.answer = () => Effect.succeed(answered(500))
      for (let time = 0; time < 20; time++) yield* resend
      expect((yield* world.endpointNow(endpoint)).status).toBe("switched_off")
    }),
  )

  it.effect("MUST be held while the endpoint is switched off, and sent when it is turned on (D28)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* failTimes(world, 20, "a")
      const [delivery] = yield* world.log(endpoint)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, delivery!.id))
      expect(yield* world.drain).toEqual(nothing)
      yield* world.run(turnOnEndpoint(world.shop, endpoint.id))
      expect((yield* world.drain).attempts).toBe(1)
      expect(world.outside.sent.at(-1)?.deliveryId).toBe(again.id)
    }),
  )

  it.effect("MUST send a delivery and its redelivery apart from each other when both are due at once (D22)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const first = only(yield* world.log(endpoint))
      yield* TestClock.adjust(minute)
      const again = yield* world.run(redeliver(world.shop, endpoint.id, first.id))
      // Both under way at once; the manual one succeeds, the automatic one fails and goes on.
      world.outside.answer = (sent) => lasting(answered(sent.deliveryId === again.id ? 200 : 500), 100)()
      const drained = yield* Effect.forkChild(world.drain)
      yield* Effect.all([world.outside.next, world.outside.next])
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 1 })
      const log = new Map((yield* world.log(endpoint)).map((delivery) => [delivery.id, delivery]))
      expect(log.get(again.id)).toMatchObject({ status: "succeeded", nextAttemptAt: null })
      expect(log.get(first.id)).toMatchObject({
        status: "pending",
        nextAttemptAt: someTime + minute + 100 + 5 * minute,
      })
    }),
  )
})

describe("Test events (§6, D27, D29, D30)", () => {
  it.effect("MUST be attempted once and never again, and neither count nor reset", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* failTimes(world, 3, "a")
      const health = yield* world.endpointNow(endpoint)
      const test = yield* world.run(sendTestEvent(world.shop, endpoint.id))
      yield* world.drain
      const found = (yield* world.log(endpoint)).find(({ id }) => id === test.id)
      expect(found).toMatchObject({ status: "failed", nextAttemptAt: null, attempts: [attempt(1, someTime, 500)] })
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
      world.outside.answer = () => Effect.succeed(answered(200))
      yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect((yield* world.drain).succeeded).toBe(1)
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
      // A test that is sent again stays one.
      world.outside.answer = () => Effect.succeed(answered(500))
      const again = yield* world.run(redeliver(world.shop, endpoint.id, test.id))
      expect(again).toMatchObject({ test: true, eventId: test.eventId })
      yield* world.drain
      expect((yield* world.log(endpoint)).find(({ id }) => id === again.id)?.status).toBe("failed")
      expect(yield* world.endpointNow(endpoint)).toEqual(health)
    }),
  )

  it.effect("MUST be sent while the endpoint is switched off, and change nothing about that", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* failTimes(world, 20, "a")
      const off = yield* world.endpointNow(endpoint)
      for (const status of [500, 200]) {
        world.outside.answer = () => Effect.succeed(answered(status))
        const test = yield* world.run(sendTestEvent(world.shop, endpoint.id))
        expect((yield* world.drain).attempts).toBe(1)
        expect(world.outside.sent.at(-1)?.deliveryId).toBe(test.id)
      }
      expect(yield* world.endpointNow(endpoint)).toEqual(off)
    }),
  )

  it.effect("MUST NOT switch off an endpoint at 19 failures", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* failTimes(world, 19, "a")
      for (let time = 0; time < 3; time++) yield* world.run(sendTestEvent(world.shop, endpoint.id))
      expect((yield* world.drain).attempts).toBe(3)
      expect(yield* world.endpointNow(endpoint)).toMatchObject({ status: "active", consecutiveFailures: 19 })
    }),
  )
})

describe("What changes while deliveries wait or are under way", () => {
  it.effect("MUST use the URL that the endpoint has at each attempt, judged anew (D24, D36)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url: "https://old.example.com/hook" })
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* world.run(changeEndpoint(world.shop, endpoint.id, { url: "https://new.example.com:8443/hook?a=b" }))
      yield* TestClock.adjust(minute)
      yield* world.drain
      expect(world.outside.sent.map(({ request }) => request.url)).toEqual([
        "https://old.example.com/hook",
        "https://new.example.com:8443/hook?a=b",
      ])
      expect(world.outside.asked.slice(-1)).toEqual(["new.example.com"])
    }),
  )

  it.effect(
    "MUST send what is pending of a kind that the endpoint no longer takes, and make nothing new of it (D31)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        yield* world.run(changeEndpoint(world.shop, endpoint.id, { events: ["order.cancelled"] }))
        yield* world.order("2", ["d-2"])
        yield* world.cancel("2")
        yield* world.drain
        expect(world.outside.sent.map(({ request }) => request.headers["X-Service-Event"]).toSorted()).toEqual([
          "design.ordered",
          "order.cancelled",
        ])
      }),
  )

  it.effect("MUST end the deliveries of an endpoint that is deleted, also while an attempt is under way (D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const other = yield* world.endpoint({ url: "https://stays.example.com/" })
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      yield* TestClock.adjust(minute)
      world.outside.answer = lasting(answered(500), 100)
      const drained = yield* Effect.forkChild(world.drain)
      yield* Effect.all([world.outside.next, world.outside.next, world.outside.next, world.outside.next])
      yield* world.run(removeEndpoint(world.shop, endpoint.id))
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(drained)).toEqual({ attempts: 2, succeeded: 0 })
      expect(yield* world.log(endpoint)).toEqual([])
      expect(only(yield* world.log(other)).attempts).toHaveLength(2)
      world.outside.answer = () => Effect.succeed(answered(500))
      yield* TestClock.adjust(40 * day)
      yield* world.drain
      expect(world.outside.sent).toHaveLength(5)
      expect(new Set(world.outside.sent.slice(4).map(({ request }) => request.url))).toEqual(
        new Set(["https://stays.example.com/"]),
      )
    }),
  )

  it.effect("MUST send nothing of a shop whose plan is free, and all of it when it has webhooks again (D8)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.run(sendTestEvent(world.shop, endpoint.id))
      yield* world.plan("free")
      yield* world.order("2", ["d-2"])
      yield* TestClock.adjust(hour)
      expect(yield* world.drain).toEqual(nothing)
      expect(yield* world.log(endpoint)).toHaveLength(2)
      yield* world.plan("plus")
      expect(yield* world.drain).toEqual({ attempts: 2, succeeded: 2 })
    }),
  )
})
