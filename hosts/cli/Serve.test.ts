import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { type ClientRequest, request } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { freePort } from "../../conformance/suites/sender/Receiver.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { runHere } from "../../conformance/testkit/processes/InProcess.ts"
import {
  address,
  keptManageKey,
  type Process,
  run,
  secrets,
  send,
  start,
  stop,
  temporaryDirectory,
  usedDataDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import { openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { migrate } from "./Migrate.ts"
import { readConfig } from "./ReadConfig.ts"
import { serve as serving } from "./Serve.ts"

/** The data directory of a host, which does not exist yet. */
const dataDirectory = Effect.map(temporaryDirectory, (path) => join(path, "data"))

/** The commands within this process, to see why they refuse to start. */
const here = { serve: serving({ demo: false }), migrate: migrate({ dryRun: false }) }

const serve = (directory: string, ...flags: ReadonlyArray<string>) =>
  start(["serve", ...flags], { DESIGNWIRE_DATA_DIR: directory })

/** The environment of a host on a Postgres database, which starts faster than the embedded one. */
const onPostgres = Effect.map(migratedDatabase, (url) => ({ ...secrets, DATABASE_URL: url }))

/** Runs the `curl` line that the demo prints. */
const curl = Effect.fnUntraced(function* (process: Process) {
  const [, token = "", url = ""] = yield* process.line(/^ *curl -H 'Authorization: Bearer (\S+)' '(\S+)'$/)
  return { token, url, answer: yield* send("GET", url, { token }) }
})

const ordersOf = (json: unknown) =>
  json as { readonly data: ReadonlyArray<unknown>; readonly pagination: { readonly total: number } }

it.live("serve --demo MUST create a shop in an empty database and print a working command to try it", () =>
  Effect.gen(function* () {
    const directory = yield* dataDirectory
    const process = yield* serve(directory, "--demo")
    const base = yield* address(process)
    expect(process.printed()).toMatch(/^The demo starts …\n/)
    const { answer, token, url } = yield* curl(process)
    expect(url).toMatch(new RegExp(`^${base}/`))
    expect(answer.status).toBe(200)
    expect(ordersOf(answer.json()).data).toHaveLength(2)
    expect((yield* send("GET", `${base}/readyz`)).status).toBe(200)
    expect((yield* send("GET", `${base}/livez`)).status).toBe(200)
    const [, manageKey] = yield* process.line(/^ *Manage key +(\S+)$/)
    expect(manageKey).toBe(keptManageKey(directory))
    expect((yield* send("GET", `${base}/manage/v1/shops`, { token: keptManageKey(directory) })).status).toBe(200)
    const [, link = ""] = yield* process.line(/^ *Settings +(\S+)$/)
    expect(link).toMatch(new RegExp(`^${base}/settings/sign-in\\?once=[\\w-]{43}$`))
    // It signs in once.
    expect((yield* send("GET", link)).status).toBe(200)
    expect((yield* send("GET", link)).status).toBe(403)
    // Received by the demo's own receiver.
    yield* process.line(/signature good$/)
    expect((yield* stop(process)).code).toBe(0)

    const again = yield* serve(directory, "--demo")
    const second = yield* curl(again)
    expect(second.answer.status).toBe(200)
    expect(second.answer.text.length).toBe(answer.text.length)
    expect(ordersOf(second.answer.json()).pagination.total).toBe(ordersOf(answer.json()).pagination.total)
    expect((yield* send("GET", second.url, { token })).status).toBe(401)
    expect((yield* stop(again)).code).toBe(0)
  }),
)

it.live("serve MUST have the shop in every address if DESIGNWIRE_PUBLIC_URL names it (D15a)", () =>
  Effect.gen(function* () {
    const directory = yield* usedDataDirectory
    const port = yield* freePort
    const base = `http://127.0.0.1:${port}`
    const process = yield* start(["serve", "--demo"], {
      DESIGNWIRE_DATA_DIR: directory,
      DESIGNWIRE_PUBLIC_URL: `${base}/{shop}`,
      PORT: String(port),
    })
    const { answer, url } = yield* curl(process)
    expect([url, answer.status]).toEqual([`${base}/demo/api/v1/orders?limit=2`, 200])
    yield* process.line(/^ *REST API +http:\/\/127\.0\.0\.1:\d+\/docs$/)
    const [, signIn = ""] = yield* process.line(/^ *Settings +(\S+)$/)
    expect([signIn.replace(/\?.*/, ""), (yield* send("GET", signIn)).status]).toEqual([`${base}/settings/sign-in`, 200])
    const token = keptManageKey(directory)
    const made = yield* send("POST", `${base}/manage/v1/shops/demo/settings-link`, { token, body: { actor: "jo" } })
    const link = (made.json() as { readonly url: string }).url
    expect([link.replace(/\?.*/, ""), (yield* send("GET", link)).status]).toEqual([`${base}/settings/demo/link`, 200])
    const document = (yield* send("GET", `${base}/openapi.json`)).json() as { readonly servers: unknown }
    expect(document.servers).toMatchObject([{ url: `${base}/{shop}` }])
    yield* process.line(/Designwire is ready at http:\/\/127\.0\.0\.1:\d+\/\{shop\}$/)
  }),
)

it.live("serve --demo MUST allow its own receiver to its own shop and nothing else that is not public (D37)", () =>
  Effect.gen(function* () {
    const directory = yield* usedDataDirectory
    const process = yield* serve(directory, "--demo")
    const manage = `${yield* address(process)}/manage/v1/shops`
    const token = keptManageKey(directory)
    const listed = (yield* send("GET", `${manage}/demo/webhooks`, { token })).json() as {
      readonly data: ReadonlyArray<{ readonly url: string }>
    }
    const url = listed.data[0]?.url ?? ""
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const shop = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }
    yield* send("PUT", `${manage}/another`, { token, body: shop })
    for (const [path, refused] of [
      ["another", url],
      ["another", "http://hooks.example.com/"],
      ["demo", `${url}other`],
      ["demo", "http://127.0.0.1:8080/"],
      ["demo", "https://127.0.0.1:8443/"],
      ["demo", "http://hooks.example.com/"],
    ]) {
      const answer = yield* send("POST", `${manage}/${path}/webhooks`, { token, body: { url: refused } })
      expect([path, refused, answer.status]).toEqual([path, refused, 422])
    }
    expect((yield* stop(process)).code).toBe(0)
  }),
)

it.live(
  "serve --demo MUST be refused with DATABASE_URL, and on a host that other machines reach, with a sentence",
  () =>
    Effect.gen(function* () {
      const directory = yield* dataDirectory
      const refused = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>>, why: RegExp) {
        const { code, stderr } = yield* runHere(serving({ demo: true }), {
          DESIGNWIRE_DATA_DIR: directory,
          ...environment,
        })
        expect([code, existsSync(directory)]).toEqual([1, false])
        expect(stderr).toMatch(why)
      })
      const notOurs = { ...secrets, DATABASE_URL: "postgres://127.0.0.1:1/shop" }
      const ended = yield* run(["serve", "--demo"], { DESIGNWIRE_DATA_DIR: directory, ...notOurs })
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^--demo is not for a database of yours: /),
      })
      yield* refused(notOurs, /^--demo is not for a database of yours: /)
      for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "shop.example.com"]) {
        yield* refused({ HOST }, /^--demo is only for this machine: HOST must /)
      }
      yield* refused(
        { DESIGNWIRE_MANAGE_HOST: "0.0.0.0" },
        /^--demo is only for this machine: DESIGNWIRE_MANAGE_HOST must /,
      )
      const process = yield* start(["serve", "--demo"], {
        DESIGNWIRE_DATA_DIR: yield* usedDataDirectory,
        HOST: "localhost",
      })
      yield* address(process)
    }),
)

