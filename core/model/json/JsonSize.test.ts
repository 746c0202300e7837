import { describe, expect, it } from "@effect/vitest"
import { jsonSize, maximumDefinition, maximumDesign, maximumSelection } from "./JsonSize.ts"

describe("jsonSize (D38)", () => {
  it("MUST be the number of bytes of the JSON text in UTF-8", () => {
    for (const value of [
      ...[null, true, false, 0, -1, 1.5, 1e21, 1e-7, "", "a", "é", "😀", '"\\\n\0\u2028', "\ud800"],
      ...[
        [],
        [1],
        [1, 2, [3]],
        {},
        { a: 1 },
        { "é\n": { "": [null] }, b: "x" },
        JSON.parse('{"__proto__":{"a":[1]},"1":2}'),
      ],
    ]) {
      expect([value, jsonSize(value)]).toEqual([value, Buffer.byteLength(JSON.stringify(value))])
    }
  })

  it("MUST measure a value that is nested too deep to be written", () => {
    let deep: unknown = 0
    for (let depth = 0; depth < 500_000; depth++) deep = [deep]
    expect(jsonSize(deep)).toBe(1_000_001)
  })

  it("MUST know the limits of D38 and D46", () => {
    expect([maximumDefinition, maximumSelection, maximumDesign]).toEqual([524_288, 65_536, 262_144])
  })
})
