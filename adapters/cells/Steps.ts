/** The steps of a move, and what becomes known of one that takes long: no command waits without a word, or forever. */
import { Clock, Context, Effect } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { onOwnConnection } from "../sql/statements/Transaction.ts"
import { BeforeStep, type Cell, MoveError } from "./Move.ts"

/** The current step of a command, and the time of its last progress. */
interface Doing {
  what: string
  since: number
}

const Doing = Context.Reference<Doing | undefined>("designwire/cells/Doing", { defaultValue: () => undefined })

/** How long the patience with a step is, in milliseconds. */
export interface Patience {
  /** After this time, and each time again, the log says what the command waits for. */
  readonly word: number
  /** After this time without progress the command ends. */
  readonly end: number
}

export const Patience = Context.Reference<Patience>("designwire/cells/Patience", {
  defaultValue: () => ({ word: 10_000, end: 300_000 }),
})

/** Announces a change that a move makes next. */
export const step = (name: string): Effect.Effect<void, MoveError> => Effect.andThen(announce(name), doing(name))

/** The same for a step that recurs, without being progress. */
export const announce = (name: string): Effect.Effect<void, MoveError> =>
  Effect.flatMap(BeforeStep, (beforeStep) => beforeStep(name))

/** Notes what the command does, and whether that is progress. */
export const doing = (what: string, isFurther = true): Effect.Effect<void> =>
  Effect.flatMap(Doing, (known) =>
    known === undefined
      ? Effect.void
      : Effect.map(Clock.currentTimeMillis, (now) => {
          known.what = what
          if (isFurther) known.since = now
        }),
  )

/**
 * Runs a command, and says every ten seconds what it waits for while it makes no progress. Interrupts it after five
 * minutes of that, and fails.
 */
export const watched = <A, E, R>(
  shop: string,
  cells: ReadonlyArray<Cell>,
  command: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | MoveError, R> =>
  Effect.gen(function* () {
    const { end, word } = yield* Patience
    const now: Doing = { what: "begin", since: yield* Clock.currentTimeMillis }
    const look = Effect.gen(function* () {
      const waited = (yield* Clock.currentTimeMillis) - now.since
      if (waited < word) return
      const sentence = `"${now.what}" of ${shop} has made no progress for ${Math.round(waited / 1000)} s`
      const reasons = yield* Effect.forEach(cells, holders)
      const message = [sentence, ...reasons.flat()].join(". ")
      if (waited >= end) return yield* new MoveError({ message: `${message}. Run the command again` })
      yield* Effect.logWarning(message).pipe(logged("cells.waits", { shop }))
    })
    return yield* Effect.raceFirst(
      Effect.provideService(command, Doing, now),
      Effect.forever(Effect.delay(look, word)) as Effect.Effect<never, MoveError>,
    )
  })

/** The open transactions that may keep a move waiting, as sentences. */
const holders = ({ name, sql }: Cell): Effect.Effect<ReadonlyArray<string>> => {
  const found = sql<{ who: string; seconds: number }>`SELECT
  format('process %s (%s%s)', a.pid, concat_ws(', ', nullif(a.application_name, ''), a.state),
    CASE WHEN a.datname <> current_database() THEN ', in the database ' || a.datname ELSE '' END) AS who,
  extract(epoch FROM now() - a.xact_start)::float8 AS seconds
FROM pg_catalog.pg_stat_activity a
WHERE a.backend_type = 'client backend' AND a.pid <> pg_backend_pid() AND a.xact_start < now() - interval '1 second'
  AND (a.backend_xid IS NOT NULL OR a.state LIKE 'idle in transaction%')
UNION ALL SELECT 'the prepared transaction ' || p.gid, extract(epoch FROM now() - p.prepared)::float8
FROM pg_catalog.pg_prepared_xacts p ORDER BY 2 DESC LIMIT 3`
  return Effect.flatMap(onOwnConnection(sql), (own) => own(found)).pipe(
    Effect.map((rows) =>
      rows.map(({ seconds, who }) => `In ${name}, ${who} has been in a transaction for ${Math.round(seconds)} s`),
    ),
    Effect.timeout("5 seconds"),
    Effect.catchCause(() => Effect.succeed([`${name} does not answer`])),
  )
}
