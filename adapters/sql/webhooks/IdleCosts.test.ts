/** The cost of a queue while nothing is due: a deployment may have a thousand of them. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SharedConnections } from "../statements/Transaction.ts"
import { makeOldestDue } from "./OldestDue.ts"
import { makeWalk } from "./Walk.ts"

/** A client that answers every statement with the same rows, and counts statements. */
const answering = (rows: ReadonlyArray<object>) => {
  const counts = { statements: 0 }
  const statement = () =>
    Effect.sync(() => {
      counts.statements++
      return rows
    })
  const sql = Object.assign(statement, {
    literal: (text: string) => text,
    transactionService: {},
  }) as unknown as SqlClient.SqlClient
  return { sql, counts }
}

const neverLooking = { scanFrom: Effect.succeed(null), add: () => undefined, note: () => undefined }

it.effect("a step of a walk MUST be one statement unless a retry has become due", () =>
  Effect.gen(function* () {
    for (const [next, statements] of [
      [null, 1],
      [1_001, 1],
      [1_000, 3],
    ] as const) {
      const { counts, sql } = answering([{ shop: null, next }])
      yield* makeWalk(sql, neverLooking)({ now: 1_000, after: null, limit: 10 })
      expect([next, counts.statements]).toEqual([next, statements])
    }
  }),
)

it.effect("a queue MUST be looked into every five seconds if something was due, and otherwise once in a minute", () =>
  Effect.gen(function* () {
    const { counts, sql } = answering([{ isMany: false, due: null }])
    const oldestDue = yield* Effect.provideService(makeOldestDue(sql), SharedConnections, false)
    /** Looks while claims and walks ask every second. */
    const looksIn = Effect.fnUntraced(function* (seconds: number, isDue: boolean) {
      const before = counts.statements
      for (let second = 0; second < seconds; second++) {
        if (isDue) oldestDue.note()
        yield* oldestDue.scanFrom
        yield* TestClock.adjust("1 second")
      }
      return counts.statements - before
    })
    expect(yield* looksIn(60, false)).toBe(1)
    expect(yield* looksIn(20, true)).toBe(4)
    expect(yield* looksIn(60, false)).toBeLessThanOrEqual(2)
  }).pipe(Effect.scoped),
)
