/** Each count of `npm run check:form` finds what is planted, and nothing else. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bars } from "./Bars.ts"
import { type BarName, type Count, countsOf } from "./Counts.ts"
import { longFunctions } from "./Functions.ts"
import { phrases, phrasesIn } from "./Phrases.ts"
import { proseOf } from "./Prose.ts"
import { failuresOf, tableOf } from "./Report.ts"
import { type Source, sourcesIn } from "./Source.ts"

const count = (bar: BarName, sources: ReadonlyArray<Source>): Count => {
  const found = countsOf(sources).find((count) => count.bar === bar)
  if (found === undefined) throw new Error(`There is no count ${bar}`)
  return found
}

const lines = (number: number): string => "  0\n".repeat(number)

const code = (text: string, path = "core/a.ts"): Source => ({ path, text })

describe("The length of a function", () => {
  /** Each of them has two lines more than its body. */
  const beginnings = [
    ["function f() {", "}"],
    ["const f = () => {", "}"],
    ["const f = call(function* () {", "})"],
    ["class A { method() {", "} }"],
    ["const a = { async method() {", "} }"],
    ["describe('a', () => { const f = () => {", "} })"],
  ] as const

  it.each(beginnings)("MUST be counted from its first line to its last: %s", (start, end) => {
    const withBody = (body: number) => longFunctions(code(`// one\n${start}\n${lines(body)}${end}\n`))
    expect(withBody(98)).toEqual([])
    expect(withBody(99)).toEqual([{ kind: "function", path: "core/a.ts", line: 2, lines: 101 }])
  })

  it.each([
    "it('a', () => {",
    "it.effect('a', () => {",
    "it.live.each([1])('a', (one) => {",
    "it.each`a`('a', () => {",
    "test('a', function () {",
    "describe('a', () => { it('a', () => {",
  ])("MUST be less for a test callback: %s", (start) => {
    const withBody = (body: number) =>
      longFunctions(code(`${start}\n${lines(body)}${start.includes("desc") ? "})" : ""}})`))
    expect(withBody(78)).toEqual([])
    expect(withBody(79)).toMatchObject([{ kind: "test callback", line: 1, lines: 81 }])
  })

  it.each(["describe('a', () => {", "describe.each([1])('a', (one) => {", "layer(Live)('a', (it) => {"])(
    "MUST NOT count for a group of tests: %s",
    (start) => expect(longFunctions(code(`${start}\n${lines(500)}})`))).toEqual([]),
  )

  it("MUST be reported with its place, and counted in every file of code", () => {
    const long = `function f() {\n${lines(200)}}\n`
    const found = count("longFunctions", [code(long), code(long, "conformance/b.tsx"), code(long, "README.md")])
    expect(found.value).toBe(2)
    expect(found.places()).toEqual([
      "core/a.ts:1: a function of 202 lines",
      "conformance/b.tsx:1: a function of 202 lines",
    ])
  })

  it("MUST fail for a file that can't be parsed", () => {
    expect(() => longFunctions(code(`function (\n${lines(90)}`))).toThrow("core/a.ts: ")
  })
})

describe("Prose", () => {
  it("MUST be comments and sentences of code, and what is not code in Markdown", () => {
    const texts = (source: Source) =>
      proseOf(source).flatMap(({ line, text }) => (text.trim() === "" ? [] : [[line, text]]))
    expect(texts(code('/** one */\n  * two\nf() // three\n"four" + "a text of five words"\nf(`a b c d`)'))).toEqual([
      [1, "/** one */"],
      [2, "  * two"],
      [3, " // three"],
      [4, '"a text of five words"'],
      [5, "`a b c d`"],
    ])
    expect(texts({ path: "a.md", text: "one `code`\n```ts\ncode\n```\ntwo" }).map(([line]) => line)).toEqual([1, 5])
  })

  it("MUST have at most 120 columns in code", () => {
    const [fits, isLong] = [`// ${"a".repeat(117)}`, `// ${"a".repeat(118)}`]
    expect(count("longLines", [code(`${fits}\n${fits}`), { path: "a.md", text: isLong }]).value).toBe(0)
    expect(count("longLines", [code(`${fits}\n${isLong}`)]).places()).toEqual([`core/a.ts:2: ${isLong}`])
  })
})

