import { readdirSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "pg"
import { migrationScripts, migrations } from "../../adapters/sql/index.ts"
import { compatibleWith, leastFor, numberOf } from "../../adapters/sql/schema/KnownMigrations.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { runHere } from "../../conformance/testkit/processes/InProcess.ts"
import {
  address,
  run,
  secrets,
  send,
  start,
  stop,
  temporaryDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import { migrate } from "./Migrate.ts"
import { serve, worker } from "./Serve.ts"

/** A connection to a database, with which the tests look at it from outside. */
const connect = (connectionString: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

/** Every column and index of the schema but the list of migrations, as text. */
const schemaOf = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ line: string }>(`
SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '') AS line
FROM information_schema.columns WHERE table_schema = 'designwire' AND table_name <> 'migrations'
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'designwire' AND tablename <> 'migrations'
ORDER BY line`)
    return rows.map(({ line }) => line)
  })

const environmentOf = (url: string) => ({ ...secrets, DATABASE_URL: url })

/** The command within this process. The first test starts it as one. */
const migrateHere = (environment: Readonly<Record<string, string>>, { dryRun = false } = {}) =>
  runHere(migrate({ dryRun }), environment)

it.live("migrate MUST bring an empty database up to date, say what it did, and change nothing the second time", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const client = yield* connect(url)
    const first = yield* run(["migrate"], environmentOf(url))
    expect(first).toMatchObject({ code: 0, stderr: "" })
    expect(first.stdout).toMatch(/^Migrated: 1_baseline/)
    const schema = yield* schemaOf(client)
    expect(schema).toContain("orders ordered_at timestamp with time zone NO ")

    const second = yield* migrateHere(environmentOf(url))
    expect(second).toMatchObject({ code: 0, stdout: "The database is up to date\n" })
    expect(yield* schemaOf(client)).toEqual(schema)
    expect((yield* migrateHere(environmentOf(url), { dryRun: true })).stdout.trim()).toBe("")
  }),
)

it.live(
  "migrate --dry-run MUST change nothing, and print SQL that creates the same tables and counts as migrated",
  () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const client = yield* connect(url)
      const { code, stderr, stdout } = yield* migrateHere(environmentOf(url), { dryRun: true })
      expect([code, stderr]).toEqual([0, ""])
      expect(yield* schemaOf(client)).toEqual([])

      const byHand = yield* freshDatabase
      const other = yield* connect(byHand)
      yield* Effect.promise(() => other.query(stdout))
      expect(yield* migrateHere(environmentOf(url))).toMatchObject({ code: 0 })
      expect(yield* schemaOf(other)).toEqual(yield* schemaOf(client))

      expect(yield* migrateHere(environmentOf(byHand))).toMatchObject({
        code: 0,
        stdout: "The database is up to date\n",
      })
    }),
)

it.live("DESIGNWIRE_SCHEMA MUST name the schema of the tables for migrate, its printed SQL, and serve", () =>
  Effect.gen(function* () {
    const environment = { ...environmentOf(yield* freshDatabase), DESIGNWIRE_SCHEMA: "shop_designs" }
    const client = yield* connect(environment.DATABASE_URL)
    const printed = yield* migrateHere(environment, { dryRun: true })
    expect(printed.stdout).toContain('CREATE TABLE "shop_designs".shops')
    expect(printed.stdout).not.toContain("designwire")
    expect((yield* migrateHere(environment)).stdout).toMatch(/^Migrated: 1_baseline/)
    expect(yield* schemaOf(client)).toEqual([])
    const host = yield* start(["serve"], environment)
    expect((yield* send("GET", `${yield* address(host)}/readyz`)).status).toBe(200)
    expect((yield* stop(host)).code).toBe(0)
    const refused = yield* runHere(serve({ demo: false }), environmentOf(environment.DATABASE_URL))
    expect(refused.stderr).toContain("designwire migrate")
    const embedded = yield* migrateHere({ DESIGNWIRE_SCHEMA: "shop_designs" }, { dryRun: true })
    expect(embedded.stdout).toContain('CREATE TABLE "shop_designs".shops')
  }),
)

it.live("serve and worker MUST refuse a schema that is not current and name the command to run", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    for (const refused of [run(["serve"], environmentOf(url)), runHere(worker(), environmentOf(url))]) {
      const { code, stderr } = yield* refused
      expect(code).toBe(1)
      expect(stderr).toContain('Run "designwire migrate", or set DESIGNWIRE_AUTO_MIGRATE=true')
    }
    expect(yield* schemaOf(yield* connect(url))).toEqual([])
    yield* migrateHere(environmentOf(url))
    const host = yield* start(["serve"], environmentOf(url))
    yield* address(host)
    expect((yield* stop(host)).code).toBe(0)
  }),
)

it.live("MUST refuse a database that a newer version has migrated, name both versions, and leave it unchanged", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const client = yield* connect(url)
    yield* migrateHere(environmentOf(url))
    yield* Effect.promise(() => client.query("INSERT INTO designwire.migrations VALUES (9001, now(), 'wonders')"))
    const schema = yield* schemaOf(client)
    const known = Object.keys(migrations).at(-1)
    const withAutoMigrate = (choice: string) => ({ ...environmentOf(url), DESIGNWIRE_AUTO_MIGRATE: choice })
    for (const [command, refused] of Object.entries({
      serve: run(["serve"], withAutoMigrate("false")),
      worker: runHere(worker(), withAutoMigrate("true")),
      migrate: migrateHere(environmentOf(url)),
      "migrate --dry-run": migrateHere(environmentOf(url), { dryRun: true }),
    })) {
      const { code, stderr, stdout } = yield* refused
      expect([command, code, stdout]).toEqual([command, 1, ""])
      expect(stderr).toMatch(new RegExp(`newer version of designwire: it has 9001_wonders; .* ${known}`))
    }
    expect(yield* schemaOf(client)).toEqual(schema)
  }),
)

