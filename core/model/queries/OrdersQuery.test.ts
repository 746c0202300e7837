import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { ordersQuery } from "./Queries.ts"
import { queryReader } from "./Query.ts"

const parse = queryReader(ordersQuery)

describe("OrdersQuery (§4, D12, D13)", () => {
  it("MUST default to 25 without a filter, and ignore unknown parameters", () => {
    for (const parameters of [{}, { foo: ["1", "2"], Limit: "0", toString: "x" }, { limit: undefined }]) {
      expect(Result.getOrThrow(parse(parameters))).toEqual({ limit: 25, cursor: undefined, orderedAfter: undefined })
    }
  })

  it("MUST refuse a query that is not an object", () => {
    for (const query of [null, "limit=5", 5, ["limit"]] as unknown as ReadonlyArray<never>) {
      const { message, problems } = Result.getOrThrow(Result.flip(parse(query)))
      expect(message).toBe("The query must be an object")
      expect(problems).toEqual([{ path: "", message }])
    }
  })

  it("MUST take no parameter from a prototype", () => {
    expect(Result.getOrThrow(parse(Object.create({ limit: "5" }))).limit).toBe(25)
  })

  it("MUST accept every limit from 1 to 100 and nothing else", () => {
    for (let limit = 1; limit <= 100; limit++) {
      expect(Result.getOrThrow(parse({ limit: String(limit) })).limit).toBe(limit)
    }
    for (const limit of [
      "0",
      "00",
      "01",
      "101",
      "999",
      "1000",
      "-1",
      "+1",
      "1.0",
      "1e1",
      " 1",
      "1 ",
      "1\n",
      "",
      "a",
      "１",
    ]) {
      expect([limit, Result.isFailure(parse({ limit }))]).toEqual([limit, true])
    }
  })

  it("MUST accept a numeric limit by the same rule", () => {
    expect([1, 100].map((limit) => Result.getOrThrow(parse({ limit })).limit)).toEqual([1, 100])
    for (const limit of [0, 101, -1, 1.5, Number.NaN]) {
      expect([limit, Result.isFailure(parse({ limit }))]).toEqual([limit, true])
    }
  })

  it("MUST name the parameter and the allowed form in message and problem", () => {
    for (const [name, values] of Object.entries({
      limit: ["", "0", [], ["1", "1"], ["1"]],
      cursor: ["", ["a", "b"]],
      orderedAfter: ["", "x", "2026-10-05T00:00:00", ["2026-10-05", "2026-10-05"]],
    })) {
      for (const value of values) {
        const error = Result.getOrThrow(Result.flip(parse({ [name]: value })))
        expect(error.message).toMatch(new RegExp(`^${name} must be .{10,}`))
        expect(error.problems).toEqual([{ path: name, message: error.message }])
      }
    }
  })

  it("MUST read a space as +, but only in place of an unescaped +", () => {
    const instantOf = (orderedAfter: string) => Result.getOrUndefined(parse({ orderedAfter }))?.orderedAfter
    expect(instantOf("2026-10-05T14:48:00 02:00")).toBe(Date.parse("2026-10-05T12:48:00Z"))
    expect(instantOf("2026-10-05T14:48:00+02:00")).toBe(Date.parse("2026-10-05T12:48:00Z"))
    for (const form of [
      "2026-10-05T14:48 0200",
      "2026-10-05T14:48:00.0 02",
      "20261005T144800 0200",
      "20261005T1448 02:00",
    ]) {
      expect([form, instantOf(form)]).toEqual([form, Date.parse("2026-10-05T12:48:00Z")])
    }
    expect(instantOf("2026-10-05")).toBe(Date.parse("2026-10-05T00:00:00Z"))
    for (const not of [
      "2026-10-05 14:48:00Z",
      "2026-10-05 14:48:00 02:00",
      " 2026-10-05",
      "2026-10-05T14:48:00  02:00",
    ]) {
      expect([not, instantOf(not)]).toEqual([not, undefined])
    }
  })

  it("MUST name RFC 3339 if another form of ISO 8601 is given (D13)", () => {
    for (const orderedAfter of [
      "2026-10-05T24:00:00Z",
      "2026-10-05T14:48:00,5Z",
      "2026-W41-1",
      "2026W411T144800Z",
      "2026-278",
      "2026-10",
      "2026-10-05T14Z",
    ]) {
      const { message } = Result.getOrThrow(Result.flip(parse({ orderedAfter })))
      expect(message).toMatch(/^orderedAfter must be an RFC 3339 date-time .*2026-10-05T14:48:00Z/)
    }
  })

  it("MUST read 1970 as a time like any other", () => {
    for (const [text, instant] of [
      ["1970-01-01", 0],
      ["1970-01-01T00:00:00Z", 0],
      ["1969-12-31T23:59:59.999Z", -1],
    ] as const) {
      expect(Result.getOrThrow(parse({ orderedAfter: text })).orderedAfter).toBe(instant)
    }
  })

  it("MUST state the accepted form of a cursor", () => {
    expect(Result.getOrThrow(Result.flip(parse({ cursor: "" }))).message).toBe(
      "cursor must be the nextCursor of the previous page, unchanged, of the same shop and with the same orderedAfter, " +
        "not an empty string",
    )
  })

  it("MUST pass on a cursor unchanged", () => {
    expect(Result.getOrThrow(parse({ cursor: " 1.x " })).cursor).toBe(" 1.x ")
  })
})
