/** Moves that something keeps waiting: they say so, and end. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, Redacted } from "effect"
import { endedBefore, newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { moveShop } from "./index.ts"
import { Patience } from "./Steps.ts"

/**
 * Moves a shop, whose move may have got to a step before, while a transaction with a statement is open at its source.
 * Returns the lines of the log too.
 */
const moving = (statement: (shop: string) => string, got?: string) =>
  Effect.gen(function* () {
    const { options, remains, source, target } = yield* Effect.flatMap(
      Effect.all([migratedDatabase, migratedDatabase]),
      ([source, target]) => openCells(source, target),
    )
    const { check, shop, write } = yield* source.onHost(newShopInUse)
    if (got !== undefined) yield* endedBefore(got, moveShop(options(shop)))
    const begun = yield* Deferred.make<void>()
    const isOver = yield* Deferred.make<void>()
    const holding = yield* Effect.forkChild(
      source.sql.withTransaction(
        Effect.gen(function* () {
          yield* source.sql.unsafe(statement(shop))
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(isOver)
        }),
      ),
    )
    yield* Effect.raceFirst(Deferred.await(begun), Fiber.join(holding))
    const command = yield* openCells(Redacted.value(source.url), Redacted.value(target.url))
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    const error = yield* Effect.flip(moveShop(command.options(shop))).pipe(
      Effect.provideService(Patience, { word: 1_500, end: 4_000 }),
      Effect.provide(Logger.layer([logger])),
    )
    // The shop is open, and the same command continues once the transaction has ended.
    yield* source.onHost(write)
    yield* Deferred.succeed(isOver, undefined)
    yield* Fiber.join(holding)
    expect(yield* moveShop(options(shop))).toBe(true)
    yield* target.onHost(check)
    expect(yield* remains).toEqual([])
    return { error, lines }
  }).pipe(Effect.scoped)

it.live(
  "a move that makes no progress MUST say what it waits for, and which transactions are open, and end (D92)",
  () =>
    Effect.gen(function* () {
      // The replication slot waits for all transactions that write.
      const { error, lines } = yield* moving(() => "SELECT pg_current_xact_id()::text AS id")
      const sentence =
        /"make the slot" of \S+ has made no progress for \d+ s\. In source, process \d+ \(.*idle in transac/
      expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]))
      expect(error).toMatchObject({ _tag: "MoveError", message: expect.stringMatching(sentence) })
    }),
)

it.live(
  "a shop whose row a transaction holds MUST stay open at the source, and the move MUST say so and end (D91, D92)",
  () =>
    Effect.gen(function* () {
      const { error } = yield* moving(
        (shop) => `SELECT 1 FROM designwire.shops WHERE id = '${shop}' FOR SHARE`,
        "close",
      )
      expect(error).toMatchObject({ message: expect.stringMatching(/is still open in source: .*something changes/) })
    }),
)
