/** The shares of a worker's slots for shops and endpoints (D45). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { unique } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf, type SentRequest } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld, type WorkerWorldOptions } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { lasting, orders, second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { sendTestEvent } from "../ManageDeliveries.ts"

describe("The slots of a worker (D45)", () => {
  /** More shops on the same store, each with this many endpoints in trouble and orders. */
  const others = (ports: WorkerWorldOptions["ports"], shops: number, endpoints: number, each: number) =>
    Effect.forEach(
      Array.from({ length: shops }),
      Effect.fnUntraced(function* () {
        const shop = yield* makeWorld({ ...(ports && { ports }), standing: "troubled" })
        yield* Effect.forEach(Array.from({ length: endpoints }), () =>
          shop.endpoint({ url: `https://hangs.example.com/${unique(12)}` }),
        )
        yield* orders(shop, each)
        return shop
      }),
    )
  const hangs = ({ request }: SentRequest) => request.url.startsWith("https://hangs.")

  it.effect("MUST be shared: half for endpoints that are not proven, one each, and half at most for a shop (D45)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 16 } })
      yield* others(world.ports, 6, 2, 3)
      const newcomers = yield* makeWorld({ ...(world.ports && { ports: world.ports }), standing: "newcomer" })
      for (const _ of [1, 2, 3, 4]) yield* newcomers.endpoint({ url: `https://hangs.example.com/${unique(12)}` })
      yield* orders(newcomers, 3)
      const five = [yield* world.endpoint(), yield* world.endpoint(), yield* world.endpoint()]
      yield* orders(world, 20)
      world.outside.respond = () => Effect.never
      const worker = yield* Effect.forkScoped(world.work)
      for (let index = 0; index < 16; index++) yield* world.outside.next
      yield* TestClock.adjust(second)
      expect(world.outside.sent).toHaveLength(16)
      const hanging = world.outside.sent.filter(hangs).map(({ request }) => request.url)
      expect([hanging.length, new Set(hanging).size]).toEqual([8, 8])
      expect(five.map(({ url }) => world.outside.mostTo(url)).toSorted()).toEqual([2, 3, 3])
      yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(10 * second)
    }),
  )

  it.effect("MUST let a proven endpoint receive events at once while hundreds of others hang", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 8 } })
      yield* world.endpoint()
      yield* others(world.ports, 30, 5, 2)
      world.outside.respond = (sent) => (hangs(sent) ? Effect.never : Effect.succeed(responseOf(200)))
      const worker = yield* Effect.forkScoped(world.work)
      const waits: Array<number> = []
      for (let index = 0; index < 40; index++) {
        yield* TestClock.adjust(700)
        const happened = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        yield* world.order(`${index}`, [`d-${index}`])
        for (let next = yield* world.outside.next; ; next = yield* world.outside.next) {
          if (hangs(next)) continue
          waits.push(next.at - happened)
          break
        }
      }
      expect(waits).toEqual(Array(40).fill(0))
      // Meanwhile the hanging endpoints are tried, two at a time: two slots are left to newcomers.
      expect(world.outside.sent.filter(hangs).length).toBeGreaterThanOrEqual(2 * 5)
      yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(10 * second)
    }),
  )

  it.effect("MUST serve a new endpoint, and one that failed once, at once while hundreds of others hang (D45)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 64 } })
      yield* others(world.ports, 40, 5, 2)
      let fails = false
      const answer = (sent: SentRequest) => Effect.sync(() => responseOf(fails && !hangs(sent) ? 500 : 200))
      world.outside.respond = (sent) => (hangs(sent) ? Effect.never : answer(sent))
      const worker = yield* Effect.forkScoped(world.work)
      yield* TestClock.adjust(700)
      const waits: Array<number> = []
      const next = Effect.fnUntraced(function* (shop: typeof world, id: string) {
        yield* TestClock.adjust(1_100)
        const happened = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        yield* shop.order(id, [`d-${id}`])
        for (let sent = yield* world.outside.next; ; sent = yield* world.outside.next) {
          if (hangs(sent)) continue
          waits.push(sent.at - happened)
          break
        }
      })
      for (let index = 0; index < 5; index++) {
        const shop = yield* makeWorld({ ports: world.ports, standing: "newcomer" })
        yield* shop.endpoint()
        yield* next(shop, "first")
        fails = true
        yield* next(shop, "failing")
        fails = false
        yield* next(shop, "after a failure")
      }
      expect(waits).toEqual(Array(15).fill(0))
      yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(10 * second)
    }),
  )

  it.effect(
    "MUST serve a new endpoint within 250 ms while hundreds of new ones hang, within a bound of attempts (D45)",
    () =>
      Effect.gen(function* () {
        const slots = 16
        const first = yield* makeWorld({ standing: "newcomer", worker: { concurrency: slots } })
        const newcomer = Effect.fnUntraced(function* (url: string) {
          const shop = yield* makeWorld({ ports: first.ports, standing: "newcomer" })
          return { shop, endpoint: yield* shop.endpoint({ url }) }
        })
        for (let index = 0; index < 200; index++) {
          const { shop } = yield* newcomer(`https://hangs.example.com/${index}`)
          yield* orders(shop, 1)
        }
        const probes = yield* Effect.forEach(Array.from({ length: 40 }), (_, probe) =>
          newcomer(`https://new.example.com/${probe}`),
        )
        const late = Effect.delay(Effect.succeed(responseOf(500)), 5 * second)
        first.outside.respond = (sent) => (hangs(sent) ? late : Effect.succeed(responseOf(200)))
        // Every world has its own receivers: the worker sends to those of the first.
        const worker = yield* Effect.forkScoped(first.work)
        for (let index = 0; index < slots / 2; index++) yield* first.outside.next
        const waits: Array<number> = []
        for (const [probe, { endpoint, shop }] of probes.entries()) {
          const added = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          if (probe % 2 === 0) yield* orders(shop, 1)
          else yield* shop.run(sendTestEvent(shop.shop, endpoint.id))
          for (let waited = 0; waited < 250; waited += 50) {
            const before = first.outside.sent.length
            yield* TestClock.adjust(50)
            // One attempt leaves its slot, so that another one begins.
            while (first.outside.sent.length === before) yield* first.outside.next
            const arrival = first.outside.sent.find(({ request }) => request.url === endpoint.url)
            if (arrival === undefined) continue
            waits.push(arrival.at - added)
            break
          }
        }
        expect(waits).toHaveLength(40)
        // Each of the others is tried in time, too.
        const tried = () => new Set(first.outside.sent.filter(hangs).map(({ request }) => request.url)).size
        for (let steps = 0; steps < 2_000 && tried() < 200; steps++) yield* TestClock.adjust(50)
        expect(tried()).toBe(200)
        expect(first.outside.most()).toBeGreaterThan(slots)
        expect(first.outside.most()).toBeLessThanOrEqual(slots + 8 * slots)
        yield* Effect.forkScoped(Fiber.interrupt(worker))
        yield* TestClock.adjust(10 * second)
      }),
  )

  it.effect("MUST be one for an endpoint until its first success, and its whole share from then on", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ worker: { concurrency: 16, perEndpoint: 3 }, standing: "newcomer" })
      const endpoint = yield* world.endpoint()
      world.outside.respond = lasting(responseOf(200), 100)
      yield* orders(world, 10)
      const worker = yield* Effect.forkScoped(world.work)
      yield* world.outside.next
      yield* TestClock.adjust(99)
      expect(world.outside.sent).toHaveLength(1)
      yield* TestClock.adjust(1)
      yield* Effect.all([world.outside.next, world.outside.next, world.outside.next])
      expect(world.outside.mostTo(endpoint.url)).toBe(3)
      yield* Effect.forkScoped(Fiber.interrupt(worker))
      yield* TestClock.adjust(second)
    }),
  )
})

it.effect("A shop MUST have at most half of a worker's slots, even if no other shop has anything due (D45)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld({ worker: { concurrency: 7, perEndpoint: 7 } })
    yield* Effect.all([world.endpoint(), world.endpoint(), world.endpoint()])
    yield* orders(world, 6)
    world.outside.respond = () => Effect.never
    const worker = yield* Effect.forkScoped(world.work)
    for (let index = 0; index < 4; index++) yield* world.outside.next
    yield* TestClock.adjust(second)
    expect(world.outside.sent).toHaveLength(4)
    yield* Effect.forkScoped(Fiber.interrupt(worker))
    yield* TestClock.adjust(10 * second)
  }),
)
