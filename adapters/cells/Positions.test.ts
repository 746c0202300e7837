/** Positions of the feed at the target of a move. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule } from "effect"
import { openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { raisePositions } from "./Positions.ts"

it.live(
  "the target's positions MUST come to be the source's, however far, and each step wait for earlier writers",
  () =>
    Effect.gen(function* () {
      const { source, target } = yield* openCells(yield* migratedDatabase, yield* migratedDatabase)
      const raise = raisePositions({ shop: "a", schema: "designwire", id: "a", tables: [], source, target })
      const positionAt = ({ sql }: typeof source) =>
        Effect.map(sql<{ last: string }>`SELECT last_value::text AS last FROM designwire.feed_positions`, ([row]) =>
          Number(row?.last),
        )
      const before = yield* positionAt(target)
      const wanted = before + 5 * 2 ** 28 + 7
      yield* source.sql`SELECT setval('designwire.feed_positions', ${wanted}::text::int8)`
      const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const writer = yield* Effect.forkChild(
        target.sql.withTransaction(
          Effect.gen(function* () {
            yield* target.sql`SELECT pg_advisory_xact_lock_shared(7, 1)`
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(ended)
          }),
        ),
      )
      yield* Deferred.await(begun)
      const raising = yield* Effect.forkChild(raise)
      yield* Effect.repeat(positionAt(target), {
        until: (position) => position > before,
        schedule: Schedule.spaced("5 millis"),
      })
      const seen: Array<number> = []
      for (const _ of [1, 2, 3, 4, 5]) seen.push(yield* positionAt(target))
      const isWaiting = raising.pollUnsafe() === undefined
      yield* Deferred.succeed(ended, undefined)
      yield* Fiber.join(writer)
      yield* Fiber.join(raising)
      expect([isWaiting, ...new Set(seen)]).toEqual([true, before + 2 ** 28])
      expect(yield* positionAt(target)).toBe(wanted)
      // A position that is there already, or further, stays.
      yield* raise
      yield* source.sql`SELECT setval('designwire.feed_positions', 1)`
      yield* raise
      expect(yield* positionAt(target)).toBe(wanted)
    }).pipe(Effect.scoped),
)
