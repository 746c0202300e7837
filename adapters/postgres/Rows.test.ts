import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { milliseconds, rows } from "../sql/statements/Rows.ts"
import { layerClient } from "./index.ts"

const columns = { text: "text", int4: "int4", int8: "int8", bool: "bool", at: "timestamptz", jsonb: "jsonb" } as const

it.live("records MUST arrive in a statement as they are, in their order, whatever characters their texts have", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* migratedDatabase)
    const texts = [
      "",
      " ",
      "NULL",
      "null",
      '"',
      "\\",
      '\\"',
      "{a,b}",
      ",",
      "a\nb\t",
      "ü€😀",
      "'$1'",
      "\u0001",
      "\u2028",
    ]
    const records = texts.map((text, index) => ({
      text,
      int4: 1 - index,
      int8: Number.MAX_SAFE_INTEGER - index,
      bool: index % 2 === 0,
      at: 1_790_000_000_123 + index,
      jsonb: { [text]: [text, { text }] },
    }))
    const none = { text: null, int4: null, int8: null, bool: null, at: null, jsonb: null }
    const read = (sent: ReadonlyArray<(typeof records)[number] | typeof none>) =>
      SqlClient.SqlClient.use(
        (sql) => sql`SELECT text, int4, int8::float8 AS int8, bool, ${milliseconds("at")} AS at, jsonb
FROM ${rows("r", columns, sent)}`,
      )
    yield* Effect.gen(function* () {
      expect(yield* read([...records, none])).toEqual([...records, none])
      expect(yield* read([])).toEqual([])
    }).pipe(Effect.provide(layerClient({ url })))
  }).pipe(Effect.scoped),
)
