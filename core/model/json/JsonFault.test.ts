/** The position from which on a text is not JSON (D69). */
import { expect, it } from "vitest"
import { faultOf } from "./JsonFault.ts"

it.each([
  ["", 0],
  ["{", 1],
  ['{"a":1', 6],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ["{a:1}", 1],
  ["[1,]", 3],
  ["[,1]", 1],
  ["[1 2]", 3],
  ["[1}", 2],
  ['{"a":1]', 6],
  ["01", 0],
  ["[1.]", 1],
  ["nul", 0],
  ["trueish", 0],
  ["'a'", 0],
  ['"a\nb"', 0],
  ['"\\x"', 0],
  ["1 2", 2],
  ["{} x", 3],
  ["// comment", 0],
])("MUST be found in %j at %i", (text, position) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(faultOf(text)).toBe(position)
})

it("MUST be the end of a text that is JSON", () => {
  for (const value of [{ a: [1, -0.5e3, { "": [[]] }], '\u007f\u{1f600}\\"': null }, [], "x", true, -1]) {
    for (const space of [undefined, "\t"]) {
      const text = JSON.stringify(value, undefined, space)
      expect([text, faultOf(text)]).toEqual([text, text.length])
    }
  }
  expect(faultOf(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBe(200_000)
})
