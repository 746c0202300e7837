import { SqlError } from "effect/sql"
import { describe, expect, it } from "vitest"
import { reasonOf } from "./Reason.ts"

/** The driver's error for an error of the server. */
const fromServer = (code: string, message: string, detail?: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error(message), { code, severity: "ERROR", detail }),
      message: "PgConnection: Query failed",
      operation: "query",
    }),
  })

const notMigrated = 'The database is not migrated: run "designwire migrate". '

const pooler =
  "The database is behind a pooler in transaction mode: set DESIGNWIRE_DATABASE_POOLER=transaction, " +
  "the option `pooler` of designwire/postgres, or `prepare: false` of postgres.js. "

describe("The reason of a failure", () => {
  it("MUST be the database's own sentence with its SQLSTATE, however deep it lies", () => {
    const failed = fromServer("53100", "could not extend file: No space left on device")
    expect(reasonOf(failed)).toBe("could not extend file: No space left on device (SQLSTATE 53100)")
    expect(reasonOf(new Error("Migration 3 failed", { cause: failed }))).toBe(
      "Migration 3 failed: could not extend file: No space left on device (SQLSTATE 53100)",
    )
  })

  it("MUST start with the remedy if the schema is missing or incomplete", () => {
    for (const [code, message] of [
      ["42P01", 'relation "designwire.shops" does not exist'],
      ["42P01", 'relation "shop_designs.orders" does not exist'],
      ["42P01", "la relation « designwire.shops » n'existe pas"],
      ["42883", "function designwire.refuse_stale() does not exist"],
      ["42883", "function shop_designs.refuse_stale() does not exist"],
      ["3F000", 'schema "designwire" does not exist'],
      ["42703", "column e.kinds does not exist"],
    ] as const) {
      expect(reasonOf(fromServer(code, message))).toBe(`${notMigrated}${message} (SQLSTATE ${code})`)
    }
    for (const name of ["my_orders", "accounting.invoices"]) {
      expect(reasonOf(fromServer("42P01", `relation "${name}" does not exist`))).not.toContain("migrate")
      expect(reasonOf(fromServer("42883", `function ${name}() does not exist`))).not.toContain("migrate")
    }
  })

  it("MUST name the option if a pooler lost a prepared statement", () => {
    for (const [code, message] of [
      ["26000", 'prepared statement "effect_a_1" does not exist'],
      ["42P05", 'prepared statement "effect_a_1" already exists'],
      ["08P01", 'bind message supplies 2 parameters, but prepared statement "" requires 1'],
    ] as const) {
      expect(reasonOf(fromServer(code, message))).toBe(`${pooler}${message} (SQLSTATE ${code})`)
    }
    expect(reasonOf(fromServer("08P01", "invalid frontend message type 0"))).not.toContain("POOLER")
  })

  it("MUST say so if there is no transaction to join", () => {
    expect(reasonOf(fromServer("25P01", "SAVEPOINT can only be used in transaction blocks"))).toBe(
      "The transaction is not begun, or has ended already. SAVEPOINT can only be used in transaction blocks (SQLSTATE 25P01)",
    )
  })

  it("MUST NOT repeat values that were sent, nor what the server says in detail", () => {
    for (const failed of [
      fromServer("22P02", 'invalid input syntax for type integer: "s3cretword"'),
      fromServer("22003", 'value "s3cretword" is out of range for type integer'),
      fromServer("22021", 'invalid byte sequence for encoding "UTF8": 0x73 s3cretword'),
      fromServer("23505", 'duplicate key value violates unique constraint "shops_pkey"', "Key (id)=(s3cretword)"),
    ]) {
      expect(reasonOf(failed)).toMatch(/^[a-z].* \(SQLSTATE 2\w{4}\)$/)
      expect(reasonOf(failed)).not.toContain("s3cretword")
    }
  })

  it("MUST be one line, and never empty or [object Object], whatever was thrown", () => {
    expect(reasonOf(new AggregateError([new Error("connect ECONNREFUSED ::1:1"), new Error("and 127.0.0.1:1")]))).toBe(
      "connect ECONNREFUSED ::1:1, and 127.0.0.1:1",
    )
    expect(reasonOf(Object.assign(new Error(""), { code: "EACCES" }))).toBe("EACCES")
    expect(reasonOf({ name: "ExitStatus", message: "Program terminated with exit(1)", status: 1 })).toBe(
      "Program terminated with exit(1)",
    )
    expect(reasonOf(new Error("one\n  two"))).toBe("one two")
    expect(reasonOf("a text")).toBe("a text")
    const circular = new Error("itself")
    circular.cause = circular
    expect(reasonOf(circular)).toBe("itself")
    for (const thrown of [{ status: 1 }, {}, undefined, null, 7, new Error(""), Symbol("s")]) {
      expect(reasonOf(thrown)).not.toMatch(/^$|\[object|\n/)
    }
  })
})
