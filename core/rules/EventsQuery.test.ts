import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { parse } from "./EventsQuery.ts"

const all = ["design.ordered", "order.cancelled", "design.created"]

const problemOf = (parameters: object) =>
  Result.match(parse(parameters), { onSuccess: () => undefined, onFailure: ({ problems }) => problems[0]?.path })

describe("EventsQuery (D12, D39)", () => {
  it("MUST give 25 events of every kind where nothing is asked for, unknown parameters ignored", () => {
    for (const parameters of [{}, { cursor: "x", Types: "x" }, { types: undefined, after: undefined }]) {
      expect(Result.getOrThrow(parse(parameters))).toEqual({ limit: 25, after: undefined, kinds: all })
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
      expect(Result.getOrThrow(parse({ types })).kinds).toEqual(kinds)
    }
  })

  it("MUST refuse kinds that there are not, and name the parameter", () => {
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

  it("MUST say what after and types must be", () => {
    const messageOf = (parameters: object) => Result.getOrThrow(Result.flip(parse(parameters))).message
    expect(messageOf({ after: "" })).toBe(
      "after must be the nextCursor of an earlier page, unchanged, of the same shop, or latest, not empty",
    )
    expect(messageOf({ types: "x" })).toBe(
      "types must be one or more of design.ordered, order.cancelled, design.created, separated by commas",
    )
  })

  it("MUST refuse after and limit that are empty, given twice or not as they must be", () => {
    for (const after of ["", ["a", "b"]]) expect(problemOf({ after })).toBe("after")
    for (const limit of ["0", "101", "", ["1", "2"]]) expect(problemOf({ limit })).toBe("limit")
  })
})
