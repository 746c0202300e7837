import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"

/** Says what to do after a database has failed during a move. `undo` undoes it. */
export const orBrokenOff = <A, E, R>(
  move: Effect.Effect<A, E | SqlError.SqlError, R>,
  undo?: string,
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | ConfigError, R> =>
  Effect.catchTag(move as Effect.Effect<A, SqlError.SqlError, R>, "SqlError", (error) =>
    configError(
      `Broken off, because a database failed: ${reasonOf(error)}. Nothing is lost. Once every database answers, ` +
        `run the command again, which goes on${undo === undefined ? "" : `, or ${undo} to undo it`}. ` +
        "Calls for what it moves may wait until then",
    ),
  ) as Effect.Effect<A, Exclude<E, SqlError.SqlError> | ConfigError, R>
