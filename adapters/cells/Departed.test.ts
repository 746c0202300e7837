/** The source of a shop that has left it, or is leaving. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted, References } from "effect"
import { readToEnd, wholeFeed } from "../../conformance/suites/storage/events/FeedCases.ts"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { advance, request, success } from "../../conformance/suites/storage/support/Webhooks.ts"
import { endedBefore, newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { moveShop } from "./index.ts"

const newCells = Effect.flatMap(Effect.all([migratedDatabase, migratedDatabase]), ([source, target]) =>
  openCells(source, target),
)

/** Runs upkeep from its first step to its last, at a time. */
const upkeep = (now: number) =>
  Effect.gen(function* () {
    let after: string | null = null
    do {
      const step: string | null = yield* Upkeep.use(({ prune }) =>
        prune({ keep: 50, eventsBefore: 0, now, limit: 1_000, after }),
      )
      after = step
    } while (after !== null)
  })

it.live(
  "a source MUST keep a shop's rows for ten minutes after it has left, delete them by upkeep, and take it back (D91)",
  () =>
    Effect.gen(function* () {
      const { options, remains, rowsOf, source, target } = yield* newCells
      const { check, shop, work, write } = yield* source.onHost(newShopInUse)
      yield* source.onHost(Effect.andThen(Effect.andThen(write, work), write))
      const before = yield* rowsOf(source, shop)
      yield* moveShop(options(shop))
      const now = Date.now()
      yield* source.onHost(upkeep(now + 9 * 60_000))
      const { shops, ...left } = before
      expect([typeof shops, yield* rowsOf(source, shop)]).toEqual(["string", left])
      yield* source.onHost(upkeep(now + 11 * 60_000))
      expect(yield* rowsOf(source, shop)).toEqual({})
      expect(yield* Effect.flip(source.onHost(write))).toMatchObject({ message: expect.stringContaining("has moved") })
      // Another shop's move takes down the gate. A host still refuses the shop.
      const other = yield* source.onHost(newShopInUse)
      yield* moveShop(options(other.shop))
      expect(yield* Effect.flip(source.onHost(check))).toMatchObject({
        message: expect.stringContaining("another cell"),
      })
      yield* target.onHost(write)
      expect(yield* moveShop({ shop, source: target, target: source })).toBe(true)
      yield* source.onHost(check)
      expect(yield* Effect.flip(target.onHost(write))).toMatchObject({ message: expect.stringContaining("has moved") })
      expect((yield* remains).filter((name) => !/gate_|move_(insert|change)/.test(name))).toEqual([])
    }).pipe(Effect.scoped),
)

it.live("workers and upkeep MUST continue for other shops while one is closed, and send nothing of it (D91)", () =>
  Effect.gen(function* () {
    const { options, source, target } = yield* newCells
    const [use, other] = [yield* source.onHost(newShopInUse), yield* source.onHost(newShopInUse)]
    yield* source.onHost(Effect.andThen(use.write, other.write))
    // The command was killed while the shop was closed.
    yield* endedBefore("drain", moveShop(options(use.shop)))
    yield* source.onHost(Effect.andThen(other.write, upkeep(Date.now())))
    yield* source.onHost(Effect.andThen(other.work, other.work))
    expect(other.delivered().toSorted()).toEqual(other.events().toSorted())
    yield* source.onHost(use.work)
    expect(use.delivered()).toEqual([])
    // A claim that began before must not return what it can't lease: the target would send it at once.
    const late = source.sql`UPDATE designwire.deliveries SET claim_token = 'late' WHERE shop = ${use.shop}`
    expect(yield* Effect.flip(late)).toMatchObject({ cause: { cause: { code: "42P01" } } })
    yield* moveShop(options(use.shop))
    yield* target.onHost(use.work)
    expect(use.delivered()).toEqual(use.events())
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)

it.live("an attempt under way at the switch MUST be made again by the target, once its lease has ended (D91)", () =>
  Effect.gen(function* () {
    const { options, source, target } = yield* newCells
    const { events, shop, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(write)
    const now = someTime
    const claims = yield* source.onHost(
      DeliveryQueue.use((queue) => inTurn(queue).claim(request({ now, leaseUntil: now + 30_000 }))),
    )
    expect(claims.map(({ eventId }) => eventId)).toEqual(events())
    yield* moveShop(options(shop))
    const settled = yield* source.onHost(
      DeliveryQueue.use((queue) =>
        queue.settle(
          claims.map((claim) => success(claim)),
          advance,
        ),
      ),
    )
    expect(settled).toEqual([false])
    const claimedAt = (at: number) =>
      target.onHost(DeliveryQueue.use((queue) => inTurn(queue).claim(request({ now: at, leaseUntil: at + 30_000 }))))
    expect(yield* claimedAt(now + 29_000)).toEqual([])
    expect((yield* claimedAt(now + 31_000)).map(({ deliveryId }) => deliveryId)).toEqual(
      claims.map(({ deliveryId }) => deliveryId),
    )
  }).pipe(Effect.scoped),
)

it.live("a transaction that stays open MUST keep the shop open at the source, and its rows MUST move (D91)", () =>
  Effect.gen(function* () {
    const { source, target } = yield* newCells
    const { check, shop, write } = yield* source.onHost(newShopInUse)
    const begun = yield* Deferred.make<void>()
    const isOver = yield* Deferred.make<void>()
    const holding = yield* Effect.forkChild(
      source.sql.withTransaction(
        Effect.gen(function* () {
          yield* source.sql`INSERT INTO designwire.received VALUES (${shop}, 'evt_held', 'whe_1')`
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(isOver)
        }),
      ),
    )
    yield* Effect.raceFirst(Deferred.await(begun), Fiber.join(holding))
    const command = yield* openCells(Redacted.value(source.url), Redacted.value(target.url))
    const moving = yield* Effect.forkChild(moveShop(command.options(shop)))
    yield* Effect.sleep("4 seconds")
    // It is closed for at most half a second at a time.
    yield* Effect.retry(source.onHost(write), { times: 200 })
    yield* Deferred.succeed(isOver, undefined)
    yield* Fiber.join(holding)
    expect(yield* Fiber.join(moving)).toBe(true)
    yield* target.onHost(check)
    expect(yield* target.sql`SELECT 1 AS found FROM designwire.received WHERE shop = ${shop}`).toHaveLength(1)
    yield* target.onHost(EventStore.use((store) => readToEnd(store, wholeFeed(shop))))
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)