it.live("Running hosts MUST stop with a sentence once a newer version has migrated their database", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const client = yield* connect(url)
    yield* migrateHere(environmentOf(url))
    const hosts = yield* Effect.forEach(["serve", "worker"], (command) => start([command], environmentOf(url)))
    for (const host of hosts) yield* host.line(/ready/)
    yield* Effect.promise(() => client.query("INSERT INTO designwire.migrations VALUES (9001, now(), 'wonders')"))
    for (const host of hosts) {
      const { code, stderr } = yield* host.ended
      expect(code).toBe(1)
      expect(stderr).toMatch(/^The database was migrated by a newer version of designwire: it has 9001_wonders;/m)
    }
  }),
)

it.live("migrate MUST say what must be stopped before it, unless the database is empty or up to date", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const client = yield* connect(url)
    const sentence = "Before this migration, stop every serve, every worker"
    const [first] = migrationScripts()
    yield* Effect.promise(() => client.query(first?.sql ?? ""))
    expect((yield* migrateHere(environmentOf(url), { dryRun: true })).stdout).toMatch(new RegExp(`^-- ${sentence}`))
    const again = yield* migrateHere(environmentOf(url))
    const least = leastFor({ migrations, compatibleWith }, Object.keys(migrations))
    const named = Object.keys(migrations).find((name) => numberOf(name) === least)
    expect(again.stdout).toContain(`of versions without ${named}. Those`)
    expect(again.stdout).toMatch(new RegExp(`^${sentence}.*\nMigrated: 2_`))
    expect((yield* migrateHere(environmentOf(url))).stdout).toBe("The database is up to date\n")
    const empty = yield* freshDatabase
    expect((yield* migrateHere(environmentOf(empty))).stdout).toMatch(/^Migrated: 1_baseline/)
  }),
)

it.live("MUST let several hosts that start at once on an empty database migrate it and serve from it together", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const environment = { ...environmentOf(url), DESIGNWIRE_AUTO_MIGRATE: "true" }
    const hosts = yield* Effect.all([1, 2, 3].map(() => start(["serve"], environment)))
    const bases = yield* Effect.forEach(hosts, address, { concurrency: "unbounded" })
    const token = secrets.DESIGNWIRE_MANAGE_KEY
    const shop = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }
    for (const [index, base] of bases.entries()) {
      expect((yield* send("PUT", `${base}/manage/v1/shops/shop-${index}`, { token, body: shop })).status).toBe(200)
    }
    for (const base of bases) {
      expect((yield* send("GET", `${base}/readyz`)).status).toBe(200)
      const { data } = (yield* send("GET", `${base}/manage/v1/shops`, { token })).json() as { data: Array<unknown> }
      expect(data).toHaveLength(3)
    }
  }),
)

it.live("migrate MUST bring an embedded database up to date too", () =>
  Effect.gen(function* () {
    const environment = { DESIGNWIRE_DATA_DIR: `${yield* temporaryDirectory}/data` }
    expect((yield* run(["migrate"], environment)).stdout).toMatch(/^Migrated: 1_baseline/)
    expect(yield* run(["migrate"], environment)).toMatchObject({ code: 0, stdout: "The database is up to date\n" })
  }),
)

it.live("migrate MUST need no key; --dry-run without DATABASE_URL MUST print all SQL and create nothing", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    expect(yield* migrateHere({ DATABASE_URL: url })).toMatchObject({ code: 0, stderr: "" })

    const cwd = yield* temporaryDirectory
    const { code, stderr, stdout } = yield* run(["migrate", "--dry-run"], { DESIGNWIRE_WRONG: "1" }, { cwd })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^\S+ WARN \(#\d+\): The environment variable DESIGNWIRE_WRONG is unknown.*\n$/)
    expect(readdirSync(cwd)).toEqual([])
    const byHand = yield* connect(yield* freshDatabase)
    yield* Effect.promise(() => byHand.query(stdout))
    expect(yield* schemaOf(byHand)).toEqual(yield* schemaOf(yield* connect(url)))
  }),
)

it.live("MUST end with 1 and name the address and the reason if Postgres can't be reached, but no password", () =>
  Effect.gen(function* () {
    const server = new URL(yield* freshDatabase)
    const wrong = (change: (url: URL) => void) => {
      const url = new URL(server)
      change(url)
      return url.href
    }
    const cases = [
      [wrong((url) => Object.assign(url, { port: "1", password: "s3cretword" })), /127\.0\.0\.1:1/],
      [wrong((url) => Object.assign(url, { hostname: "nowhere.invalid", password: "s3cretword" })), /nowhere\.invalid/],
      [wrong((url) => Object.assign(url, { pathname: "/nowhere_s", password: "postgres" })), /nowhere_s/],
      [wrong((url) => Object.assign(url, { password: "s3cretword%" })), /DATABASE_URL|password/],
    ] as const
    for (const [url, why] of cases) {
      for (const command of url === cases[0][0] ? ["serve", "worker", "migrate"] : ["serve"]) {
        const { code, stderr, stdout } = yield* run([command, "--log-level", "debug"], {
          ...environmentOf(url),
          DESIGNWIRE_DATABASE_WAIT: "0s",
        })
        expect([url, code]).toEqual([url, 1])
        expect(stderr).toMatch(why)
        expect(stderr + stdout).not.toContain("s3cretword")
      }
    }
  }),
)