describe("Hard phrases", () => {
  /** Each phrase once, and a sentence next to it that says the same. */
  const planted: Readonly<Record<string, readonly [hard: string, plain: string]>> = {
    "where for if": ["null where nothing is left", "null if nothing is left, or where to look"],
    "what-clause": ["What waits is released", "Releases claims that wait. What now?"],
    tell: ["The store tells workers", "The store notifies workers"],
    "is no": ["There was none, which is no error", "There is none, which is not an error"],
    "that of": ["its digest and that of the token", "its digest and the token's"],
    whoever: ["Whoever calls it waits", "Callers wait"],
    "so many": ["Makes so many attempts", "Makes this many attempts"],
    anew: ["It is signed anew", "It is signed again"],
    "go on": ["The run goes on after it", "The run continues after it"],
    beside: ["It runs beside others", "It runs alongside others"],
    "is to be": ["what is to be sent", "what must be sent"],
    "of then": ["the secret of now", "the current secret"],
    "all the same": ["It is sent all the same", "It is sent anyway"],
    "old words": ["be it settled or not", "settled or not"],
  }

  it.each(phrases.map(({ name }) => name))("MUST be found, and the plain words for them not: %s", (name) => {
    const [hard, plain] = planted[name] ?? ["", ""]
    const named = (text: string) => phrasesIn(code(`// ${text}`)).map(({ phrase }) => phrase.name)
    expect([named(hard), named(plain)]).toEqual([[name], []])
  })

  it("MUST be counted in a thousand words, and shown with what to write instead", () => {
    const text = `// It is signed anew\n// ${"word ".repeat(96)}`
    const all = [code(text), code("const anew = 1")]
    expect(count("phrases", all).value).toBe(10)
    expect(count("phrases", all).places()).toEqual(["core/a.ts:1: // It is signed anew [anew: again]"])
    expect(count("phrases", []).value).toBe(0)
  })

  it("MUST be counted apart in product and guides", () => {
    const text = "// anew\n"
    const product = ["core/a.ts", "adapters/a.ts", "hosts/a.tsx", "README.md"]
    const all = [...product, "conformance/a.ts"].map((path) => ({ path, text }))
    expect([count("phrases", all).places().length, count("productPhrases", all).places().length]).toEqual([5, 4])
  })
})

describe("A shop", () => {
  it("MUST NOT be called a store in the guides of users: verbs, code and guides to adapters may have the word", () => {
    const text = "The feed of a store\n\nThe store's owner\n\nPrograms store `the store` and more\n\nIt stores a row\n"
    const at = (path: string) => count("stores", [{ path, text }]).places()
    expect(at("hosts/cli/README.md")).toEqual([
      "hosts/cli/README.md:1: The feed of a store",
      "hosts/cli/README.md:3: The store's owner",
    ])
    expect(count("stores", [code('"A store can have 5 tokens"', "hosts/settings/texts/english/A.ts")]).value).toBe(1)
    expect([at("conformance/ADAPTERS.md"), at("adapters/a.ts"), at("hosts/a.test.ts")]).toEqual([[], [], []])
  })

  it("MUST NOT be called a store in texts of the product and in the changelog, which may speak of an adapter's store", () => {
    const text = '"Settings of the store acme"\n"The store does not answer"\n// Another store of comments\n'
    const at = (path: string) => count("stores", [{ path, text }]).places()
    expect(at("hosts/a.ts")).toEqual(['hosts/a.ts:1: "Settings of the store acme"'])
    expect(at("CHANGELOG.md").length).toBe(2)
  })
})

describe("README.md", () => {
  it("MUST be counted in lines", () => {
    expect(count("readmeLines", [{ path: "README.md", text: "one\n\nthree\n" }, code(lines(9))]).value).toBe(3)
  })
})

