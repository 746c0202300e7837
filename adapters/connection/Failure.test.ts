/** The errors of drivers, query builders and ORMs as `SqlError`. */
import { describe, expect, it } from "vitest"
import { isRefusal, sqlErrorOf } from "./Failure.ts"

const withCode = (code: string, fields: Readonly<Record<string, string>> = {}) =>
  Object.assign(new Error("of the database"), { code, ...fields })

const reasonOf = (thrown: unknown) => sqlErrorOf(thrown).reason

describe("A failure of a library", () => {
  it("MUST have the reason that its SQLSTATE or the code of its driver stands for", () => {
    for (const [tag, ...codes] of [
      ["ConnectionError", "08006", "57P01", "CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "EAI_AGAIN", "ENOTFOUND"],
      ["AuthenticationError", "28000", "28P01"],
      ["AuthorizationError", "42501"],
      ["SqlSyntaxError", "42601", "42P01"],
      ["UniqueViolation", "23505"],
      ["ConstraintError", "23514", "23503"],
      ["DeadlockError", "40P01"],
      ["SerializationError", "40001"],
      ["LockTimeoutError", "55P03"],
      ["StatementTimeoutError", "57014"],
      ["UnknownError", "0A000", "22P28", "XX000", ""],
    ] as const) {
      for (const code of codes) expect([code, reasonOf(withCode(code))._tag]).toEqual([code, tag])
    }
  })

  it("MUST have the error of the database as its cause, however deep libraries have wrapped it", () => {
    const refused = withCode("23505", { constraint: "shops_pkey" })
    const bare = new Error("no code")
    const wrapped = new Error("of the ORM", { cause: refused })
    const withOwn = Object.assign(new Error("of the ORM", { cause: refused }), { code: "P2002" })
    const below = Object.assign(new Error("x", { cause: bare }), { code: "40001" })
    for (const [thrown, cause] of [
      [refused, refused],
      [wrapped, refused],
      [withOwn, refused],
      [new Error("of the pool", { cause: new Error("of the driver", { cause: bare }) }), bare],
      [below, below],
      ["a text", "a text"],
      [undefined, undefined],
    ] as const) {
      expect((reasonOf(thrown) as { readonly cause?: unknown }).cause).toBe(cause)
    }
    const circular = new Error("a")
    circular.cause = new Error("b", { cause: circular })
    expect(reasonOf(circular)._tag).toBe("UnknownError")
  })

  it("MUST name the constraint, as either driver calls it", () => {
    expect(reasonOf(withCode("23505", { constraint: "a_key" }))).toMatchObject({ constraint: "a_key" })
    expect(reasonOf(withCode("23505", { constraint_name: "b_key" }))).toMatchObject({ constraint: "b_key" })
    expect(reasonOf(withCode("23505"))).toMatchObject({ constraint: "unknown" })
  })

  it("MUST be a lost connection if the driver says so in words alone", () => {
    for (const message of [
      "Connection terminated unexpectedly",
      "timeout exceeded when trying to connect",
      "Client was closed and is not queryable",
    ]) {
      expect([message, reasonOf(new Error(message))._tag]).toEqual([message, "ConnectionError"])
    }
    expect(reasonOf(new Error("relation does not exist"))._tag).toBe("UnknownError")
  })

  it("MUST be a refusal only if the server has answered and keeps the session", () => {
    expect(["23505", "0A000", "57014"].map((code) => isRefusal(withCode(code)))).toEqual([true, true, true])
    expect(["08006", "57P01", "ECONNRESET", "", "2350"].map((code) => isRefusal(withCode(code)))).toEqual(
      Array(5).fill(false),
    )
    expect(isRefusal(new Error("wrapped", { cause: withCode("23505") }))).toBe(true)
  })
})
