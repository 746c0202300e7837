import { expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { noPgBouncer, pgBouncer } from "../../conformance/testkit/databases/PgBouncer.ts"
import { address, run, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { host, localReceivers, newEndpoint, newShop, order } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

/** A test that needs a PgBouncer. */
const throughPgBouncer = (title: string, test: Effect.Effect<void, unknown, Scope.Scope>) =>
  noPgBouncer === undefined
    ? it.live(title, () => test)
    : it.live.skip(`${title}. Left out: ${noPgBouncer}`, () => test)

const token = secrets.DESIGNWIRE_MANAGE_KEY

throughPgBouncer(
  "migrate, serve and worker MUST work over 2 sessions in transaction mode, with or without LISTEN",
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const url = yield* pgBouncer(database, { poolSize: 2 })
    const pooled = { ...secrets, ...localReceivers, DATABASE_URL: url, DESIGNWIRE_DATABASE_POOLER: "transaction" }
    expect(yield* run(["migrate"], pooled)).toMatchObject({ code: 0, stderr: "" })
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const serving = yield* start(["serve"], pooled)
    const base = yield* address(serving)
    const reads = Effect.all(
      Array.from({ length: 100 }, () => send("GET", `${base}/manage/v1/shops`, { token })),
      { concurrency: 20 },
    )
    expect(new Set((yield* reads).map(({ status }) => status))).toEqual(new Set([200]))
    expect((yield* stop(serving)).code).toBe(0)

    yield* Effect.gen(function* () {
      const shop = yield* newShop
      yield* newEndpoint(shop, receiver, "/hook")
      for (const environment of [pooled, { ...pooled, DESIGNWIRE_LISTEN_URL: database }]) {
        const working = yield* start(["worker"], environment)
        yield* working.line(/ready/)
        const before = receiver.requests.length
        yield* order(shop, `order-${before}`)
        yield* receiver.until(() => receiver.requests.length > before && receiver.open.size === 0)
        const ended = yield* stop(working)
        expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringMatching(/WARN|ERROR/)])
      }
    }).pipe(Effect.provide(host(database)))
  }),
)

throughPgBouncer(
  "serve and worker MUST say at their start that a pooler is there which is not configured",
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const direct = { ...secrets, DATABASE_URL: database }
    expect((yield* run(["migrate"], direct)).code).toBe(0)
    const url = yield* pgBouncer(database, { poolSize: 20 })
    for (const command of ["serve", "worker"]) {
      const host = yield* start([command], { ...direct, DATABASE_URL: url })
      yield* host.line(/WARN .*leads to a pooler: set DESIGNWIRE_DATABASE_POOLER=transaction.*DESIGNWIRE_LISTEN_URL/)
      yield* stop(host)
      const heard = yield* start([command], direct)
      yield* heard.line(/ready/)
      const ended = yield* stop(heard)
      expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringMatching(/WARN|ERROR/)])
    }
  }),
)

throughPgBouncer(
  "serve MUST name the missing variable in its log if a pooler loses its statements",
  Effect.gen(function* () {
    const url = yield* pgBouncer(yield* freshDatabase, { poolSize: 2 })
    const serving = yield* start(["serve"], { ...secrets, DATABASE_URL: url, DESIGNWIRE_AUTO_MIGRATE: "true" })
    const base = yield* address(serving)
    const shop = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }
    const told = serving.line(/set DESIGNWIRE_DATABASE_POOLER=transaction.*prepared statement "\w+"/)
    const requests = Effect.forEach(
      Array.from({ length: 20 }, (_, index) => index),
      (index) => send("PUT", `${base}/manage/v1/shops/shop-${index}`, { token, body: shop }),
      { concurrency: "unbounded" },
    )
    yield* Effect.race(told, Effect.forever(requests))
  }),
)
