import { createServer, connect as openSocket, type Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, run, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"

/**
 * A line between a host and its database: open, down (refuses and cuts), or silent (accepts everything and answers
 * nothing).
 */
const makeLine = Effect.fnUntraced(function* (url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((socket) => {
    const onward = openSocket(Number(target.port), target.hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.on("data", (data) => !silent && to.write(data))
      from.on("error", () => from.destroy())
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const listen = (port: number) =>
    Effect.callback<number>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
  const close = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    cut()
  })
  yield* Effect.addFinalizer(() => close)
  const port = yield* listen(0)
  target.port = String(port)
  const through = target.href
  target.port = new URL(url).port
  return {
    url: through,
    down: close,
    up: listen(port),
    silence: Effect.sync(() => {
      silent = true
    }),
    speak: Effect.sync(() => {
      silent = false
      // The swallowed bytes are lost: those connections can't continue.
      cut()
    }),
  }
})

/** A host with a shop, a design and a token, on a database behind the test's own line. */
const behindLine = Effect.gen(function* () {
  const database = yield* freshDatabase
  yield* run(["migrate"], { ...secrets, DATABASE_URL: database })
  const line = yield* makeLine(database)
  const host = yield* start(["serve"], { ...secrets, DATABASE_URL: line.url })
  const base = yield* address(host)
  const manageKey = secrets.DESIGNWIRE_MANAGE_KEY
  const shop = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }
  expect((yield* send("PUT", `${base}/manage/v1/shops/shop`, { token: manageKey, body: shop })).status).toBe(200)
  const made = yield* send("POST", `${base}/manage/v1/shops/shop/tokens`, { token: manageKey, body: { name: "ERP" } })
  const { token } = made.json() as { token: string }
  const requests = [
    send("GET", `${base}/api/v1/orders`, { token }),
    send("GET", `${base}/api/v1/designs/one`, { token }),
    send("GET", `${base}/api/v1/nowhere`, { token }),
    send("GET", `${base}/manage/v1/shops`, { token: manageKey }),
    send("PUT", `${base}/manage/v1/shops/shop`, { token: manageKey, body: shop }),
  ]
  const ready = Effect.map(send("GET", `${base}/readyz`), ({ status }) => status)
  const becomes = (status: number) => Effect.repeat(Effect.delay(ready, "20 millis"), { until: (is) => is === status })
  return { base, host, line, requests, becomes }
})

it.live(
  "serve, worker and migrate MUST wait for a database that is not up yet, say so once, and continue when it is",
  () =>
    Effect.gen(function* () {
      const line = yield* makeLine(yield* freshDatabase)
      yield* line.down
      const environment = { ...secrets, DATABASE_URL: line.url, DESIGNWIRE_AUTO_MIGRATE: "true" }
      const hosts = yield* Effect.forEach(["serve", "worker"], (command) => start([command], environment))
      for (const host of hosts) yield* host.line(/Waiting for the database, at most 30s: connect ECONNREFUSED/)
      const migrating = yield* start(["migrate"], environment)
      yield* line.up
      for (const host of hosts) {
        yield* host.line(/ready/)
        expect(host.printed().match(/Waiting for the database/g)).toHaveLength(1)
        expect((yield* stop(host)).code).toBe(0)
      }
      expect((yield* migrating.ended).code).toBe(0)
    }),
)

/** Every answer is `{message}`, of the management API `{message, retryable}`, and reveals nothing internal. */
const refused = (status: number, text: string) => {
  expect([status, text]).toEqual([503, expect.stringMatching(/^\{"message":"[^"]+"(,"retryable":true)?\}$/)])
  expect(text).not.toMatch(/Pg|SQL|ECONN|127\.0\.0\.1|postgres/)
}

it.live("MUST answer 503 to everything but /livez while Postgres is down, and recover without help", () =>
  Effect.gen(function* () {
    const { base, becomes, host, line, requests } = yield* behindLine
    yield* line.down
    yield* becomes(503)
    expect((yield* send("GET", `${base}/livez`)).status).toBe(200)
    const { text } = yield* send("GET", `${base}/readyz`)
    expect(JSON.parse(text)).toEqual({ message: expect.any(String) })
    for (const answer of yield* Effect.all(requests, { concurrency: "unbounded" })) {
      refused(answer.status, answer.text)
    }
    yield* line.up
    yield* becomes(200)
    const statuses = (yield* Effect.all(requests, { concurrency: "unbounded" })).map(({ status }) => status)
    expect(statuses).toEqual([200, 404, 404, 200, 200])
    expect(host.printed()).not.toContain(secrets.DESIGNWIRE_MANAGE_KEY)
    expect((yield* stop(host)).code).toBe(0)
  }),
)

it.live("MUST answer 503 to everything but /livez while Postgres accepts requests but answers none, and recover", () =>
  Effect.gen(function* () {
    const { base, becomes, line, requests } = yield* behindLine
    yield* line.silence
    yield* becomes(503)
    expect((yield* send("GET", `${base}/livez`)).status).toBe(200)
    for (const answer of yield* Effect.all(requests, { concurrency: "unbounded" })) {
      refused(answer.status, answer.text)
    }
    yield* line.speak
    yield* becomes(200)
    const statuses = (yield* Effect.all(requests, { concurrency: "unbounded" })).map(({ status }) => status)
    expect(statuses).toEqual([200, 404, 404, 200, 200])
  }),
)

it.live("MUST log an outage in the system's own words: why it began, once, and when it ended, with counts", () =>
  Effect.gen(function* () {
    const { becomes, host, line, requests } = yield* behindLine
    yield* line.down
    yield* becomes(503)
    for (let round = 0; round < 20; round++) yield* Effect.all(requests, { concurrency: "unbounded" })
    yield* host.line(/(WARN|ERROR) .*: connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
    yield* host.line(/WARN .*Lost the channels designwire_tokens and designwire_deliveries; listening again: \S.*$/)
    yield* line.up
    yield* becomes(200)
    yield* host.line(
      /INFO .*The store has not failed for 10 seconds; before, it failed \d{2,} times within \d+ seconds$/,
    )
    const troubles = host
      .printed()
      .split("\n")
      .filter((text) => /WARN|ERROR/.test(text))
    // Each line has a reason of its own: the connections that broke, the ones that could not be made, and the channels.
    const reasons = troubles.map((text) =>
      text.includes("Lost the channels") ? "channels" : text.replace(/.*?: /, ""),
    )
    expect(reasons).toEqual([...new Set(reasons)])
    expect(troubles.length).toBeLessThan(6)
    expect(host.printed()).not.toMatch(/PgConnection|\[Error\]|^\s*cause:/m)
  }),
)

it.live("MUST end with 0 at a stop signal while Postgres is down", () =>
  Effect.gen(function* () {
    const { becomes, host, line } = yield* behindLine
    yield* line.down
    yield* becomes(503)
    expect((yield* stop(host)).code).toBe(0)
  }),
)
