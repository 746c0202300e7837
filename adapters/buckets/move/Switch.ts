/** The switch: closes the source, waits until the target has everything, and opens the target. */
import { Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { withoutDefects } from "../../sql/statements/Errors.ts"
import { lockedTargetState, openCopy, targetState } from "./Copy.ts"
import { close, isClosed, NotYet, queueing, reopen, withoutWaiting } from "./Fence.ts"
import { handOver } from "./Handover.ts"
import { type Move, MoveError } from "./Places.ts"
import { disableSubscription } from "./Replication.ts"
import { hasConfirmed, markLog, slotName } from "./Slots.ts"
import { durably } from "./Tables.ts"
import { copiedTables } from "./Watch.ts"

/** How long the source may stay closed until the target has everything. */
const draining = "2 seconds"

/**
 * Tries to switch. Returns whether the target is open; if not, the source is. One transaction at the target holds off
 * other commands, from before the source is closed until the target is open: killed at any point, either it commits or
 * the target is still a copy.
 */
export const tryToSwitch = (move: Move): Effect.Effect<boolean, MoveError | SqlError.SqlError> =>
  durably(move.target.sql, attempt(move)).pipe(
    Effect.as(true),
    Effect.catchTag("NotYet", ({ message }) =>
      Effect.logWarning(`${move.schema} does not move yet: ${message}`).pipe(
        logged("bucket.waits"),
        Effect.andThen(reopenUnlessOpened(move)),
        Effect.as(false),
      ),
    ),
    Effect.onError(() =>
      Effect.catchCause(Effect.retry(withoutDefects(reopenUnlessOpened(move)), again), (cause) =>
        Effect.logError(`${move.schema} may be closed: run the command again`, cause).pipe(
          logged("bucket.maybe_closed"),
        ),
      ),
    ),
  )

/** A lost connection may come back. */
const again = { schedule: Schedule.spaced("1 second"), times: 5, while: SqlError.isSqlError }

/** Opens the source again, if it is closed and the target is not open. */
export const reopenUnlessOpened = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  // If a COMMIT got no answer, this waits for its outcome.
  if ((yield* targetState(move)) === "open") return
  yield* move.step("reopen")
  yield* reopen(move)
  yield* move.setPhase("copying")
})

const attempt = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, NotYet | MoveError | SqlError.SqlError> {
  const { schema, source, step, target } = move
  if ((yield* lockedTargetState(move)) !== "copy") {
    return yield* new MoveError({ message: `Another command has changed ${schema}. Run the command again` })
  }
  if (!(yield* isClosed(move))) {
    yield* step("announce")
    yield* move.setPhase("switching")
    yield* step("close")
    yield* close(move)
  }
  yield* step("drain")
  yield* drain(move)
  yield* step("hand over")
  yield* target.sql`SELECT set_config('lock_timeout', ${String(queueing)}, true) AS waits`
  // Dropping the subscription would forget how far it has got, even if the transaction is rolled back.
  yield* Effect.andThen(disableSubscription(target, schema), openCopy(move)).pipe(
    withoutWaiting(`something reads the copy in ${target.name} for over ${queueing} ms`),
  )
  yield* handOver(source, target, schema)
  yield* step("open")
})

/** Waits until the target has stored all that the source has. */
const drain = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, NotYet | SqlError.SqlError> {
  const { schema, source, target } = move
  const { copied, tables } = yield* copiedTables(target.sql, schema)
  if (copied < tables) return yield* new NotYet({ message: "some tables are not copied" })
  const slot = yield* slotName(source, schema)
  const position = yield* markLog(source)
  yield* hasConfirmed(source, slot, position).pipe(
    Effect.repeat({ until: (confirmed) => confirmed, schedule: Schedule.spaced("20 millis") }),
    Effect.timeoutOrElse({
      duration: draining,
      orElse: () => new NotYet({ message: `${target.name} was not up to date after ${draining}` }),
    }),
  )
})
