/** Buckets that move while hosts use them. */

import process from "node:process"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted, References, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { readToEnd, wholeFeed } from "../../conformance/suites/storage/events/FeedCases.ts"
import { newShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen, makeEvent } from "../../conformance/suites/storage/support/Webhooks.ts"
import {
  type DatabaseName,
  newDeployment,
  replicatingServer,
  schema,
  type TestDeployment,
  useOf,
} from "../../conformance/testkit/databases/MovingBuckets.ts"
import { random } from "../../conformance/testkit/requests/Draw.ts"
import { EventStore, type FeedPosition } from "../../core/ports/EventStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { layerClient } from "../postgres/index.ts"
import { type MoveProgress, move, status } from "./Move.ts"

const server = replicatingServer()
/** Its commits survive a crash. */
const otherServer = replicatingServer(["synchronous_commit=on"])

/** Writers of events and a reader of the feed, until the returned effect stops them. */
const busy = Effect.fnUntraced(function* ({ once, routed }: TestDeployment) {
  const shop = yield* routed(newShop)
  const attempted = new Set<string>()
  const written = new Set<string>()
  const found: Array<string> = []
  let after: FeedPosition | null = null
  let goesOn = true
  // After a lost connection, an event may be stored or not.
  const write = Effect.suspend(() => {
    const event = makeEvent(shop)
    attempted.add(event.body)
    const stored = OrderStore.use((orders) => orders.commit({ shop, designs: [], order: null, events: [event] }))
    return Effect.tap(once(stored), () => Effect.sync(() => void written.add(event.body)))
  })
  const read = Effect.gen(function* () {
    const page = yield* once(EventStore.use((store) => store.feed({ ...wholeFeed(shop, after), limit: 10 })))
    found.push(...page.bodies)
    after = page.next
  })
  const repeated = <E extends { readonly _tag: string }>(call: Effect.Effect<void, E>) =>
    call.pipe(
      Effect.catchIf(
        ({ _tag }) => _tag === "StorageError" || _tag === "SqlError",
        () => Effect.void,
      ),
      Effect.andThen(Effect.sleep("5 millis")),
      Effect.repeat({ while: () => goesOn }),
    )
  const writers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(repeated(write)))
  const reader = yield* Effect.forkChild(repeated(read))
  return Effect.gen(function* () {
    goesOn = false
    yield* Fiber.joinAll(writers)
    yield* Fiber.join(reader)
    found.push(...(yield* routed(EventStore.use((store) => readToEnd(store, wholeFeed(shop, after))))).bodies)
    expect((yield* routed(EventStore.use((store) => readToEnd(store, wholeFeed(shop))))).bodies).toEqual(found)
    expect(new Set(found).size).toBe(found.length)
    expect([...written].filter((body) => !found.includes(body))).toEqual([])
    expect(found.filter((body) => !attempted.has(body))).toEqual([])
    return { attempted: attempted.size, written: written.size, found: found.length }
  })
})

/** Expects a bucket in a database, and no trace of a move. */
const expectMoved = Effect.fnUntraced(function* ({ remains, whereabouts }: TestDeployment, to: DatabaseName) {
  expect((yield* whereabouts).database).toBe(to)
  const left = { first: yield* remains("first"), second: yield* remains("second") }
  expect(left).toEqual({ first: [], second: [], [to]: [`schema ${schema}`] })
})

it.live("a move beside writers and a reader of the feed MUST lose nothing and repeat nothing", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const { options } = deployment
    const stop = yield* busy(deployment)
    yield* Effect.sleep("500 millis")
    expect(yield* move(options("second"))).toEqual({ database: "second", epoch: 1, moved: true })
    expect(yield* move(options("first"))).toEqual({ database: "first", epoch: 2, moved: true })
    const { found, written } = yield* stop
    expect(found).toBe(written)
    yield* expectMoved(deployment, "first")
  }).pipe(Effect.scoped),
)

/** Moves a bucket beside writers while processes of its databases are ended at random. */
const movedDespite = Effect.fnUntraced(
  function* (
    url: string,
    harm: { readonly times: number; readonly pause: number; readonly end: (admin: pg.Client, pid: number) => unknown },
  ) {
    const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
    console.log(`SEED=${seed} draws the processes`)
    const next = random(seed)
    const deployment = yield* newDeployment(url)
    const names = [deployment.first, deployment.second].map((place) =>
      new URL(Redacted.value(place.url)).pathname.slice(1),
    )
    let ended = 0
    const endOne = Effect.promise(async () => {
      const admin = new pg.Client(url)
      // It may end with the server.
      admin.on("error", () => undefined)
      await admin.connect()
      const { rows } = await admin.query("SELECT pid FROM pg_stat_activity WHERE datname = ANY($1) ORDER BY pid", [
        names,
      ])
      const drawn = rows[Math.floor(next() * rows.length)]
      if (drawn !== undefined) {
        await harm.end(admin, drawn.pid)
        ended++
      }
      await admin.end()
    })
    const stop = yield* busy(deployment)
    const command = Effect.retry(move(deployment.options("second")), {
      schedule: Schedule.spaced("50 millis"),
      times: 1_000,
    })
    const harming = yield* Effect.suspend(() => Effect.sleep(next() * harm.pause)).pipe(
      // While the server starts again, there is nothing to end.
      Effect.andThen(Effect.catchDefect(endOne, () => Effect.void)),
      Effect.repeat({ times: harm.times }),
      Effect.forkChild,
    )
    yield* command
    yield* Fiber.join(harming)
    yield* stop
    yield* command
    yield* expectMoved(deployment, "second")
    expect(ended).toBeGreaterThan(0)
  },
  Effect.provideService(References.MinimumLogLevel, "None"),
)

