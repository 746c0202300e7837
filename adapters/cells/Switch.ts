/** The switch: closes the shop at the source, waits until the target has everything, and opens it there. */
import { Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { logged } from "../../core/model/log/LogEvent.ts"
import { withoutDefects } from "../sql/statements/Errors.ts"
import { awaitWriters, setGate, withoutWaiting } from "./Gate.ts"
import { durably, type Move, MoveError, NotYet, nameOf, queueing } from "./Move.ts"
import { raisePositions } from "./Positions.ts"
import { disableSubscription } from "./Replication.ts"
import { hasConfirmed, markLog } from "./Slots.ts"
import { shopIn } from "./States.ts"
import { step } from "./Steps.ts"

/** How long the shop may stay closed until the target has everything. */
const draining = "2 seconds"

/**
 * How long an attempt may take altogether, and one to open the shop at the source again: a server that does not answer
 * must not keep the shop closed without a word.
 */
const answering = "10 seconds"

/** Tries to switch. Returns why the shop is open at the source still; `undefined` if it is open at the target. */
export const tryToSwitch = (move: Move): Effect.Effect<string | undefined, MoveError | SqlError.SqlError> =>
  attempt(move).pipe(
    Effect.timeoutOrElse({
      duration: answering,
      orElse: () => new NotYet({ message: `a server did not answer within ${answering}` }),
    }),
    Effect.as(undefined),
    Effect.catchTag("NotYet", ({ message }) =>
      Effect.logWarning(`${move.shop} does not move yet: ${message}`).pipe(
        logged("cells.waits", { shop: move.shop }),
        Effect.andThen(reopen(move)),
        Effect.map((isOpened) => (isOpened ? undefined : message)),
      ),
    ),
    Effect.onError(() =>
      Effect.catchCause(Effect.retry(withoutDefects(Effect.interruptible(inTime(reopen(move)))), again), (cause) =>
        Effect.logError(`${move.shop} may be closed: run the command again`, cause).pipe(
          logged("cells.maybe_closed", { shop: move.shop }),
        ),
      ),
    ),
  )

const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: answering,
    orElse: () => new MoveError({ message: `a server did not answer within ${answering}` }),
  })

/** A lost connection may come back. */
const again = { schedule: Schedule.spaced("1 second"), times: 5, while: SqlError.isSqlError }

const attempt = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, NotYet | MoveError | SqlError.SqlError> {
  const { source } = move
  yield* step("close")
  yield* close(move)
  yield* step("await writers")
  yield* awaitWriters(source, move)
  yield* step("drain")
  const position = yield* markLog(source)
  yield* hasConfirmed(source, nameOf(move), position).pipe(
    Effect.repeat({ until: (confirmed) => confirmed, schedule: Schedule.spaced("10 millis") }),
    Effect.timeoutOrElse({
      duration: draining,
      orElse: () => new NotYet({ message: `${move.target.name} was not up to date after ${draining}` }),
    }),
  )
  yield* step("open")
  yield* open(move)
})

/**
 * Closes the shop at the source in one transaction: its row of `shops` is kept in `moves`, so that nothing is claimed
 * for it, and the gate refuses changes. Hosts forget its tokens.
 */
const close = (move: Move): Effect.Effect<void, NotYet | MoveError | SqlError.SqlError> => {
  const { shop, source } = move
  const { sql } = source
  return durably(
    sql,
    Effect.gen(function* () {
      const [closed] = yield* sql<{ state: string }>`SELECT state FROM designwire.moves WHERE shop = ${shop} FOR UPDATE`
      if (closed?.state === "closed") return
      const left =
        yield* sql`WITH gone AS (DELETE FROM designwire.shops s WHERE s.id = ${shop} RETURNING to_jsonb(s) AS row)
UPDATE designwire.moves m SET state = 'closed', shop_row = g.row, at = now() FROM gone g
WHERE m.shop = ${shop} AND m.state = 'copying' RETURNING 1 AS left`
      if (left.length === 0) {
        return yield* new MoveError({
          message: `${shop} was removed from ${source.name}, or another command has ended its move. End it with --undo`,
        })
      }
      yield* setGate(source, move, "closed")
      yield* notify(move, "source")
    }),
  ).pipe(withoutWaiting(`something changes ${shop} in ${source.name} for over ${queueing} ms`))
}

