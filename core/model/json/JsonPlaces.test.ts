/** The places of values in a text of JSON (D69). */
import { expect, it } from "vitest"
import { placeOf, placesOf } from "./JsonPlaces.ts"

const text = `{
  "schemaVersion": 1,
  "steps": [ { "id": "a, ]}\\"", "deep": [[{"x":[1]}]] },
    {"id": "b"} ],
  "odd key": {"x.y[0]": true, "": [ 1,
2 ]}
}`

it.each([
  ["", 1, 1],
  ["schemaVersion", 2, 20],
  ["steps", 3, 12],
  ["steps[0]", 3, 14],
  ["steps[0].id", 3, 22],
  ["steps[0].deep[0][0].x[0]", 3, 49],
  ["steps[1]", 4, 5],
  ["steps[1].id", 4, 12],
  ['["odd key"]', 5, 14],
  ['["odd key"]["x.y[0]"]', 5, 25],
  ['["odd key"][""][1]', 6, 1],
])("MUST find %s at line %i, column %i (D69)", (path, line, column) => {
  expect(placesOf(text, [path]).get(path)).toEqual({ line, column })
})

it.each([
  ["questions", 1, 1],
  ["steps[1].view", 4, 5],
  ["steps[7].view.name", 3, 12],
  ["steps[0].id.length", 3, 22],
])("MUST find what is around a missing %s, at line %i, column %i", (path, line, column) => {
  expect(placesOf(text, [path]).get(path)).toEqual({ line, column })
})

it("MUST find the last of equal keys, as a reader of JSON does, and many paths at once", () => {
  const places = placesOf('{"a":1,\n"b":{"a":2},\n"a":[0]}', ["a", "b.a", "a[0]"])
  expect([...places]).toEqual([
    ["a", { line: 3, column: 5 }],
    ["b.a", { line: 2, column: 10 }],
    ["a[0]", { line: 3, column: 6 }],
  ])
})

it("MUST go past values that are nested 100,000 levels deep", () => {
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"b":1}`
  expect(placesOf(deep, ["b"]).get("b")).toEqual({ line: 1, column: deep.length - 1 })
})

it("MUST count lines and columns from 1", () => {
  expect([0, 1, 2, 3, 4].map((position) => placeOf("a\nb\nc", position))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
    { line: 3, column: 1 },
  ])
})
