import { Statement } from "effect/sql"
import { describe, expect, it } from "vitest"
import { inSchema } from "../schema/Schema.ts"
import { fixed, renamed } from "./Fixed.ts"
import { as, columnsOf, select } from "./Table.ts"

const fields = {
  shop: "text",
  platformId: "int8",
  createdAt: "timestamptz",
  kinds: "text[]",
  options: "jsonb",
} as const

describe("A table", () => {
  it("MUST be read with each column under the name of its field, as every driver reads it alike", () => {
    expect(`${select("t", fields, { shop: "id" })}`).toBe(
      [
        't.shop AS "id"',
        't.platform_id::float8 AS "platformId"',
        '(extract(epoch FROM t.created_at) * 1000)::float8 AS "createdAt"',
        `array_to_string(t.kinds, ',') AS "kinds"`,
        't.options::text AS "options"',
      ].join(", "),
    )
  })

  it("MUST have the columns of its fields, in their order", () => {
    expect(`${columnsOf(fields)}`).toBe("shop, platform_id, created_at, kinds, options")
    expect(`${columnsOf(fields, "r")}`).toBe("r.shop, r.platform_id, r.created_at, r.kinds, r.options")
  })
})

describe("Fixed SQL", () => {
  it("MUST be a part of texts and of statements alike", () => {
    const part = fixed("count(*)")
    expect(`${as(part, "all")}`).toBe('count(*) AS "all"')
    expect(Statement.isFragment(part)).toBe(true)
    expect(part.segments).toEqual([Statement.literal("count(*)")])
  })

  it("MUST go to another schema with the statement that it is a part of, and parameters not", () => {
    const other = inSchema("shops")
    const part = renamed(fixed("SELECT FROM designwire.orders"), other)
    expect(part.segments).toEqual([Statement.literal('SELECT FROM "shops".orders')])
    expect(renamed("designwire.orders", other)).toBe("designwire.orders")
  })
})