/** Lets hosts forget what they know of the shop's tokens, and workers look for its deliveries. */
const notify = ({ shop, source, target }: Move, at: "source" | "target") => {
  const { sql } = at === "source" ? source : target
  return Effect.andThen(
    sql`SELECT pg_notify(${sql.literal("'designwire_tokens'")}, digest) FROM designwire.tokens WHERE shop = ${shop}`,
    sql`SELECT pg_notify(${sql.literal("'designwire_deliveries'")}, ${shop}::text)`,
  )
}

/**
 * Opens the shop at the target in one transaction. The row of `shops` is the only thing that hosts need, and this
 * transaction the only one that may make it: it needs the entry of this attempt, which going back takes away first.
 */
const open = (move: Move): Effect.Effect<void, NotYet | MoveError | SqlError.SqlError> => {
  const { shop, source, target } = move
  const { sql } = target
  return durably(
    sql,
    Effect.gen(function* () {
      const [row] = yield* source.sql<{ run: string; row: string }>`SELECT run, shop_row::text AS row
FROM designwire.moves WHERE shop = ${shop} AND state = 'closed'`
      const expected = yield* sql`DELETE FROM designwire.moves
WHERE shop = ${shop} AND state = 'arriving' AND run = ${row?.run ?? null} RETURNING 1 AS expected`
      if (row === undefined || expected.length === 0) {
        return yield* new MoveError({
          message: `Another command has changed the move of ${shop}. Run the command again`,
        })
      }
      yield* disableSubscription(move)
      yield* setGate(target, move, "open")
      yield* raisePositions(move)
      yield* sql`INSERT INTO designwire.shops
SELECT * FROM jsonb_populate_record(NULL::designwire.shops, ${row.row}::text::jsonb)`
      yield* notify(move, "target")
    }),
  ).pipe(withoutWaiting(`something waits for ${shop} in ${target.name} for over ${queueing} ms`))
}

/**
 * Opens the shop at the source again, unless it is open at the target: returns whether it is. First the attempt gets
 * another name at the target, which waits for a transaction that opens there, and lets no later one open.
 */
export const reopen = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<boolean, MoveError | SqlError.SqlError> {
  const { shop, target } = move
  yield* step("reopen")
  const [renamed] = yield* durably(
    target.sql,
    target.sql<{ run: string }>`UPDATE designwire.moves SET run = gen_random_uuid()::text
WHERE shop = ${shop} AND state = 'arriving' RETURNING run`,
  )
  if ((yield* shopIn(target, shop)).isHere) return true
  yield* reopenAtSource(move, renamed?.run)
  return false
})

/** Opens the shop at the source again if it is closed there, and gives the attempt another name. */
export const reopenAtSource = Effect.fnUntraced(function* (
  move: Move,
  run: string | undefined,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { shop, source } = move
  const { sql } = source
  yield* step("reopen at the source")
  yield* durably(
    sql,
    Effect.gen(function* () {
      if (run !== undefined) yield* sql`UPDATE designwire.moves SET run = ${run} WHERE shop = ${shop}`
      const [closed] =
        yield* sql`SELECT 1 AS closed FROM designwire.moves WHERE shop = ${shop} AND state = 'closed' FOR UPDATE`
      if (closed === undefined) return
      yield* setGate(source, move, "open")
      yield* sql`INSERT INTO designwire.shops
SELECT r.* FROM designwire.moves m, jsonb_populate_record(NULL::designwire.shops, m.shop_row) r WHERE m.shop = ${shop}`
      yield* sql`UPDATE designwire.moves SET state = 'copying', shop_row = NULL, at = now() WHERE shop = ${shop}`
      yield* notify(move, "source")
    }),
  )
})
