/** Whether hosts hear of one another: not through a pooler. */
import { Data, Effect } from "effect"
import * as Postgres from "../../adapters/postgres/index.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import type { Buckets, HostConfig } from "./ReadConfig.ts"

/** A NOTIFY over the connections to the database does not reach the listening one. */
class NotHeard extends Data.TaggedError("NotHeard")<{ readonly message: string }> {}

type PostgresUrl = NonNullable<HostConfig["databaseUrl"]>

/** The connections to a database. */
interface Connections extends Pick<HostConfig, "pooler" | "listenUrl"> {
  readonly url: PostgresUrl
  /** The variable that names the database. */
  readonly variable: "DATABASE_URL" | "DESIGNWIRE_DATABASES"
}

/** The connections to the one database. */
export const connectionsTo = ({ listenUrl, pooler }: HostConfig, url: PostgresUrl): Connections => ({
  ...{ url, pooler, listenUrl, variable: "DATABASE_URL" },
})

/** The connections to each database of the buckets. */
export const connectionsOf = (
  { pooler }: HostConfig,
  { databases, listenUrls }: Buckets,
): ReadonlyArray<readonly [name: string, Connections]> =>
  Object.entries(databases).map(([name, url]) => [
    name,
    { url, pooler, listenUrl: listenUrls[name], variable: "DESIGNWIRE_DATABASES" },
  ])

/** Returns a sentence if hosts hear of one another, or if the configuration says that they don't. */
export const listening = Effect.fnUntraced(function* (config: Connections) {
  if (config.pooler !== undefined && config.listenUrl === undefined) {
    return "not used behind a pooler without DESIGNWIRE_LISTEN_URL: workers look for themselves every second"
  }
  const heard = yield* Postgres.isHeard(config)
  if (heard) return "heard"
  return yield* new NotHeard({
    message:
      config.listenUrl === undefined
        ? `not heard. ${config.variable} leads to a pooler: set DESIGNWIRE_DATABASE_POOLER=transaction, ` +
          "and DESIGNWIRE_LISTEN_URL to a direct connection"
        : `not heard: DESIGNWIRE_LISTEN_URL must lead to the same database as ${config.variable}, and not to a pooler`,
  })
})

/** Logs a warning for each database with a pooler that the configuration does not name. */
export const warnOfPooler = (config: HostConfig): Effect.Effect<void> => {
  const { buckets, databaseUrl } = config
  if (buckets !== undefined) {
    return Effect.forEach(
      connectionsOf(config, buckets),
      ([name, connections]) => warn(`LISTEN of ${name}`, connections),
      {
        concurrency: "unbounded",
        discard: true,
      },
    )
  }
  return databaseUrl === undefined ? Effect.void : warn("LISTEN", connectionsTo(config, databaseUrl))
}

const warn = (what: string, connections: Connections): Effect.Effect<void> =>
  listening(connections).pipe(
    Effect.catchTag("NotHeard", ({ message }) =>
      Effect.logWarning(`${what}: ${message}`).pipe(logged("listen.not_heard")),
    ),
    Effect.catch((error) =>
      Effect.logWarning(`Could not check whether ${what} is heard: ${reasonOf(error)}`).pipe(
        logged("listen.check_failed"),
      ),
    ),
    Effect.asVoid,
  )