it.live(
  "serve MUST create the data directory for its owner alone, refuse a second process, and free it when killed",
  () =>
    Effect.gen(function* () {
      const directory = yield* dataDirectory
      const first = yield* serve(directory)
      yield* address(first)
      expect(statSync(directory).mode & 0o777).toBe(0o700)

      for (const command of ["serve", "migrate"]) {
        const refused = yield* run([command], { DESIGNWIRE_DATA_DIR: directory })
        expect(refused.code).toBe(1)
        expect(refused.stderr).toContain(`${directory} is in use by another process`)
      }
      yield* stop(first, "SIGKILL")
      const next = yield* serve(directory)
      yield* address(next)
      expect((yield* stop(next)).code).toBe(0)
    }),
)

it.live("serve MUST work in a data directory whose path is very long and has spaces, absolute or relative", () =>
  Effect.gen(function* () {
    const root = yield* temporaryDirectory
    const long = join("a".repeat(80), "with spaces ü".repeat(5))
    cpSync(yield* usedDataDirectory, join(root, long), { recursive: true })
    chmodSync(join(root, long), 0o700)
    const absolute = yield* start(["serve"], { DESIGNWIRE_DATA_DIR: join(root, long) })
    yield* address(absolute)
    expect((yield* stop(absolute)).code).toBe(0)

    const relative = yield* start(["serve"], { DESIGNWIRE_DATA_DIR: `./${long}` }, { cwd: root })
    yield* address(relative)
    expect((yield* stop(relative)).code).toBe(0)

    const deep = join(root, long, "deep")
    mkdirSync(deep)
    const byDefault = yield* start(["serve"], {}, { cwd: deep })
    yield* address(byDefault)
    expect(existsSync(join(deep, ".designwire", "pgdata"))).toBe(true)
    expect((yield* stop(byDefault)).code).toBe(0)
  }),
)

