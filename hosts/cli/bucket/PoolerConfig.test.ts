/** The maps of poolers: written into their files, and read by a PgBouncer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import pg from "pg"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { noPgBouncer, startPgBouncer } from "../../../conformance/testkit/databases/PgBouncer.ts"
import { freePort } from "../../../conformance/testkit/processes/FreePort.ts"
import { run, secrets } from "../../../conformance/testkit/processes/Processes.ts"

/** A test that needs a PgBouncer. */
const withPgBouncer = (title: string, test: Effect.Effect<void, unknown, Scope.Scope>) =>
  noPgBouncer === undefined
    ? it.live(title, () => test)
    : it.live.skip(`${title}. Left out: ${noPgBouncer}`, () => test)

const marks = { begin: "# designwire map: begin", end: "# designwire map: end" }

/** A migrated deployment in two databases. */
const deployment = Effect.gen(function* () {
  const [first, second] = [yield* freshDatabase, yield* freshDatabase]
  const environment = {
    ...secrets,
    DESIGNWIRE_BUCKETS: "4",
    DESIGNWIRE_DATABASES: `first=${first},second=${second}`,
  }
  expect((yield* run(["migrate"], environment)).code).toBe(0)
  return { environment, first, second }
})

/** A PgBouncer whose file has the map of no database, and lets `admin` in by a password. */
const bouncerFor = (databaseUrl: string, authentication: string) => {
  const { password, username } = new URL(databaseUrl)
  return startPgBouncer({
    map: `${marks.begin}\n${marks.end}`,
    settings: `auth_type = ${authentication}\nadmin_users = admin`,
    users: { [username]: password, admin: "s3cretword" },
  })
}

/** The database that a name of a pooler leads to. */
const databaseBehind = (databaseUrl: string, port: number, name: string) =>
  Effect.promise(async () => {
    const url = new URL(databaseUrl)
    url.port = String(port)
    url.pathname = `/${name}`
    const client = new pg.Client(url.href)
    try {
      await client.connect()
      return (await client.query<{ name: string }>("SELECT current_database() AS name")).rows[0]?.name
    } catch (error) {
      return (error as Error).message
    } finally {
      await client.end().catch(() => undefined)
    }
  })

for (const authentication of ["scram-sha-256", "md5", "plain"]) {
  withPgBouncer(
    `bucket config MUST write the map into PgBouncer's file and have it read, signed in by ${authentication}`,
    Effect.gen(function* () {
      const { environment, first, second } = yield* deployment
      const { file, port } = yield* bouncerFor(first, authentication)
      const before = readFileSync(file, "utf8")
      const config = (admin: string) =>
        run(["bucket", "config", "--pgbouncer", "--write", file], {
          ...environment,
          DESIGNWIRE_POOLER_ADMIN_URL: `postgres://${admin}@127.0.0.1:${port}/pgbouncer`,
        })
      expect(yield* databaseBehind(second, port, "second")).toContain("no such database")
      const refused = yield* config("admin:wrongword")
      expect([refused.code, refused.stdout]).toEqual([1, ""])
      expect(refused.stderr).toMatch(
        new RegExp(
          `pgbouncer.ini has the map, but the pooler does not use it yet. .*127.0.0.1:${port}: .*authentication failed`,
        ),
      )
      expect(refused.stderr).not.toContain("wrongword")
      const stranger = yield* config("postgres:postgres")
      expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining("the pooler does not use it yet")])
      expect(yield* databaseBehind(second, port, "second")).toContain("no such database")

      expect(yield* config("admin:s3cretword")).toMatchObject({
        code: 0,
        stdout: `${file} has the map, and the pooler has read it\n`,
        stderr: "",
      })
      for (const [name, url] of Object.entries({ first, second })) {
        expect(yield* databaseBehind(url, port, name)).toBe(new URL(url).pathname.slice(1))
      }
      const printed = (yield* run(["bucket", "config", "--pgbouncer"], environment)).stdout
      expect(readFileSync(file, "utf8")).toBe(before.replace(`${marks.begin}\n`, `${marks.begin}\n${printed}`))
    }),
  )
}

