import { expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { untilUp } from "./DatabaseWait.ts"

const failed = (cause: Error) =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message: "PgConnection: Failed to connect" }) })

const withCode = (code: string, message: string) => failed(Object.assign(new Error(message), { code }))

const refused = withCode("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432")

/**
 * Waits for a database that fails in this way until it comes up at an instant. Returns the outcome, its time, and the
 * log.
 */
const waitFor = Effect.fnUntraced(function* (error: SqlError.SqlError, upAt: number, wait: number) {
  const logged: Array<unknown> = []
  const look = Effect.flatMap(Clock.currentTimeMillis, (now) => (now >= upAt ? Effect.void : Effect.fail(error)))
  const waiting = yield* untilUp(look, wait).pipe(
    Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "up" }),
    Effect.zip(Clock.currentTimeMillis),
    Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])),
    Effect.forkChild,
  )
  yield* TestClock.adjust("2 minutes")
  const [ended, at] = yield* Fiber.join(waiting)
  return { ended, at, logged }
})

it.effect("MUST wait until the database is up and say so once, whatever it fails with while it starts", () =>
  Effect.gen(function* () {
    for (const error of [
      refused,
      withCode("ENOTFOUND", "getaddrinfo ENOTFOUND db"),
      withCode("57P03", "the database system is starting up"),
      withCode("08006", "server login has been failing"),
      failed(new Error("Connection timed out")),
    ]) {
      const start = yield* Clock.currentTimeMillis
      const { at, ended, logged } = yield* waitFor(error, start + 12_345, 30_000)
      expect([ended, logged.length]).toEqual(["up", 1])
      expect(at - start).toBeLessThan(13_000)
    }
  }),
)

it.effect("MUST give up when the time is over, and say why", () =>
  Effect.gen(function* () {
    const { at, ended, logged } = yield* waitFor(refused, Number.POSITIVE_INFINITY, 30_000)
    expect([at, logged]).toEqual([
      30_000,
      [["Waiting for the database, at most 30s: connect ECONNREFUSED 127.0.0.1:5432"]],
    ])
    expect(ended).toBe(
      "The database did not come up within 30s (DESIGNWIRE_DATABASE_WAIT): connect ECONNREFUSED 127.0.0.1:5432",
    )
  }),
)

it.effect("MUST fail at once if waiting does not help or is not wanted", () =>
  Effect.gen(function* () {
    for (const [error, wait] of [
      [withCode("28P01", 'password authentication failed for user "me"'), 30_000],
      [withCode("3D000", 'database "nowhere" does not exist'), 30_000],
      [failed(new Error("The server does not support TLS")), 30_000],
      [refused, 0],
    ] as const) {
      const start = yield* Clock.currentTimeMillis
      const { at, ended, logged } = yield* waitFor(error, Number.POSITIVE_INFINITY, wait)
      expect([at, logged]).toEqual([start, []])
      expect(ended).toMatch(/^The database can't be used: /)
    }
  }),
)