it.live("serve MUST end with 1 and a sentence if the data directory is a file, or is below one", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "file")
    writeFileSync(file, "")
    expect((yield* run(["serve"], { DESIGNWIRE_DATA_DIR: file })).code).toBe(1)
    for (const path of [file, join(file, "below")]) {
      for (const command of ["serve", "migrate"] as const) {
        const { code, stderr } = yield* runHere(here[command], { DESIGNWIRE_DATA_DIR: path })
        expect(code).toBe(1)
        expect(stderr.trim().split("\n")).toHaveLength(1)
        expect(stderr).toContain(path)
      }
    }
  }),
)

it.live.skipIf(!existsSync("/proc"))(
  "serve and migrate MUST end with 1 and a sentence if the data directory can't exist (skipped without /proc)",
  () =>
    Effect.gen(function* () {
      for (const command of ["serve", "migrate"] as const) {
        const { code, stderr } = yield* runHere(here[command], { DESIGNWIRE_DATA_DIR: "/proc/nowhere/data" })
        expect([command, code]).toEqual([command, 1])
        expect(stderr).toMatch(/^\/proc\/nowhere\/data can't be used as data directory: ENOENT.*\n$/)
      }
    }),
)

it.live("serve MUST end with 1 and a sentence if the embedded database does not start", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryDirectory, "data")
    mkdirSync(directory, { mode: 0o700 })
    writeFileSync(join(directory, "pgdata"), "")
    const { code, stderr } = yield* run(["serve"], { DESIGNWIRE_DATA_DIR: directory })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `The embedded database in ${directory} does not start: ENOTDIR: a file has the place of a directory\n`,
    )
  }),
)

it.live("serve MUST end with 1 and say what to do if others may read the data directory, and put no key there", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryDirectory, "data")
    mkdirSync(directory)
    chmodSync(directory, 0o755)
    for (const environment of [{}, secrets]) {
      const { code, stderr } = yield* runHere(here.serve, { DESIGNWIRE_DATA_DIR: directory, ...environment })
      expect(code).toBe(1)
      expect(stderr).toContain(`others may look into it (mode 755): run "chmod 700 ${directory}"`)
    }
    expect(readdirSync(directory)).toEqual([])
    expect(statSync(directory).mode & 0o777).toBe(0o755)
  }),
)

it.live.skipIf(process.getuid?.() === 0)(
  "serve MUST end with 1 and a sentence if it may not write (skipped for root, who may)",
  () =>
    Effect.gen(function* () {
      const parent = join(yield* temporaryDirectory, "parent")
      mkdirSync(parent, { mode: 0o500 })
      const { code, stderr } = yield* run(["serve"], { DESIGNWIRE_DATA_DIR: join(parent, "data") })
      expect(code).toBe(1)
      expect(stderr).toMatch(/can't be used.*EACCES/)
    }),
)

it.live("serve MUST keep as many connections of one address as configured, any number of a proxy, and say so", () =>
  Effect.gen(function* () {
    const bounds = { ...(yield* onPostgres), DESIGNWIRE_CONNECTIONS_PER_ADDRESS: "2" }
    for (const [environment, closes] of [
      [bounds, true],
      [{ ...bounds, DESIGNWIRE_PROXY_NETWORKS: "127.0.0.0/8" }, false],
    ] as const) {
      const host = yield* start(["serve"], environment)
      const port = Number(new URL(yield* address(host)).port)
      const request = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
      const connections = yield* Effect.forEach([1, 2, 3], () =>
        Effect.tap(openConnection(port, request), ({ until }) => until((text) => text.endsWith("ok"))),
      )
      if (closes) {
        yield* connections[0]?.closed ?? Effect.die("no connection")
        yield* host.line(/WARN .*127\.0\.0\.1 has 2 connections, the most of one address/)
      }
      expect(connections.map(({ socket }) => socket.closed)).toEqual([closes, false, false])
      expect((yield* stop(host)).code).toBe(0)
    }
  }),
)

it.live("serve MUST end with 1 and name the address if its port is taken", () =>
  Effect.gen(function* () {
    const port = yield* takenPort
    const { code, stderr } = yield* run(["serve"], { ...(yield* onPostgres), PORT: String(port) })
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`EADDRINUSE.*127\\.0\\.0\\.1:${port}`))
  }),
)

