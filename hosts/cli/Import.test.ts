import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "pg"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { run, secrets, start, temporaryDirectory } from "../../conformance/testkit/processes/Processes.ts"
import customizers from "./demo/customizers.json" with { type: "json" }
import samples from "./demo/designs.json" with { type: "json" }

const linesOf = (values: ReadonlyArray<unknown>) => values.map((value) => `${JSON.stringify(value)}\n`).join("")

/** A design of the demo with an id of its own. */
const designOf = (index: number, fields: object = {}) => ({
  ...(samples[index % samples.length] as (typeof samples)[number]),
  id: `design-${index}`,
  ...fields,
})

const orderOf = (index: number, ...designs: ReadonlyArray<number>) => ({
  id: String(100 + index),
  name: `#${index}`,
  orderedAt: "2026-01-02T03:04:05+01:00",
  lines: designs.map((design) => ({ designId: `design-${design}`, lineItemId: `line-${design}` })),
})

/** A database with shops, and a directory for the files. */
const prepared = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const environment = { ...secrets, DATABASE_URL: url }
  const client = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )
  const query = (text: string) => Effect.promise(async () => (await client.query<Record<string, unknown>>(text)).rows)
  const addShop = (id: string) =>
    query(`INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base)
VALUES ('${id}', '${id}.example.com', 'EUR', 'plus', 1, 'https://i.example.com')`)
  const directory = yield* temporaryDirectory
  const file = (name: string) => join(directory, name)
  const write = (name: string, text: string | Buffer) => {
    writeFileSync(file(name), text)
    return file(name)
  }
  const bring = (...parameters: ReadonlyArray<string>) => run(["import", ...parameters], environment)
  yield* addShop("acme")
  return { environment, query, addShop, file, write, bring }
})

/** The same with the customizers of the demo. */
const withCustomizers = Effect.gen(function* () {
  const world = yield* prepared
  yield* world.bring("customizers", world.write("customizers.jsonl", linesOf(customizers)))
  return world
})

it.live("import MUST store customizers, designs and orders, and change nothing the second time", () =>
  Effect.gen(function* () {
    const { bring, query, write } = yield* prepared
    const state =
      query(`SELECT (SELECT json_agg(v.* ORDER BY v.customizer_id) FROM designwire.customizer_versions v) AS versions,
(SELECT json_agg(d.* ORDER BY d.id) FROM designwire.designs d) AS designs,
(SELECT json_agg(o.* ORDER BY o.id) FROM designwire.orders o) AS orders,
(SELECT json_agg(e.event ORDER BY e.event) FROM designwire.events e) AS events`)
    const designs = Array.from({ length: 1_000 }, (_, index) => designOf(index))
    const files = [
      ["customizers", write("customizers.jsonl", linesOf(customizers)), customizers.length],
      ["designs", write("designs.jsonl", `\uFEFF${linesOf(designs)}\r\n\n`.trimEnd()), 1_000],
      ["orders", write("orders.jsonl", linesOf([orderOf(1, 1, 2), orderOf(2, 3), orderOf(3)])), 3],
    ] as const
    for (const [kind, file, count] of files) {
      const { code, stdout } = yield* bring(kind, file)
      // An order without designs is not stored.
      const [created, unchanged] = kind === "orders" ? [2, 1] : [count, 0]
      expect([code, stdout.replaceAll(",", "")]).toEqual([
        0,
        `Imported ${kind}: ${created} created 0 changed ${unchanged} unchanged 0 rejected\n`,
      ])
      expect([existsSync(`${file}.progress`), existsSync(`${file}.rejected`)]).toEqual([false, false])
    }
    const before = yield* state
    expect((before[0] as { readonly designs: ReadonlyArray<unknown> }).designs).toHaveLength(1_000)
    expect((before[0] as { readonly events: ReadonlyArray<string> }).events).toEqual([
      ...designs.map(() => "design.created"),
      ...["design.ordered", "design.ordered", "design.ordered"],
    ])
    for (const [kind, file, count] of files) {
      const { stdout } = yield* bring(kind, file, "--shop", "acme")
      expect(stdout.replaceAll(",", "")).toContain(`0 created 0 changed ${count} unchanged 0 rejected`)
    }
    expect(yield* state).toEqual(before)
  }),
)

