/** A store with orders before and after a time, cancelled ones, and texts that are hard to write down. */
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import type { Json } from "../Service.ts"

/** The rows of comma-separated values (RFC 4180). */
const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ",") continue
    if (row.join("") !== "") rows.push(row)
    row = []
  }
  return rows
}

const texts = ["Zoë, for ever", 'The "one"', "=1+1", "Plain"] as const

/** The text of an engraving in the file: a formula is kept from being run. */
const shown = (text: string): string => (text.startsWith("=") ? `'${text}` : text)

const since = "2026-10-01T00:00:00Z"

/** Orders in time, more than a page of the REST API has. */
const orders = Array.from({ length: 60 }, (_, index) => ({
  id: `${1001 + index}`,
  orderedAt: new Date(Date.parse(since) + (index - 20) * 3_600_000).toISOString(),
  metal: index % 3 === 0 ? "gold" : "silver",
  engraving: texts[index % texts.length] as string,
  isCancelled: index % 7 === 0,
}))

export const check: Check = async (attempt) => {
  for (const file of ["production.csv", "orders.jsonl"]) rmSync(join(attempt.directory, file), { force: true })
  const service = await attempt.service()
  await service.furnish()
  const token = await service.token()
  await Promise.all(
    orders.map(async ({ id, isCancelled, ...choices }) => {
      await service.order(id, choices)
      if (isCancelled) await service.manage("POST", `/orders/${id}/cancel`)
    }),
  )
  await attempt.run("node export.mts", {
    ...{ MANAGE_URL: `${service.url}/manage/v1/shops/${service.shop}`, MANAGE_KEY: service.key },
    SINCE: since,
  })
  for (const file of ["production.csv", "orders.jsonl"]) attempt.requireFile(file)

  const [heading = [], ...rows] = rowsOf(
    readFileSync(join(attempt.directory, "production.csv"), "utf8").replace(/^\ufeff/, ""),
  )
  const designs = rows.map((row): Json => Object.fromEntries(heading.map((name, index) => [name, row[index]])))
  for (const name of ["design_id", "order_name", "production.metal", "production.engraving"])
    expect(heading.includes(name), `production.csv has no column ${name}, which designwire's own export of orders has`)
  const wanted = orders.filter(({ orderedAt }) => Date.parse(orderedAt) >= Date.parse(since))
  for (const { engraving, id, isCancelled, metal } of orders) {
    const found = designs.filter(({ design_id: design }) => design === `design-${id}`)
    const isWanted = wanted.some((order) => order.id === id) && !isCancelled
    const why = isCancelled ? "is cancelled" : isWanted ? "was ordered in time" : "was ordered earlier"
    const expected = isWanted ? 1 : 0
    expect(found.length === expected, `Order ${id} ${why}, and is in production.csv ${found.length} times`)
    if (!isWanted) continue
    const [row] = found
    const code = metal === "gold" ? "AU750" : "AG925"
    expect(row.order_name === `#${id}`, `order_name of design-${id} is ${row.order_name}, not #${id}`)
    expect(
      row["production.metal"] === code,
      `production.metal of design-${id} is ${row["production.metal"]}, not ${code}`,
    )
    const text = row["production.engraving"]
    expect(text === shown(engraving), `production.engraving of design-${id} is ${text}, not ${shown(engraving)}`)
  }

  const lines = readFileSync(join(attempt.directory, "orders.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
  expect(lines.length === wanted.length, `orders.jsonl has ${lines.length} lines, not ${wanted.length}`)
  for (const { id } of wanted) {
    const { text } = await service.read(`/orders/${id}`, token)
    expect(lines.includes(text), `orders.jsonl has no line with order ${id} as the REST API shows it`)
  }
}
