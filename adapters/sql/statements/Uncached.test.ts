import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, Statement } from "effect/sql"
import { uncached } from "./Uncached.ts"

it.effect("statements MUST be forgotten once they have run, with the values that they had", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.make({
      acquirer: Effect.never,
      compiler: Statement.makeCompiler({
        dialect: "pg",
        placeholder: (index) => `$${index}`,
        onIdentifier: Statement.defaultEscape('"'),
        onRecordUpdate: () => ["", []],
        onCustom: () => ["", []],
      }),
      driver: "none",
      spanAttributes: [],
    })
    const statement = sql`SELECT ${1}`
    expect(statement.compile()).toBe(statement.compile())
    const kept = uncached(sql)`SELECT ${1}`
    expect(kept.compile()).toEqual(["SELECT $1", [1]])
    expect(kept.compile()).not.toBe(kept.compile())
  }).pipe(Effect.provide(Reactivity.layer)),
)