it.live("a move whose connections are ended at random MUST be completed by the same command again", () =>
  movedDespite(server.url(), {
    times: 60,
    pause: 200,
    end: (admin, pid) => admin.query("SELECT pg_terminate_backend($1)", [pid]),
  }).pipe(Effect.scoped),
)

it.live("a bucket that nobody uses MUST move to another server and back, without a superuser", () =>
  Effect.gen(function* () {
    const role = { name: "mover", password: "secret" }
    for (const url of [server.url(), otherServer.url()]) {
      yield* SqlClient.SqlClient.use((sql) =>
        sql.unsafe(
          `CREATE ROLE ${role.name} LOGIN REPLICATION PASSWORD '${role.password}' IN ROLE pg_create_subscription`,
        ),
      ).pipe(Effect.provide(layerClient({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
    }
    const deployment = yield* newDeployment(server.url(), { other: otherServer.url(), role })
    const use = yield* useOf(deployment)
    yield* use.write
    yield* use.check
    const reports: Array<MoveProgress> = []
    yield* move({
      ...deployment.options("second"),
      onProgress: (progress) => Effect.sync(() => void reports.push(progress)),
    })
    expect(reports.at(-1)).toMatchObject({ tables: 22, copied: 22, errors: 0 })
    yield* expectMoved(deployment, "second")
    yield* use.check
    yield* use.write
    yield* move(deployment.options("first"))
    yield* expectMoved(deployment, "first")
    yield* use.check
  }).pipe(Effect.scoped),
)

it.live("while a transaction that has written stays open, a bucket MUST NOT move, and others MUST write", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const use = yield* useOf(deployment)
    const writer = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new pg.Client(Redacted.value(deployment.first.url))
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end()),
    )
    const tried = yield* Deferred.make<void>()
    const steps: Array<string> = []
    const moving = yield* Effect.forkChild(
      move({
        ...deployment.options("second"),
        onStep: Effect.fnUntraced(function* (step) {
          steps.push(step)
          if (step === "analyze") {
            yield* Effect.promise(() => writer.query(`BEGIN; INSERT INTO ${schema}.removed_shops VALUES ('a', now())`))
          }
          if (step === "reopen" && steps.includes("close")) yield* Deferred.succeed(tried, undefined)
        }),
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
    )
    yield* Deferred.await(tried)
    yield* use.write
    expect(yield* status(deployment.options("second"))).toMatchObject([{ bucket: 1, source: "first", isClosed: false }])
    yield* Effect.promise(() => writer.query("COMMIT"))
    yield* Fiber.join(moving)
    expect(steps.filter((step) => step === "drain")).toEqual(["drain"])
    yield* use.check
    const rows = yield* deployment.second.sql.unsafe(`SELECT shop FROM ${schema}.removed_shops`)
    expect(rows).toEqual([{ shop: "a" }])
  }).pipe(Effect.scoped),
)

it.live("after a move, new positions of the feed MUST be above all earlier ones", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const shop = yield* deployment.routed(newShop)
    yield* deployment.routed(happen(shop, [0, 0, 0]))
    const positions = (name: DatabaseName) =>
      deployment[name].sql.unsafe<{ last: number; called: boolean }>(
        `SELECT last_value::int4 AS last, is_called AS called FROM ${schema}.feed_positions`,
      )
    // Given out, and lost with its transaction.
    yield* deployment.first.sql.unsafe(`SELECT nextval('${schema}.feed_positions')::text AS lost`)
    const [before] = yield* positions("first")
    yield* move(deployment.options("second"))
    expect(yield* positions("second")).toEqual([{ last: (before?.last ?? 0) + 1_000, called: true }])
    yield* deployment.routed(happen(shop))
    expect((yield* deployment.routed(EventStore.use((s) => readToEnd(s, wholeFeed(shop))))).bodies.length).toBe(4)
  }).pipe(Effect.scoped),
)

it.live("a move whose server crashes at random MUST be completed by the same command again", () =>
  movedDespite(otherServer.url(), {
    times: 15,
    pause: 1_000,
    // The server then ends all processes, and recovers from its log.
    end: (_, pid) => process.kill(pid, "SIGKILL"),
  }).pipe(Effect.scoped),
)
