/** A deployment of two buckets on two servers of the run's own, and its commands. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { fileURLToPath } from "node:url"
import postgres from "postgres"
import { hashOf } from "../../../adapters/buckets/BucketMap.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { type Server, startServer } from "../support/Postgres.ts"

/** The names of the databases. The directory is in `first`. */
export const names = ["first", "second"] as const
export type Name = (typeof names)[number]

/** The bucket that moves, as operators write it, and its schema. The other one, `00`, stays in `first`. */
export const [bucket, schema] = ["01", "designwire_01"]

/** Ids of shops that are in the bucket that moves. */
export const shopIds = (count: number): ReadonlyArray<string> =>
  Array.from({ length: 20 * count }, (_, index) => `shop${index}`)
    .filter((id) => hashOf(id) % 2 === 1)
    .slice(0, count)

/** A command that runs. */
export interface Command {
  readonly child: ChildProcess
  readonly printed: () => string
  /** How it ended: the code is `null` if it was killed. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>
}

/** The servers, and connections to them that are made again when they are lost. */
export interface Deployment {
  readonly servers: Readonly<Record<Name, Server>>
  readonly sql: Readonly<Record<Name, postgres.Sql>>
  /** `DESIGNWIRE_DATABASES`. */
  readonly databases: string
  /** Starts `designwire` with parameters. */
  readonly command: (...parameters: ReadonlyArray<string>) => Command
}

const main = fileURLToPath(new URL("../../../dist/hosts/cli/main.js", import.meta.url))

/** Starts both servers, with everything in `first`. */
export const startDeployment = async (cleanup: Cleanup, settings: ReadonlyArray<string> = []): Promise<Deployment> => {
  const start = () => startServer(cleanup, ["wal_level=logical", ...settings])
  const servers = { first: await start(), second: await start() }
  const connect = ({ url }: Server) => {
    const sql = postgres(url, { max: 2, onnotice: () => undefined })
    cleanup.add(() => sql.end({ timeout: 1 }))
    return sql
  }
  const sql = { first: connect(servers.first), second: connect(servers.second) }
  const listed = (list: ReadonlyArray<Name>) => list.map((name) => `${name}=${servers[name].url}`).join(",")
  const within =
    (databases: string) =>
    (...parameters: ReadonlyArray<string>): Command => {
      const environment = { ...process.env, NO_COLOR: "1", DESIGNWIRE_BUCKETS: "2", DESIGNWIRE_DATABASES: databases }
      const child = spawn(process.execPath, [main, ...parameters], {
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      })
      let printed = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          printed += text
        })
      }
      return {
        child,
        printed: () => printed,
        ended: once(child, "close").then(([code]) => ({ code: code as number | null, printed })),
      }
    }
  await succeeded(within(listed(["first"]))("migrate"))
  const databases = listed(names)
  return { servers, sql, databases, command: within(databases) }
}

/** Waits for the end of a command, which must be a success. */
export const succeeded = async ({ child, ended }: Command): Promise<void> => {
  const { code, printed } = await ended
  if (code !== 0) throw new Error(`${child.spawnargs.slice(2).join(" ")} ended with ${code}:\n${printed}`)
}

/** The database of the bucket, how often it has moved, and the phase of a move under way. */
export interface Whereabouts {
  readonly database: Name
  readonly epoch: number
  readonly phase: "copying" | "switching" | null
}

/** The directory's rows of the bucket. */
export const whereabouts = async ({ sql }: Deployment): Promise<Whereabouts> => {
  const [row] = await sql.first<[Whereabouts]>`SELECT b.database, b.epoch, m.phase
    FROM designwire_directory.buckets b LEFT JOIN designwire_directory.moves m USING (bucket) WHERE b.bucket = 1`
  return row
}

/** Leftovers of moves: schemas, slots, publications, subscriptions and triggers in both databases. */
export const remains = async (deployment: Deployment): Promise<ReadonlyArray<string>> => {
  const { database } = await whereabouts(deployment)
  const found = await Promise.all(
    names.map(async (name) => {
      const rows = await deployment.sql[name]<Array<{ name: string }>>`SELECT 'schema ' || nspname AS name
          FROM pg_namespace WHERE starts_with(nspname, 'designwire')
          AND nspname NOT IN ('designwire_00', 'designwire_directory', ${database === name ? schema : ""})
        UNION ALL SELECT 'slot ' || slot_name FROM pg_replication_slots
        UNION ALL SELECT 'publication ' || pubname FROM pg_publication
        UNION ALL SELECT 'subscription ' || subname FROM pg_subscription
        UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger`
      return rows.map((row) => `${row.name} in ${name}`)
    }),
  )
  const rows = await deployment.sql.first<Array<{ bucket: number }>>`SELECT bucket FROM designwire_directory.moves`
  return [...found.flat(), ...rows.map(() => "a row of the directory")]
}
