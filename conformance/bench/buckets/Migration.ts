/** Whether all buckets are migrated in reasonable time, from anywhere, beside hosts. */
import { bucketSchema } from "../../../adapters/buckets/BucketMap.ts"
import { inSchema } from "../../../adapters/sql/index.ts"
import type { Load } from "../read/Load.ts"
import { pause } from "../support/Clock.ts"
import { note } from "../support/Main.ts"
import { start } from "../support/Processes.ts"
import { type Finding, finding } from "../support/Report.ts"
import type { Stage } from "./Stage.ts"

/** Buckets with the latest migration. */
const current = async ({ servers }: Stage): Promise<number> => {
  const counts = await Promise.all(
    servers.map(async ({ sql }) => {
      const [row] = await sql<[{ count: number }]>`SELECT count(*)::int4 AS count FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = 'shops_domain' AND n.nspname ~ '^designwire_[0-9]+$'`
      return row.count
    }),
  )
  return counts.reduce((sum, each) => sum + each, 0)
}

/** Migrates, is killed after half of the buckets, and migrates again. Returns seconds, and the buckets at the kill. */
const migrateTwice = async (stage: Stage) => {
  const [{ environment }] = stage.deployments
  const file = new URL("./migrate.ts", import.meta.url)
  const begin = performance.now()
  const killed = start(file, environment, stage.cleanup)
  const half = async () => {
    while ((await current(stage)) < stage.buckets / 2) await pause(50)
  }
  await Promise.race([half(), killed.answer()])
  await killed.stop()
  const atKill = await current(stage)
  note(`  killed after ${atKill} buckets`)
  const again = start(file, environment, stage.cleanup)
  const migrations = await again.answer<number>()
  const seconds = (performance.now() - begin) / 1_000
  await again.stop()
  return { seconds, atKill, migrations, left: stage.buckets - (await current(stage)) }
}

/** Makes the buckets. */
export const firstMigration = async (stage: Stage): Promise<ReadonlyArray<Finding>> => {
  note(`Migrating ${stage.buckets} new buckets, killed half-way`)
  const { seconds, left, ...details } = await migrateTwice(stage)
  return [
    finding(
      "Milliseconds to make a bucket",
      "ms",
      { designwire: (seconds * 1_000) / stage.buckets },
      { most: 100 },
      { seconds, ...details },
    ),
    finding("New buckets that lack a migration at the end", "buckets", { designwire: left }, { most: 0 }),
  ]
}

/** Takes every bucket back to the version before the latest migration. */
const takeBack = async ({ buckets, first, servers }: Stage): Promise<void> => {
  const statements = [
    "DROP INDEX designwire.shops_domain",
    "DELETE FROM designwire.migrations WHERE migration_id = 10",
  ].join(";\n")
  await Promise.all(
    servers.map(async ({ sql }, server) => {
      for (let bucket = server; bucket < buckets; bucket += servers.length) {
        await sql.unsafe(inSchema(bucketSchema("designwire", bucket, buckets))(statements))
      }
    }),
  )
  await first.sql`UPDATE designwire_directory.stores SET migration = 9`
}

/** Migrates filled buckets while a host reads from all of them. */
export const laterMigration = async (stage: Stage, load: Load, port: number): Promise<ReadonlyArray<Finding>> => {
  note("Taking every bucket back by a migration")
  await takeBack(stage)
  note("Migrating filled buckets beside a host, killed half-way")
  let isOver = false
  const reading = (async () => {
    const runs = []
    while (!isOver) runs.push(await load.run({ plan: "reads", port, connections: 4, milliseconds: 1_000 }))
    return runs
  })()
  const { seconds, left, ...details } = await migrateTwice(stage)
  isOver = true
  // Fails if any answer is wrong.
  const runs = await reading
  const reads = runs.reduce((sum, { requests }) => sum + requests, 0)
  return [
    finding(
      "Milliseconds to migrate a filled bucket beside reads",
      "ms",
      { designwire: (seconds * 1_000) / stage.buckets },
      { most: 50 },
      { seconds, ...details, reads, readsP99: Math.max(...runs.map(({ p99 }) => p99)) },
    ),
    finding("Filled buckets that lack the migration at the end", "buckets", { designwire: left }, { most: 0 }),
  ]
}