it.live("serve MUST listen separately for management, and leave out the documentation, if configured so", () =>
  Effect.gen(function* () {
    const process = yield* start(["serve"], {
      ...(yield* onPostgres),
      DESIGNWIRE_MANAGE_PORT: "0",
      DESIGNWIRE_DOCS: "false",
      DESIGNWIRE_SETTINGS_NAME: "Acme Prints",
      DESIGNWIRE_SETTINGS_LOGO: "https://cdn.acme.example/logo.svg",
      DESIGNWIRE_SETTINGS_ACCENT: "#aa0055,#ffb0d0",
    })
    const [, management = ""] = yield* process.line(/Management listens at (http:\/\/\S+)$/)
    const base = yield* address(process)
    expect(management).not.toBe(base)
    const token = secrets.DESIGNWIRE_MANAGE_KEY
    for (const [url, status] of [
      [`${management}/manage/v1/shops`, 200],
      [`${management}/metrics`, 200],
      [`${management}/readyz`, 200],
      [`${management}/manage/openapi.json`, 200],
      [`${management}/manage/docs`, 404],
      [`${management}/api/v1/orders`, 404],
      [`${base}/manage/v1/shops`, 404],
      [`${base}/metrics`, 404],
      [`${base}/readyz`, 200],
      [`${base}/openapi.json`, 200],
      [`${base}/docs`, 404],
      [`${base}/api/v1/orders`, 401],
    ] as const) {
      expect([url, (yield* send("GET", url, { token })).status]).toEqual([url, status])
    }
    // The settings app, with the configured appearance.
    const { text } = yield* send("GET", `${management}/settings/sign-in`)
    expect(text).toContain("<bdi>Acme Prints</bdi>")
    expect(text).toContain('src="https://cdn.acme.example/logo.svg"')
    const style = yield* send("GET", `${management}/settings/style.css`)
    expect(style.text).toContain("--accent:light-dark(#aa0055,#ffb0d0)")
    expect((yield* stop(process)).code).toBe(0)
  }),
)

const takenPort = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close()),
).pipe(
  Effect.map((server) => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("not a port")
    return address.port
  }),
)

it.live("MUST list every problem of the configuration at once, end with 1, and print no value", () =>
  Effect.gen(function* () {
    const faulty = {
      PORT: "s3cretword",
      DATABASE_URL: "mysql://s3cretword@db",
      DESIGNWIRE_MANAGE_KEY: "s3cretword",
    }
    const ended = yield* run(["serve"], faulty)
    for (const command of ["serve", "migrate"] as const) {
      const { code, stderr, stdout } = yield* runHere(here[command], faulty)
      expect(code).toBe(1)
      if (command === "serve") expect(ended).toMatchObject({ code: 1, stderr, stdout })
      const names = ["PORT", "DATABASE_URL", "DESIGNWIRE_MANAGE_KEY"]
      for (const name of command === "serve" ? [...names, "DESIGNWIRE_ENCRYPTION_KEYS"] : names) {
        expect(stderr).toMatch(new RegExp(`^ +${name}: `, "m"))
      }
      expect(stderr + stdout).not.toContain("s3cretword")
    }
  }),
)

it.live("key MUST print a new key each time, valid for both variables that need one", () =>
  Effect.gen(function* () {
    const keys: Array<string> = []
    for (const _ of [1, 2]) {
      const { code, stderr, stdout } = yield* run(["key"])
      expect([code, stderr]).toEqual([0, ""])
      keys.push(stdout.trim())
    }
    const [first = "", second = ""] = keys
    expect(first).not.toBe(second)
    const config = yield* readConfig({
      DATABASE_URL: "postgres://db/shop",
      DESIGNWIRE_MANAGE_KEY: first,
      DESIGNWIRE_ENCRYPTION_KEYS: second,
    })
    expect(config.keyRing?.keys).toHaveLength(1)
  }),
)