describe("Size", () => {
  const written = (path: string, length: number): Source => ({ path, text: lines(length) })

  it("MUST count product apart from what proves it, by folder", () => {
    const all = [
      ...[written("core/a.ts", 40), written("hosts/b/c.tsx", 31), written("hosts/b/c.test.ts", 7)],
      ...[written("hosts/embed/examples/d.mts", 9), written("conformance/e.ts", 5), written("core/f.md", 99)],
    ]
    expect(count("productLines", all)).toMatchObject({ value: 71 })
    expect(count("productLines", all).places()).toEqual(["core/a.ts: 40", "hosts/b: 31"])
    expect(count("proofLines", all)).toMatchObject({ value: 12 })
  })

  it("MUST list files of product under 30 lines", () => {
    const all = [written("core/a.ts", 29), written("core/b.ts", 30), written("core/c.test.ts", 3)]
    expect(count("smallFiles", all).places()).toEqual(["core/a.ts: 29"])
  })

  it("MUST find each repeat of eight lines once, without imports and lines of brackets", () => {
    const part = Array.from({ length: 10 }, (_, index) => `say(${index})`)
    const one = ["import a", ...part, "}"].join("\n")
    const spread = ["other()", ...part.flatMap((text) => [`  ${text}`, "", "  }"])].join("\n")
    const all = [code(one, "core/a.ts"), code(spread, "hosts/b.ts"), code(part.slice(0, 7).join("\n"), "core/c.ts")]
    expect(count("repeats", all).places()).toEqual(["hosts/b.ts:2 repeats core/a.ts:2"])
  })

  it("MUST count the ports of storage with their methods, and what statements say by hand", () => {
    const port = (name: string, failure: string) =>
      `export class ${name} extends Context.Service<\n  ${name},\n  {\n    readonly one: () => ${failure}\n` +
      `    readonly two: (\n      shop: string,\n    ) => void\n  }\n>()("designwire/${name}") {}\n`
    const all = [
      ...[code(port("Store", "StorageError"), "core/ports/Store.ts"), code(port("Sender", "Sent"), "core/ports/S.ts")],
      code('sql`SELECT a_b AS "aB", c AS "d"` + sql.literal("x")', "adapters/sql/a.ts"),
    ]
    expect(count("storagePorts", all).places()).toEqual(["Store: 2"])
    expect([
      count("storageMethods", all).value,
      count("columnNames", all).value,
      count("sqlLiterals", all).value,
    ]).toEqual([2, 1, 1])
  })
})

describe("The report", () => {
  const one = (value: number, places = 1): Count => ({
    bar: "readmeLines",
    title: "lines of README.md",
    value,
    places: () => Array.from({ length: places }, (_, index) => `README.md:${index + 1}`),
  })
  const limited = { ...bars, readmeLines: { limit: 200, goal: 170 } }

  it("MUST fail for a count above its limit alone, and say which bar to look at", () => {
    expect(failuresOf([one(200)], limited)).toEqual([])
    expect(failuresOf([one(201)], limited)).toEqual([
      "Too high: 201 lines of README.md. The limit is 200 (conformance/checks/form/Bars.ts).\n  README.md:1",
    ])
    expect(failuresOf([one(201, 23)], limited)[0]).toMatch(
      /README.md:20\n {2}and 3 more: npm run check:form -- --show readmeLines$/,
    )
  })

  it("MUST show each count with its limit and its goal", () => {
    expect(tableOf([one(180.04)], limited)).toBe(
      "  count   limit    goal\n    180     200     170  lines of README.md (readmeLines)",
    )
  })
})

describe("The files that are counted", () => {
  it("MUST be those that are tracked, there and written by people", () => {
    const root = mkdtempSync(join(tmpdir(), "form-"))
    const git = (...words: ReadonlyArray<string>) => execFileSync("git", words, { cwd: root })
    try {
      git("init", "--quiet")
      for (const name of ["a.ts", "b.md", "c.json", "gone.ts", "other.ts"]) writeFileSync(join(root, name), name)
      git("add", "a.ts", "b.md", "c.json", "gone.ts")
      rmSync(join(root, "gone.ts"))
      expect(sourcesIn(root)).toEqual([
        { path: "a.ts", text: "a.ts" },
        { path: "b.md", text: "b.md" },
      ])
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
