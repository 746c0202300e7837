import { Effect } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { configError, readConfig } from "../ReadConfig.ts"
import { openBuckets } from "../Stores.ts"

/** The databases of the configured deployment, which may have no buckets yet, until the scope closes. */
export const openedDatabases = Effect.gen(function* () {
  const config = yield* readConfig(process.env, [])
  if (config.buckets === undefined) {
    return yield* configError("This deployment has no buckets: set DESIGNWIRE_BUCKETS and DESIGNWIRE_DATABASES")
  }
  const { deployment } = yield* openBuckets(config, config.buckets)
  const urls = config.buckets.databases
  return {
    deployment,
    urls,
    poolerAdminUrl: config.poolerAdminUrl,
    /** As moves see the deployment. */
    moves: {
      schema: deployment.schema,
      directory: Object.values(deployment.databases)[0] as (typeof deployment.databases)[string],
      databases: Object.fromEntries(
        Object.entries(deployment.databases).map(([name, sql]) => [
          name,
          { sql, url: urls[name] as (typeof urls)[string] },
        ]),
      ),
    },
  }
})

/** The configured deployment, for the commands of buckets: its databases and buckets, until the scope closes. */
export const opened = Effect.gen(function* () {
  const databases = yield* openedDatabases
  const buckets = yield* Buckets.readBuckets(databases.deployment)
  return { ...databases, buckets, nameOf: (bucket: number) => Buckets.bucketName(bucket, buckets.length) }
})

/** A number of bytes as people read it. */
export const sizeOf = (bytes: number): string => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  const unit = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`
}
