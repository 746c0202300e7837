import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { eventsQuery } from "./Queries.ts"
import { queryReader } from "./Query.ts"

const parse = queryReader(eventsQuery)

const all = ["design.ordered", "order.cancelled", "design.created", "design.cancelled"]

const problemOf = (parameters: object) =>
  Result.match(parse(parameters), { onSuccess: () => undefined, onFailure: ({ problems }) => problems[0]?.path })

describe("EventsQuery (D12, D39)", () => {
  it("MUST default to 25 events of every kind, and ignore unknown parameters", () => {
    for (const parameters of [{}, { cursor: "x", Types: "x" }, { types: undefined, after: undefined }]) {
      expect(Result.getOrThrow(parse(parameters))).toEqual({ limit: 25, after: undefined, types: all })
    }
  })

  it("MUST take kinds from a list, from a text with commas, and from several of them, each once", () => {
    for (const [types, kinds] of [
      ["design.created", ["design.created"]],
      ["order.cancelled,design.ordered", ["order.cancelled", "design.ordered"]],
      [
        ["order.cancelled", "design.ordered"],
        ["order.cancelled", "design.ordered"],
      ],
      [
        ["design.ordered,order.cancelled", "design.ordered"],
        ["design.ordered", "order.cancelled"],
      ],
      ["design.ordered,design.ordered", ["design.ordered"]],
    ] as const) {
      expect(Result.getOrThrow(parse({ types })).types).toEqual(kinds)
    }
  })

  it("MUST refuse unknown kinds, and name the parameter", () => {
    for (const types of [
      "",
      ",",
      "ping",
      "design.ordered,",
      "design.ordered, order.cancelled",
      "Design.ordered",
      [],
      1,
      null,
      ["design.ordered", 1],
    ]) {
      expect([types, problemOf({ types })]).toEqual([types, "types"])
    }
  })

  it("MUST state the accepted form of after and types", () => {
    const messageOf = (parameters: object) => Result.getOrThrow(Result.flip(parse(parameters))).message
    expect(messageOf({ after: "" })).toBe(
      "after must be the nextCursor of an earlier page, unchanged, of the same shop, or latest, not an empty string",
    )
    expect(messageOf({ types: "x" })).toBe(
      "types must be one or more of design.ordered, order.cancelled, design.created, design.cancelled, separated by commas, " +
        'not "x"',
    )
  })

  it("MUST refuse an after or limit that is empty, repeated or malformed", () => {
    for (const after of ["", ["a", "b"]]) expect(problemOf({ after })).toBe("after")
    for (const limit of ["0", "101", "", ["1", "2"]]) expect(problemOf({ limit })).toBe("limit")
  })
})
