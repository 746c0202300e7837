/** What all parts of a move share: the shop, the two cells, and the names of what a move makes in them. */
import { Context, Data, Effect, type Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Why a shop can't be moved, with what to do about it. */
export class MoveError extends Data.TaggedError("MoveError")<{ readonly message: string }> {}

/** The shop can't be switched at the moment; it can soon. */
export class NotYet extends Data.TaggedError("NotYet")<{ readonly message: string }> {}

/** A cell's database. */
export interface Cell {
  /** Its name in messages. */
  readonly name: string
  readonly sql: SqlClient.SqlClient
  /**
   * A direct connection as the other cell's server reaches it, in the form that libpq knows, as a user who may
   * replicate. During the move the target has the source's in its catalog, which only superusers can read.
   */
  readonly url: Redacted.Redacted
}

/** A table whose primary key begins with the shop. */
export interface ShopTable {
  readonly name: string
  /** The column of the shop. */
  readonly shop: string
}

/** A move of a shop. */
export interface Move {
  readonly shop: string
  readonly schema: string
  /** A short name for what the move makes: the same whenever the command runs for this shop. */
  readonly id: string
  /** The tables with rows of shops. */
  readonly tables: ReadonlyArray<ShopTable>
  readonly source: Cell
  readonly target: Cell
}

/** Runs before each change that a move makes. Tests break moves off there. */
export const BeforeStep = Context.Reference<(name: string) => Effect.Effect<void, MoveError>>(
  "designwire/cells/BeforeStep",
  { defaultValue: () => () => Effect.void },
)

/** The name of the publication and the slot at the source, and of the subscription at the target. */
export const nameOf = ({ id }: Pick<Move, "id">): string => `dw_move_${id}`

/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Milliseconds for which statements of hosts may queue behind the locks of a move. */
export const queueing = 500

/**
 * The same if a table is being vacuumed: the server ends a VACUUM of its own that keeps a lock from somebody for longer
 * than `deadlock_timeout`, which is a second by default.
 */
export const outlastingVacuum = 1_500

/**
 * Runs a transaction that is on disk once it has ended, whatever the server does otherwise: a crash must not undo a
 * step of a move once the other cell has been changed after it. It waits for locks for some milliseconds.
 */
export const durably = <A, E, R>(
  sql: SqlClient.SqlClient,
  transaction: Effect.Effect<A, E, R>,
  waits = queueing,
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.withTransaction(
    Effect.andThen(
      sql`SELECT set_config('synchronous_commit', 'on', true) AS flushed,
  set_config('lock_timeout', ${String(waits)}, true) AS waits`,
      transaction,
    ),
  )
