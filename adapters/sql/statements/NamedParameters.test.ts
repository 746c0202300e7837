import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import type { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { withParameters } from "./NamedParameters.ts"

/** A client that shows the statement and the values that it is given. */
const client = { unsafe: (text: string, values: unknown) => ({ text, values }) } as unknown as SqlClient.SqlClient

it("a statement with named parameters MUST have one value for each name, wherever it stands", () => {
  const statement = withParameters("SELECT @now::text, @shop, @now_and, @now", ["shop", "now", "now_and"])
  expect(statement(client, { now: 1, now_and: 2, shop: "a@now" })).toEqual({
    text: "SELECT $2::text, $1, $3, $2",
    values: ["a@now", 1, 2],
  })
})

it("a statement with a parameter that has no value MUST be refused", () => {
  expect(() => withParameters("SELECT @now", ["then"])).toThrow("The statement has a parameter that has no value: @now")
})

it("the modules of statements in files MUST be made from their current sources", async () => {
  const program = join(import.meta.dirname, "../../../.ci/sql-modules.mjs")
  const { stderr } = await promisify(execFile)(process.execPath, [program, "--check"])
  expect(stderr).toBe("")
})
