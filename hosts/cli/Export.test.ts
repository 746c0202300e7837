import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import {
  address,
  run,
  secrets,
  send,
  start,
  temporaryDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import customizers from "./demo/customizers.json" with { type: "json" }
import designs from "./demo/designs.json" with { type: "json" }
import orders from "./demo/orders.json" with { type: "json" }

const token = secrets.DESIGNWIRE_MANAGE_KEY

/** A service whose only shop has the samples of the demo, and the objects that its REST API returns. */
const prepared = Effect.gen(function* () {
  const environment = { ...secrets, DATABASE_URL: yield* migratedDatabase }
  const serving = yield* start(["serve"], environment)
  const base = yield* address(serving)
  const shop = `${base}/manage/v1/shops/acme`
  const body = { domain: "acme.example.com", currency: "EUR", plan: "plus", imageBase: "https://i.example.com" }
  yield* send("PUT", shop, { token, body })
  const made = yield* send("POST", `${shop}/tokens`, { token, body: { name: "Export" } })
  const api = (made.json() as { readonly token: string }).token
  const directory = yield* temporaryDirectory
  for (const [kind, values] of [
    ["customizers", customizers],
    ["designs", designs],
    ["orders", orders.map(({ cancelled: _, ...order }) => order)],
  ] as const) {
    const path = join(directory, kind)
    writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""))
    expect((yield* run(["import", kind, path], environment)).code).toBe(0)
  }
  const read = (path: string) => Effect.map(send("GET", `${base}/api/v1/${path}`, { token: api }), ({ text }) => text)
  const take = (...parameters: ReadonlyArray<string>) => run(["export", ...parameters], environment)
  return { base, environment, read, serving, shop, take }
})

const byTime = (left: { readonly createdAt: string; readonly id: string }, right: typeof left) =>
  left.createdAt.localeCompare(right.createdAt) || (left.id < right.id ? -1 : 1)

it.live("export MUST write the objects of the REST API to the byte, and only those since an instant", () =>
  Effect.gen(function* () {
    const { read, take } = yield* prepared
    const inOrder = designs.toSorted(byTime)
    const wires = yield* Effect.forEach(inOrder, ({ id }) => read(`designs/${id}`))
    expect((yield* take("designs")).stdout).toBe(wires.map((wire) => `${wire}\n`).join(""))
    const ordered = orders.toSorted((left, right) => right.orderedAt.localeCompare(left.orderedAt))
    const orderWires = yield* Effect.forEach(ordered, ({ id }) => read(`orders/${id}`))
    expect(yield* take("orders", "--format", "jsonl")).toMatchObject({
      code: 0,
      stdout: orderWires.map((wire) => `${wire}\n`).join(""),
      stderr: "",
    })
    const [, from] = inOrder as unknown as readonly [unknown, (typeof inOrder)[number]]
    const since = wires.slice(inOrder.findIndex(({ createdAt }) => createdAt === from.createdAt))
    expect((yield* take("designs", "--since", from.createdAt)).stdout).toBe(since.map((wire) => `${wire}\n`).join(""))
    const newest = ordered.filter(({ orderedAt }) => orderedAt >= (ordered[2]?.orderedAt ?? "")).length
    expect((yield* take("orders", "--since", ordered[2]?.orderedAt ?? "", "--shop", "acme")).stdout).toBe(
      orderWires
        .slice(0, newest)
        .map((wire) => `${wire}\n`)
        .join(""),
    )
    expect((yield* take("orders", "--since", "9999-12-31")).stdout).toBe("")
    expect(yield* take("orders", "--since", "yesterday")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("since must be an RFC 3339 date-time"),
    })
    expect((yield* take("orders", "--shop", "nobody")).stderr).toContain('There is no shop "nobody"')
  }),
)

/** The cells of a CSV text (RFC 4180). */
const tableOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table: Array<Array<string>> = [[]]
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    table.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === "\r\n") table.push([])
  }
  return table.slice(0, -1)
}

it.live("export MUST write a line per design with a column per production key in CSV", () =>
  Effect.gen(function* () {
    const { read, take } = yield* prepared
    const { stdout } = yield* take("designs", "--format", "csv")
    const [header = [], ...rows] = tableOf(stdout)
    expect(stdout.endsWith("\r\n")).toBe(true)
    expect(new Set(header).size).toBe(header.length)
    const cells = rows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])))
    const inOrder = designs.toSorted(byTime)
    expect(cells.map((row) => row["design_id"])).toEqual(inOrder.map(({ id }) => id))
    for (const row of cells) {
      const design = JSON.parse(yield* read(`designs/${row["design_id"]}`))
      const produced = design.productionData.map((entry: { key: string; value?: string; values?: Array<string> }) => [
        `production.${entry.key}`,
        entry.values?.join("; ") ?? entry.value,
      ])
      expect(row).toMatchObject({
        order_id: design.order?.id ?? "",
        order_name: design.order?.name ?? "",
        ordered_at: design.orderedAt ?? "",
        line_item_id: design.order?.lineItemId ?? "",
        status: design.status,
        created_at: design.createdAt,
        customizer_id: String(design.customizer.id),
        customizer_title: design.customizer.title,
        customizer_version: String(design.customizer.version),
        price_base: String(design.price.base),
        price_total: String(design.price.total),
        currency: "EUR",
        ...Object.fromEntries(produced),
      })
      const filled = Object.entries(row).filter(([name, cell]) => name.startsWith("production.") && cell !== "")
      expect(filled.length).toBeLessThanOrEqual(produced.length)
    }
    const byOrder = tableOf((yield* take("orders", "--format", "csv")).stdout)
    expect(byOrder[0]).toEqual(header)
    expect(byOrder.slice(1).map((row) => row[4])).toEqual(
      orders
        .toSorted((left, right) => right.orderedAt.localeCompare(left.orderedAt))
        .flatMap(({ lines }) => lines.map(({ designId }) => designId)),
    )
  }),
)

it.live("export MUST fail if its reader ends before it", () =>
  Effect.gen(function* () {
    const { environment } = yield* prepared
    const taking = yield* start(["export", "designs"], environment)
    taking.child.stdout?.destroy()
    const { code, stderr } = yield* taking.ended
    expect([code, stderr]).toEqual([1, expect.stringContaining("The export can't be written: EPIPE")])
  }),
)
