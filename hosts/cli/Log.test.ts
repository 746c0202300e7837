/** The log of the real process (hosts/cli/OPERATING.md): lines of JSON for programs, or of text for people. */
import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Cause, Console, Effect, Logger, Schedule, Tracer } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import { type Process, run, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { sourcesIn } from "../../conformance/testkit/processes/Sources.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { jsonLogger } from "./Loggers.ts"

const manageKey = secrets.DESIGNWIRE_MANAGE_KEY

type Line = Readonly<Record<string, unknown>>

/** Starts `serve` without a format: its stdout is a pipe. */
const serve = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>> = {}) {
  const DATABASE_URL = yield* migratedDatabase
  return yield* start(["serve"], { ...secrets, DATABASE_URL, DESIGNWIRE_LOG_FORMAT: "", ...environment })
})

const baseOf = (process: Process) =>
  Effect.map(process.line(/"address":"(http:[^"]+)".*is ready at \1"}$/), ([, base = ""]) => base)

/** The lines of a process, each of them an object. */
const linesOf = (stdout: string): ReadonlyArray<Line> =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

/** Lines of requests, without what differs from run to run. */
const requestsOf = (stdout: string): ReadonlyArray<Line> =>
  linesOf(stdout)
    .filter(({ event }) => event === "http.request")
    .map(({ level, message, ms, time, ...rest }) => {
      expect([level, typeof ms, Number.isNaN(Date.parse(String(time)))]).toEqual(["info", "number", false])
      expect(message).toBe(`${rest["method"]} ${rest["route"]} ${rest["status"]} in ${ms} ms`)
      return rest
    })

it.live("MUST log one JSON object a line if stdout is not a terminal, with a stable event and the text last", () =>
  Effect.gen(function* () {
    const process = yield* serve({ DESIGNWIRE_ACESS_LOG: "true" })
    const address = yield* baseOf(process)
    const { code, stderr, stdout } = yield* stop(process)
    expect([code, stderr]).toEqual([0, ""])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const unknown = expect.stringContaining("did you mean DESIGNWIRE_ACCESS_LOG?")
    expect(linesOf(stdout)).toEqual([
      { time, level: "warn", event: "config.unknown_variable", message: unknown },
      { time, level: "info", event: "server.ready", address, message: `Designwire is ready at ${address}` },
    ])
  }),
)