it.live("MUST name unknown variables, each with the nearest known one, and continue", () =>
  Effect.gen(function* () {
    const process = yield* start(["serve"], {
      ...(yield* onPostgres),
      DESIGNWIRE_ENCRYPTON_KEY_FILE: "s3cretword",
    })
    yield* process.line(/WARN .*DESIGNWIRE_ENCRYPTON_KEY_FILE .* did you mean DESIGNWIRE_ENCRYPTION_KEYS_FILE\?$/)
    yield* address(process)
    expect((yield* stop(process)).stdout).not.toContain("s3cretword")
  }),
)

it.live("MUST answer an unknown command or flag, or no command, with the help, and end with 1", () =>
  Effect.gen(function* () {
    const more = inject("wholeMatrix")
    for (const parameters of [["sevre"], ["serve", "--dmeo"], ...(more ? [["migrate", "--dry"], []] : [])]) {
      const { code, stderr, stdout } = yield* run(parameters)
      expect([parameters, code]).toEqual([parameters, 1])
      expect(stdout + stderr).toContain("USAGE")
      for (const parameter of parameters.slice(-1)) expect(stdout + stderr).toContain(parameter)
    }
    for (const parameters of [["serve", "--help"], ["--version"], ...(more ? [["--help"]] : [])]) {
      const { code, stderr } = yield* run(parameters)
      expect([parameters, code, stderr]).toEqual([parameters, 0, ""])
    }
  }),
)

/** A request whose body is under way: the host has read its head and waits for the rest. */
const inFlight = Effect.fnUntraced(function* (base: string, manageKey: string) {
  const body = JSON.stringify({ domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" })
  const half = body.length >> 1
  const started = yield* Effect.callback<ClientRequest, Error>((resume) => {
    const made = request(`${base}/manage/v1/shops/in-flight`, {
      agent: false,
      method: "PUT",
      headers: {
        authorization: `Bearer ${manageKey}`,
        "content-type": "application/json",
        "content-length": body.length,
        expect: "100-continue",
      },
    })
    made.once("continue", () => resume(Effect.succeed(made)))
    made.once("error", (error) => resume(Effect.fail(error)))
    made.write(body.slice(0, half))
  })
  const status = new Promise<number | undefined>((resolve) => {
    started.once("response", (response) => response.resume().once("end", () => resolve(response.statusCode)))
    started.on("error", () => resolve(undefined))
  })
  return {
    finish: Effect.sync(() => started.end(body.slice(half))),
    status: Effect.promise(() => status),
  }
})

/** Waits until connections are refused. */
const closed = (base: string) =>
  Effect.suspend(() => send("GET", `${base}/livez`)).pipe(Effect.repeat({ while: () => true }), Effect.flip)

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  it.live(`${signal} MUST let the request in flight finish, take no new ones, and end with 0`, () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory
      const process = yield* serve(directory)
      const base = yield* address(process)
      const { finish, status } = yield* inFlight(base, keptManageKey(directory))
      process.child.kill(signal)
      yield* closed(base)
      yield* finish
      expect(yield* status).toBe(200)
      expect(yield* process.ended).toMatchObject({ code: 0, signal: null, stderr: "" })

      const again = yield* serve(directory)
      const shop = `${yield* address(again)}/manage/v1/shops/in-flight`
      expect((yield* send("GET", shop, { token: keptManageKey(directory) })).status).toBe(200)
    }),
  )
}

it.live("a second signal MUST end it at once, with a request in flight, not with 0", () =>
  Effect.gen(function* () {
    const directory = yield* usedDataDirectory
    const process = yield* serve(directory)
    const base = yield* address(process)
    const { status } = yield* inFlight(base, keptManageKey(directory))
    process.child.kill("SIGTERM")
    yield* closed(base)
    const { code } = yield* stop(process, "SIGINT")
    expect(code).toBe(130)
    expect(yield* status).toBe(undefined)
  }),
)

it.live("a signal while it starts MUST end it too, whatever it is doing", () =>
  Effect.gen(function* () {
    const directory = yield* usedDataDirectory
    const first = yield* serve(directory)
    yield* address(first)
    expect((yield* stop(first)).code).toBe(0)
    // The first file that a start touches is the lock's.
    for (let round = 0; round < 3; round++) {
      const process = yield* serve(directory)
      yield* exists(join(directory, "lock-journal"), process)
      const { code } = yield* stop(process)
      expect(code).toBe(0)
    }
  }),
)

const exists = (path: string, process: Process) =>
  Effect.sync(() => existsSync(path) || process.child.exitCode !== null).pipe(
    Effect.tap(() => Effect.yieldNow),
    Effect.delay("2 millis"),
    Effect.repeat({ until: (found) => found }),
  )