it.live("import MUST change drafts, customizers and orders as the API does, a later line of one id last", () =>
  Effect.gen(function* () {
    const { bring, query, write } = yield* withCustomizers
    const [first, second] = customizers as unknown as readonly [
      (typeof customizers)[number],
      (typeof customizers)[number],
    ]
    const again = [
      { ...first, title: "Other" },
      { ...second, definition: first.definition },
    ]
    expect((yield* bring("customizers", write("again.jsonl", linesOf(again)))).stdout).toContain("0 created, 2 changed")
    expect(
      yield* query("SELECT title, version FROM designwire.customizers WHERE id IN (101, 102) ORDER BY id"),
    ).toEqual([
      { title: "Other", version: 1 },
      { title: second.title, version: 2 },
    ])
    const prices = [1, 2, 3].map((basePrice) => designOf(0, { basePrice }))
    expect((yield* bring("designs", write("designs.jsonl", linesOf(prices)))).stdout).toContain("1 created, 2 changed")
    const more = [designOf(3), orderOf(1, 0), orderOf(1, 0, 3)]
    yield* bring("designs", write("more.jsonl", linesOf(more.slice(0, 1))))
    expect((yield* bring("orders", write("orders.jsonl", linesOf(more.slice(1))))).stdout).toContain(
      "1 created, 1 changed",
    )
    const rows = yield* query("SELECT wire FROM designwire.designs ORDER BY id")
    expect(rows.map(({ wire }) => JSON.parse(wire as string))).toMatchObject([
      { price: { base: 3 }, order: { id: "101" }, status: "ordered" },
      { order: { id: "101" } },
    ])
  }),
)

it.live("import MUST put lines that can't be stored into a file beside, store all others, and fail", () =>
  Effect.gen(function* () {
    const { bring, file, write } = yield* withCustomizers
    const lines = [
      JSON.stringify(designOf(0)),
      "no JSON",
      JSON.stringify(designOf(1, { basePrice: -1 })),
      "[]",
      JSON.stringify(designOf(2, { colour: "red" })),
      JSON.stringify({ ...designOf(3), id: undefined }),
      "",
      JSON.stringify(designOf(4, { customizerId: 9 })),
      JSON.stringify(designOf(5, { note: "x".repeat(1024 * 1024) })),
      JSON.stringify(designOf(6)),
    ]
    const bytes = Buffer.concat([Buffer.from(lines.join("\n")), Buffer.from([0x0a, 0xff, 0x0a])])
    const { code, stderr, stdout } = yield* bring("designs", write("designs.jsonl", bytes))
    expect([code, stdout]).toEqual([1, "Imported designs: 2 created, 0 changed, 0 unchanged, 8 rejected\n"])
    expect(stderr).toContain(`${file("designs.jsonl")}.rejected has the refused lines with the reasons`)
    const rejected = readFileSync(file("designs.jsonl.rejected"), "utf8").trimEnd().split("\n")
    const found = rejected.map((line) => JSON.parse(line) as { line: number; reason: string; text: string })
    expect(found.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "A line must be JSON in UTF-8"],
      [3, expect.stringContaining("basePrice")],
      [4, "A line must be a JSON object"],
      [5, expect.stringContaining("colour")],
      [6, expect.stringContaining("id: ")],
      [8, "The shop has no customizer 9"],
      [9, "A line may have at most 1 MiB"],
      [11, "A line must be JSON in UTF-8"],
    ])
    expect(found.slice(0, 5).map(({ text }) => text)).toEqual([1, 2, 3, 4, 5].map((index) => lines[index]))
    // Once they are right, the rest is unchanged.
    write("designs.jsonl", linesOf([designOf(0), designOf(1), designOf(6)]))
    expect((yield* bring("designs", file("designs.jsonl"))).stdout).toContain(
      "1 created, 0 changed, 2 unchanged, 0 rejected",
    )
    expect(existsSync(file("designs.jsonl.rejected"))).toBe(false)
  }),
)

