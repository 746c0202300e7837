import { describe, expect, it } from "vitest"
import { parse } from "./Guide.ts"
import { isPrintedJson, missingLines } from "./Printed.ts"

const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

const kinds = (...parts: ReadonlyArray<string>) => parse(parts.join("\n")).steps.map(({ kind }) => kind)
const problems = (...parts: ReadonlyArray<string>) => parse(parts.join("\n")).problems

describe("A guide", () => {
  it("MUST be read as steps in its order, each with its line", () => {
    const text = [
      "<!-- file: a.ts -->\n",
      block("ts", "1"),
      "<!-- until: ready -->",
      block("sh", "node a.ts"),
      block("text", "1"),
      "<!-- run\ntouch b\n-->",
      "<!-- stop -->",
      "<!-- from: hosts/embed/examples/express.mts -->",
      block("ts", "x"),
      "<!-- not run: nginx -->",
      block("nginx", "y"),
    ].join("\n")
    expect(parse(text)).toEqual({
      problems: [],
      steps: [
        { kind: "write", file: "a.ts", code: "1\n", line: 3 },
        { kind: "run", code: "node a.ts\n", until: /ready/m, line: 8 },
        { kind: "compare", language: "text", shown: "1\n", line: 12 },
        { kind: "run", code: "touch b", line: 16 },
        { kind: "stop", line: 19 },
        { kind: "excerpt", file: "hosts/embed/examples/express.mts", code: "x\n", line: 21 },
      ],
    })
  })

  it.each([
    ["a program without a file", block("python", "1")],
    ["a block without a language", block("", "1")],
    ["a block in a list", `- ${block("sh", "1")}`],
    ["an indented block", `  ${block("sh", "1")}`],
    ["a block between tildes", "~~~sh\n1\n~~~"],
    ["a block with more than a language", block("sh title=x", "1")],
    ["a block without an end", "```sh\n1"],
    ["a file that nothing runs", `<!-- file: a.ts -->\n${block("ts", "1")}`],
    ["a file that runs before it is there", `${block("sh", "node a.ts")}<!-- file: a.ts -->\n${block("ts", "1")}`],
    ["an excerpt of a file that no test runs", `<!-- from: core/index.ts -->\n${block("ts", "1")}`],
    ["an excuse without a reason", `<!-- not run: -->\n${block("sh", "1")}`],
    ["a misspelt comment", `<!-- notrun: slow -->\n${block("sh", "1")}`],
    ["an output that is waited for", `<!-- until: x -->\n${block("text", "1")}`],
    ["two comments in front of a block", `<!-- not run: x -->\n<!-- until: x -->\n${block("sh", "1")}`],
    ["a comment without a block", "<!-- not run: slow -->"],
  ])("MUST NOT have %s", (_, text) => expect(problems(text)).not.toEqual([]))

  it("MUST be free to have prose, and spans of code", () => {
    expect([kinds("# A", "a `b` c"), problems("# A", "a `b` c")]).toEqual([[], []])
  })
})

describe("A shown output", () => {
  it("MUST have been printed line by line, from beginning to end", () => {
    expect(missingLines("b\n\na", "a\n  b \nc")).toEqual([])
    expect(missingLines("a\nb", "ab\nb")).toEqual(["a"])
    expect(missingLines("a.c", "abc")).toEqual(["a.c"])
  })

  it("MUST leave out what … stands for, times and durations alone", () => {
    expect(missingLines("evt_… ok", "evt_12 ok")).toEqual([])
    expect(missingLines("evt_… ok", "evt_12 not")).toEqual(["evt_… ok"])
    expect(missingLines("2026-01-01 10:00:00 12 ms, 0.1 s", "2027-02-03 11:12:13 5 ms, 2.7 s")).toEqual([])
    expect(missingLines("21 passed", "22 passed")).toEqual(["21 passed"])
  })

  it("MUST be the same JSON, apart from white space and …", () => {
    const printed = 'log\n{"id":"evt_1","n":[1,null],"at":"2026-11-20T12:00:00.000+00:00"}\n'
    const shown = (n: string) => `{ "id": "evt_…", "n": ${n}, "at": "2026-01-01T00:00:00.000+00:00" }`
    expect(isPrintedJson(shown("[1, null]"), printed)).toBe(true)
    for (const other of ["[1]", "[1, null, 2]", '{"0": 1, "1": null}', "[2, null]"]) {
      expect(isPrintedJson(shown(other), printed)).toBe(false)
    }
    expect(isPrintedJson('{ "id": "evt_…" }', printed)).toBe(false)
  })
})
