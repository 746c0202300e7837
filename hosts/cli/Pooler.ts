/** Whether hosts hear of one another: not through a pooler. */
import { Data, Effect } from "effect"
import * as Postgres from "../../adapters/postgres/index.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import type { HostConfig } from "./ReadConfig.ts"

/** A NOTIFY over the connections to the database does not reach the listening one. */
class NotHeard extends Data.TaggedError("NotHeard")<{ readonly message: string }> {}

type PostgresUrl = NonNullable<HostConfig["databaseUrl"]>

/** Returns a sentence if hosts hear of one another, or if the configuration says that they don't. */
export const listening = Effect.fnUntraced(function* (config: HostConfig, url: PostgresUrl) {
  if (config.pooler !== undefined && config.listenUrl === undefined) {
    return "not used behind a pooler without DESIGNWIRE_LISTEN_URL: workers look for themselves every second"
  }
  const heard = yield* Postgres.isHeard({ ...config, url })
  if (heard) return "heard"
  return yield* new NotHeard({
    message:
      config.listenUrl === undefined
        ? "not heard. DATABASE_URL leads to a pooler: set DESIGNWIRE_DATABASE_POOLER=transaction, " +
          "and DESIGNWIRE_LISTEN_URL to a direct connection"
        : "not heard: DESIGNWIRE_LISTEN_URL must lead to the same database as DATABASE_URL, and not to a pooler",
  })
})

/** Logs a warning if the database has a pooler that the configuration does not name. */
export const warnOfPooler = (config: HostConfig): Effect.Effect<void> =>
  config.databaseUrl === undefined
    ? Effect.void
    : listening(config, config.databaseUrl).pipe(
        Effect.catchTag("NotHeard", ({ message }) =>
          Effect.logWarning(`LISTEN: ${message}`).pipe(logged("listen.not_heard")),
        ),
        Effect.catch((error) =>
          Effect.logWarning(`Could not check whether LISTEN is heard: ${reasonOf(error)}`).pipe(
            logged("listen.check_failed"),
          ),
        ),
        Effect.asVoid,
      )
