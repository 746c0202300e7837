import { Console, Effect, Option } from "effect"
import { readBuckets } from "../../../adapters/buckets/index.ts"
import { runOnConsole } from "../../../adapters/postgres/AdminConsole.ts"
import { configError } from "../ReadConfig.ts"
import { openMapFile } from "./MapFile.ts"
import { opened, type openedDatabases } from "./OpenBuckets.ts"
import { type PoolerKind, poolerMap } from "./PoolerMap.ts"

/** The poolers whose configuration can be printed or written. */
export interface PoolerConfigOptions {
  readonly pgdog: boolean
  readonly pgbouncer: boolean
  /** The file to write to. */
  readonly write: Option.Option<string>
}

/** `designwire bucket config`: the places of databases or buckets, in a pooler's own words, without passwords. */
export const showConfig = Effect.fn("bucket.config")(function* ({ pgbouncer, pgdog, write }: PoolerConfigOptions) {
  if (pgdog === pgbouncer) return yield* configError("Say for which pooler: --pgdog or --pgbouncer")
  const kind = pgdog ? "pgdog" : "pgbouncer"
  const databases = yield* opened
  if (Option.isSome(write)) return yield* yield* mapWriter(databases, kind, write.value)
  yield* Console.log(
    poolerMap(kind, { schema: databases.deployment.schema, buckets: databases.buckets, urls: databases.urls }),
  )
}, Effect.scoped)

/** An effect that writes the map as it is then into a file, and has the pooler read it. Fails if the file is unfit. */
export const mapWriter = Effect.fnUntraced(function* (
  { deployment, poolerAdminUrl, urls }: Effect.Success<typeof openedDatabases>,
  kind: PoolerKind,
  path: string,
) {
  const file = yield* openMapFile(path)
  return Effect.gen(function* () {
    yield* file.write(poolerMap(kind, { schema: deployment.schema, buckets: yield* readBuckets(deployment), urls }))
    if (poolerAdminUrl === undefined) {
      return yield* Console.log(`${path} has the map. Send RELOAD to the pooler, or set DESIGNWIRE_POOLER_ADMIN_URL`)
    }
    yield* runOnConsole(poolerAdminUrl, "RELOAD").pipe(
      Effect.mapError(({ message }) =>
        configError(`${path} has the map, but the pooler does not use it yet. ${message}. Send RELOAD to it`),
      ),
    )
    yield* Console.log(`${path} has the map, and the pooler has read it`)
  })
})
