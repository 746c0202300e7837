import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, it } from "vitest"
import { operators } from "./Operators.ts"
import { addedLines, draw, parses, planted, spotsIn } from "./Spots.ts"
import { TestsOf } from "./TestsOf.ts"

const root = resolve(import.meta.dirname, "../../../..")

/** The operator and the source of every fault in a source. */
const faultsIn = (source: string) =>
  spotsIn("one.ts", source).map((spot) => [spot.operator, planted(spot, source)] as const)

it.each([
  ["if (a) b()", "condition negated", "if (!(a)) b()"],
  ["const c = a < b", "boundary", "const c = a <= b"],
  ["const c = a + 5", "arithmetic", "const c = a - 5"],
  ["const c = a ?? b", "nullish", "const c = a && b"],
  ["const c = 30", "number", "const c = 60"],
  ['const c = "a"', "string", 'const c = ""'],
  ["const c = a.filter(b)", "method", "const c = a"],
  ["const c = Effect.ensuring(a, b)", "guard", "const c = a"],
  ["const c = a.pipe(Effect.ensuring(b))", "guard", "const c = a.pipe(((same: any) => same))"],
  ["const c = function* () { yield* a }", "statement", "const c = function* () { ; }"],
  ["sql`SELECT a FROM b WHERE c < d`", "SQL boundary", "sql`SELECT a FROM b WHERE c <= d`"],
  ["sql`DELETE FROM b WHERE c = d AND e IS NULL`", "SQL comparison", "sql`DELETE FROM b WHERE c <> d AND e IS NULL`"],
  ["sql`DELETE FROM b WHERE c = d AND e`", "SQL condition", "sql`DELETE FROM b WHERE c = d OR e`"],
  ["sql`SELECT a FROM b ORDER BY c DESC`", "SQL order", "sql`SELECT a FROM b ORDER BY c`"],
  ["sql`SELECT a FROM b FOR UPDATE SKIP LOCKED`", "SQL lock", "sql`SELECT a FROM b SKIP LOCKED`"],
  ["sql`SELECT a FROM b UNION ALL SELECT c`", "SQL rows", "sql`SELECT a FROM b UNION SELECT c`"],
])("MUST plant in %s a fault of the kind %s", (source, operator, expected) => {
  expect(faultsIn(source)).toContainEqual([operator, expected])
})

it("MUST plant nothing in types, imports and names of properties", () => {
  expect(faultsIn('import { a } from "a"\ntype B = "b" | 5\nexport const c: { "d": 1 } = { "d": a }')).toEqual([
    ["object", 'import { a } from "a"\ntype B = "b" | 5\nexport const c: { "d": 1 } = {}'],
  ])
})

it("MUST take no sentence for SQL", () => {
  const kinds = faultsIn("const c = `a = b, and < is no order`").map(([operator]) => operator)
  expect(kinds.filter((operator) => operator.startsWith("SQL"))).toEqual([])
})

it("MUST draw from the lines that a difference adds", () => {
  const difference = [
    ...["--- a/one.ts", "+++ b/one.ts", "@@ -3 +3,2 @@ export", "-a", "+b", "+c", "@@ -9,2 +11,0 @@", "-d", "-e"],
    ...["--- a/two.ts", "+++ b/two.ts", "@@ -0,0 +1 @@", "+f"],
  ].join("\n")
  expect(addedLines(difference)).toEqual(
    new Map([
      ["one.ts", new Set([3, 4])],
      ["two.ts", new Set([1])],
    ]),
  )
})

it("MUST draw the same faults for the same seed, no two alike, with every operator", () => {
  const file = "adapters/sql/webhooks/Claim.ts"
  const source = readFileSync(resolve(root, file), "utf8")
  const spots = Object.keys(operators).flatMap((operator) =>
    Array.from({ length: 20 }, (_, start) => ({ operator, file, line: 1, start, end: start + 1, replacement: "" })),
  )
  const drawn = draw(5, 200, spots)
  expect(new Set(drawn).size).toBe(200)
  expect(new Set(drawn.map(({ operator }) => operator))).toEqual(new Set(Object.keys(operators)))
  expect(draw(5, 200, spots)).toEqual(drawn)
  expect(draw(6, 200, spots)).not.toEqual(drawn)
  expect(spotsIn(file, source).filter((spot) => parses(file, planted(spot, source))).length).toBeGreaterThan(20)
})

it("MUST try a fault with the tests of its part, also those that start it as a process", () => {
  const [first] = new TestsOf(root).rounds("hosts/cli/Doctor.ts", false)
  expect(first).toContain("hosts/cli/Doctor.test.ts")
  expect(first).not.toContain("core/rules/catalog/Evaluation.test.ts")
})

it("MUST begin with the tests that are nearest to a fault, and leave those that take long to the end", () => {
  const seconds = new Map([["hosts/cli/Doctor.test.ts", 40]])
  const [nearest = []] = new TestsOf(root).rounds("hosts/server/ArrivingBodies.ts", false)
  expect(nearest[0]).toBe("hosts/server/ArrivingBodies.test.ts")
  expect(nearest.indexOf("hosts/server/Connections.test.ts")).toBeLessThan(
    nearest.indexOf("hosts/server/Alike.test.ts"),
  )
  expect(new TestsOf(root).rounds("hosts/cli/Doctor.ts", false)[0]?.[0]).toBe("hosts/cli/Doctor.test.ts")
  expect(new TestsOf(root, seconds).rounds("hosts/cli/Doctor.ts", false)[1]).toEqual(["hosts/cli/Doctor.test.ts"])
})