withPgBouncer(
  "bucket move MUST write PgDog's new map and have the pooler read it, also if the bucket has moved before",
  Effect.gen(function* () {
    const { environment, first } = yield* deployment
    const bouncer = yield* bouncerFor(first, "md5")
    const file = join(dirname(bouncer.file), "pgdog.toml")
    writeFileSync(file, `[general]\n${marks.begin}\n${marks.end}\n[admin]\n`)
    const told = {
      ...environment,
      DESIGNWIRE_POOLER_ADMIN_URL: `postgres://admin:s3cretword@127.0.0.1:${bouncer.port}/pgbouncer`,
    }
    const move = (...parameters: ReadonlyArray<string>) => run(["bucket", "move", ...parameters], told)
    for (const [times, said] of [
      [1, "00 is in second now\n"],
      [2, "00 is in second: there was nothing to move\n"],
    ] as const) {
      const moved = yield* move("00", "--to", "second", "--pgdog", "--write", file)
      expect([moved.code, moved.stdout]).toEqual([0, `${said}${file} has the map, and the pooler has read it\n`])
      const { stdout } = yield* run(["bucket", "config", "--pgdog"], environment)
      expect(stdout).toContain('name = "designwire_00"\nshard = 1')
      expect(readFileSync(file, "utf8")).toBe(`[general]\n${marks.begin}\n${stdout}${marks.end}\n[admin]\n`)
      expect(bouncer.log.join("").match(/RELOAD command issued/g)).toHaveLength(times)
    }
  }),
)

it.live("a map MUST NOT be written where it does not belong, and MUST say what to do without a pooler", () =>
  Effect.gen(function* () {
    const { environment } = yield* deployment
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-map-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
    )
    const bucket = (...parameters: ReadonlyArray<string>) => run(["bucket", ...parameters], environment)
    const [fresh, foreign] = [join(directory, "fresh.ini"), join(directory, "foreign.ini")]
    writeFileSync(foreign, "[databases]\n")
    const sentence = 'has no place for the map: put the lines "# designwire map: begin" and "# designwire map: end"'
    const refused = yield* bucket("config", "--pgbouncer", "--write", foreign)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(sentence)])
    const notMoved = yield* bucket("move", "00", "--to", "second", "--pgdog", "--write", foreign)
    expect([notMoved.code, notMoved.stdout, notMoved.stderr]).toEqual([1, "", expect.stringContaining(sentence)])
    expect((yield* bucket("move", "00", "--to", "second", "--pgdog")).stderr).toContain("--write pgdog.toml")
    expect((yield* bucket("list")).stdout).toMatch(/^00 {2}first/)
    expect(readFileSync(foreign, "utf8")).toBe("[databases]\n")
    expect((yield* bucket("config", "--pgdog", "--write", join(directory, "none", "x"))).stderr).toContain(
      "can't be written: ENOENT",
    )

    const said = "has the map. Send RELOAD to the pooler, or set DESIGNWIRE_POOLER_ADMIN_URL"
    for (let time = 1; time <= 2; time++) {
      expect((yield* bucket("config", "--pgbouncer", "--write", fresh)).stdout).toBe(`${fresh} ${said}\n`)
      const printed = (yield* bucket("config", "--pgbouncer")).stdout
      expect(readFileSync(fresh, "utf8")).toBe(`${marks.begin}\n${printed}${marks.end}\n`)
    }
  }),
)

it.live("a pooler's console that is down, or no console, MUST be named", () =>
  Effect.gen(function* () {
    const { environment } = yield* deployment
    const file = join(tmpdir(), `designwire-map-${process.pid}.ini`)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(file, { force: true })))
    const port = yield* Effect.promise(freePort)
    const config = (query = "") =>
      run(["bucket", "config", "--pgbouncer", "--write", file], {
        ...environment,
        DESIGNWIRE_POOLER_ADMIN_URL: `postgres://admin:s3cretword@127.0.0.1:${port}/pgbouncer${query}`,
      })
    const place = `The pooler's console at 127.0.0.1:${port}: `
    expect((yield* config()).stderr).toContain(`${place}connect ECONNREFUSED`)
    yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((socket) => socket.once("data", () => socket.end("N\r\n")))
        server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))),
    )
    const { code, stderr } = yield* config()
    expect([code, stderr]).toEqual([1, expect.stringContaining(place)])
    expect((yield* config("?sslmode=require")).stderr).toContain(`${place}it has no TLS`)
    expect(stderr).not.toContain("s3cretword")
  }),
)