it.live("MUST log a line for each request if asked to, with its route and id, and neither secrets nor its query", () =>
  Effect.gen(function* () {
    const process = yield* serve({ DESIGNWIRE_ACCESS_LOG: "true" })
    const base = yield* baseOf(process)
    const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://images.example.com" }
    yield* send("PUT", `${base}/manage/v1/shops/acme`, { token: manageKey, body: { ...shop, plan: "pro" } })
    const made = yield* send("POST", `${base}/manage/v1/shops/acme/tokens`, { token: manageKey, body: { name: "n" } })
    const { id, token } = made.json() as { id: string; token: string }
    const get = (path: string, headers: Readonly<Record<string, string>>) =>
      Effect.promise(async () => {
        const answer = await fetch(base + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
        return [answer.headers.get("x-request-id"), (await answer.text()).length] as const
      })
    const own = "7b1c-req:42"
    const [kept, bytes] = yield* get("/api/v1/orders?limit=2&note=s3cret-query", { "x-request-id": own })
    expect(kept).toBe(own)
    const [replaced, missing] = yield* get("/api/v1/designs/s3cret-id", { "x-request-id": 'x" y' })
    expect(replaced).toMatch(/^[0-9a-f-]{36}$/)
    yield* send("GET", `${base}/api/v1/orders`, { token: "cmz_s3cret-token" })
    yield* send("GET", `${base}/s3cret-path?token=s3cret`)
    yield* send("GET", `${base}/livez`)
    yield* send("GET", `${base}/settings/acme/webhooks?s3cret`)
    const { stdout } = yield* stop(process)
    expect(stdout).not.toMatch(new RegExp(`s3cret|${token}|${manageKey}`))
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const line = (method: string, route: string, status: number, more: Line = {}) => ({
      ...{ event: "http.request", request_id: uuid, method, route, status, bytes: expect.any(Number) },
      ...more,
    })
    expect(requestsOf(stdout)).toEqual([
      line("PUT", "/manage/v1/shops/:shop", 200, { shop: "acme" }),
      line("POST", "/manage/v1/shops/:shop/tokens", 201, { shop: "acme" }),
      line("GET", "/api/v1/orders", 200, { shop: "acme", token: id, request_id: own, bytes }),
      line("GET", "/api/v1/designs/:id", 404, { shop: "acme", token: id, request_id: replaced, bytes: missing }),
      line("GET", "/api/v1/orders", 401),
      line("GET", "none", 404),
      line("GET", "/livez", 200),
      line("GET", "/settings/:shop/webhooks", 303, { shop: "acme" }),
      line("GET", "/settings/sign-in", 200),
    ])
  }),
)

it.live("MUST log the id of the request with each line about it", () =>
  Effect.gen(function* () {
    const DATABASE_URL = yield* migratedDatabase
    const process = yield* serve({ DATABASE_URL, DESIGNWIRE_ACCESS_LOG: "true", DESIGNWIRE_CONNECTION_WAIT: "200ms" })
    const base = yield* baseOf(process)
    const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://images.example.com", plan: "pro" }
    yield* send("PUT", `${base}/manage/v1/shops/acme`, { token: manageKey, body: shop })
    yield* process.line(/"event":"audit.changed"/)
    const { stdout } = yield* stop(process)
    const [changed] = linesOf(stdout).filter(({ event }) => event === "audit.changed")
    const [request] = requestsOf(stdout)
    expect(changed).toMatchObject({ shop: "acme", action: expect.any(String), request_id: request?.["request_id"] })
  }),
)

it.live("MUST log for people if asked to, and only from the configured level on", () =>
  Effect.gen(function* () {
    const pretty = yield* serve({ DESIGNWIRE_LOG_FORMAT: "pretty", DESIGNWIRE_ACCESS_LOG: "true" })
    const [, base] = yield* pretty.line(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO \(#\d+\): Designwire is ready at (http:\S+)$/)
    yield* send("GET", `${base}/livez`)
    yield* pretty.line(/ INFO \(#\d+\): GET \/livez 200 in [\d.]+ ms$/)
    const port = yield* Effect.promise(freePort)
    const quiet = yield* serve({ DESIGNWIRE_LOG_LEVEL: "warn", DESIGNWIRE_UNKNOWN: "1", PORT: `${port}` })
    yield* Effect.retry(send("GET", `http://127.0.0.1:${port}/readyz`), { schedule: Schedule.spaced("100 millis") })
    const { stdout } = yield* stop(quiet)
    expect(linesOf(stdout).map(({ event, level }) => [level, event])).toEqual([["warn", "config.unknown_variable"]])
    const wrong = yield* run(["serve"], { DESIGNWIRE_LOG_FORMAT: "xml", DESIGNWIRE_LOG_LEVEL: "loud" })
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(
        /DESIGNWIRE_LOG_FORMAT: must be one of json, pretty\n +DESIGNWIRE_LOG_LEVEL: must be one of/,
      ),
    ])
  }),
)

/** The lines that an effect logs as JSON. */
const logOf = Effect.fnUntraced(function* (effect: Effect.Effect<unknown>) {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line) } as Console.Console
  yield* effect.pipe(Effect.provide(Logger.layer([jsonLogger])), Effect.provideService(Console.Console, console))
  return lines.map((line) => JSON.parse(line) as Line)
})

it.effect("MUST log the ids of the current span while spans go somewhere, and errors as objects", () =>
  Effect.gen(function* () {
    const error = new StorageError({ message: "Reading orders: no\nconnection", cause: undefined, isRetryable: true })
    const failing = Effect.logError("It fails", error).pipe(logged("deliveries.store_failed", { shop: "acme" }))
    const [inSpan] = yield* logOf(Effect.withSpan(failing, "outer"))
    expect(inSpan).toEqual({
      ...{ time: "1970-01-01T00:00:00.000Z", level: "error", event: "deliveries.store_failed", shop: "acme" },
      ...{ error: { type: "StorageError", message: error.message }, message: "It fails" },
    })
    const exported = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
    const [traced, alone, died] = yield* logOf(
      Effect.andThen(
        Effect.withSpan(failing, "outer"),
        Effect.andThen(Effect.logWarning(error), Effect.logError("It died", Cause.die(new Error("oops")))),
      ).pipe(Effect.provideService(Tracer.Tracer, exported)),
    )
    const ids = { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), span_id: expect.stringMatching(/^[0-9a-f]{16}$/) }
    expect(traced).toEqual({ ...inSpan, ...ids })
    expect(alone).toMatchObject({ level: "warn", message: error.message })
    expect(alone).not.toHaveProperty("trace_id")
    expect(died).toMatchObject({ message: "It died", cause: expect.stringContaining("Error: oops") })
  }),
)

/** The names of events and their levels, as the guide lists them. */
const listedEvents = () =>
  [...readFileSync("hosts/cli/REFERENCE.md", "utf8").matchAll(/^\| `([a-z]+\.[a-z_]+)` +\| ([a-z, ]+?) +\|/gm)]
    .map(([, event, level]) => [event, level])
    .toSorted()

const levelOf: Readonly<Record<string, string>> = { "": "info", Warning: "warn", Error: "error" }

it("MUST name the event of each line, and the guide MUST list them all with their levels", () => {
  const found = new Map<string, string>()
  for (const path of sourcesIn(".", "{core,adapters,hosts}/**/*.ts", ["**/*.test.ts"])) {
    const text = readFileSync(path, "utf8")
    const lines = [...text.matchAll(/Effect\.log(\w*)\(/g)]
    const names = [...text.matchAll(/(?<!\w)logged\(\s*"([a-z_.]+)"/g)]
    expect([path, names.length]).toEqual([path, lines.length])
    for (const [index, [, event = ""]] of names.entries())
      found.set(event, levelOf[lines[index]?.[1] ?? ""] ?? "warn, error")
  }
  expect(listedEvents()).toEqual([...found].toSorted())
})