it.live("import MUST go on after it was killed, and refuse to go on with a file that has changed", () =>
  Effect.gen(function* () {
    const { addShop, bring, environment, file, query, write } = yield* withCustomizers
    yield* addShop("other")
    const path = write(
      "designs.jsonl",
      linesOf(
        Array.from({ length: 6_000 }, (_, index) => (index % 50 === 0 ? { id: `bad-${index}` } : designOf(index))),
      ),
    )
    const killed = yield* start(["import", "designs", path, "--shop", "acme"], environment)
    const progress = () => JSON.parse(readFileSync(`${path}.progress`, "utf8")) as { line: number; offset: number }
    while (!existsSync(`${path}.progress`) || progress().line < 800) yield* Effect.sleep("5 millis")
    killed.child.kill("SIGKILL")
    expect((yield* killed.ended).signal).toBe("SIGKILL")
    const { line } = progress()
    expect(line).toBeLessThan(6_000)
    // Killed after it had written a line, and before it kept how far it is.
    appendFileSync(`${path}.rejected`, "{}\n")

    for (const [parameters, sentence] of [
      [["designs", path, "--shop", "other"], "is half imported as designs of the shop acme: delete "],
      [["orders", path, "--shop", "acme"], "is half imported as designs of the shop acme: delete "],
    ] as const) {
      expect(yield* bring(...parameters)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(sentence),
      })
    }
    const resumed = yield* bring("designs", path, "--shop", "acme")
    expect(resumed.stderr).toContain(`Going on after line ${line}\n`)
    expect(resumed.stdout).toMatch(/ 120 rejected\n$/)
    const [, created = "", unchanged = ""] =
      /: ([\d,]+) created, 0 changed, ([\d,]+) unchanged/.exec(resumed.stdout) ?? []
    expect(Number(created.replace(",", "")) + Number(unchanged.replace(",", ""))).toBe(5_880)
    expect(yield* query("SELECT count(*)::int AS designs FROM designwire.designs")).toEqual([{ designs: 5_880 }])
    const rejected = readFileSync(`${path}.rejected`, "utf8").trimEnd().split("\n")
    expect(rejected.map((each) => (JSON.parse(each) as { line: number }).line)).toEqual(
      Array.from({ length: 120 }, (_, index) => index * 50 + 1),
    )

    writeFileSync(`${path}.progress`, JSON.stringify({ ...JSON.parse("{}"), line: "x" }))
    expect((yield* bring("designs", path, "--shop", "acme")).stderr).toContain(".progress can't be read: delete ")
    const half = yield* start(
      ["import", "designs", write("half.jsonl", readFileSync(path)), "--shop", "other"],
      environment,
    )
    while (!existsSync(file("half.jsonl.progress"))) yield* Effect.sleep("5 millis")
    half.child.kill("SIGKILL")
    yield* half.ended
    appendFileSync(file("half.jsonl"), "\n")
    expect(yield* bring("designs", file("half.jsonl"), "--shop", "other")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("half.jsonl has changed since its import was broken off: delete "),
    })
  }),
)

it.live("import MUST name what is wrong before it stores anything", () =>
  Effect.gen(function* () {
    const { addShop, bring, file, query, write } = yield* prepared
    const path = write("designs.jsonl", linesOf([designOf(0)]))
    expect((yield* bring("designs", path, "--shop", "nobody")).stderr).toContain('There is no shop "nobody"')
    expect((yield* bring("designs", file("none.jsonl"))).stderr).toContain("none.jsonl can't be used: ENOENT")
    expect((yield* bring("designs", file(""))).stderr).toContain("must be a file")
    yield* addShop("other")
    expect((yield* bring("designs", path)).stderr).toContain("There are 2 shops: name one with --shop")
    yield* query("DELETE FROM designwire.shops")
    expect((yield* bring("designs", path)).stderr).toContain("There is no shop yet")
    expect(yield* query("SELECT id FROM designwire.designs")).toEqual([])
  }),
)
