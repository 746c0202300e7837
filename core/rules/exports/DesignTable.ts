/** Designs as the rows of a table in CSV (RFC 4180): a line per design, and a column per production key (D75). */
import type { Definition } from "../../model/Definition.ts"
import type { Design } from "../../model/Design.ts"

type Cell = string | number | null

/** The columns that every table has, by name. An amount is an integer in minor units of the currency. */
const columns: ReadonlyArray<readonly [name: string, of: (design: Design) => Cell]> = [
  ["order_id", ({ order }) => order?.id ?? null],
  ["order_name", ({ order }) => order?.name ?? null],
  ["ordered_at", ({ orderedAt }) => orderedAt],
  ["line_item_id", ({ order }) => order?.lineItemId ?? null],
  ["design_id", ({ id }) => id],
  ["status", ({ status }) => status],
  ["created_at", ({ createdAt }) => createdAt],
  ["customizer_id", ({ customizer }) => customizer.id],
  ["customizer_title", ({ customizer }) => customizer.title],
  ["customizer_version", ({ customizer }) => customizer.version],
  ["price_base", ({ price }) => price.base],
  ["price_total", ({ price }) => price.total],
  ["currency", ({ price }) => price.currency],
]

/** Begins the names of the columns of production keys, so that none is the name of another column. */
const prefix = "production."

/** The production keys of a definition, in the order of its questions. */
export const productionKeys = ({ questions }: Definition): ReadonlyArray<string> =>
  questions.map(({ id, productionKey }) => productionKey ?? id)

/** The first line, with the names of the columns. */
export const headerLine = (keys: ReadonlyArray<string>): string =>
  lineOf([...columns.map(([name]) => name), ...keys.map((key) => prefix + key)])

/**
 * The line of a design; `undefined` if it has a production key that is not among the table's. Several values of a key
 * have semicolons between them.
 */
export const designLine = (design: Design, keys: ReadonlySet<string>): string | undefined => {
  const values = new Map<string, ReadonlyArray<string>>()
  for (const entry of design.productionData) {
    if (!keys.has(entry.key)) return undefined
    const added = "values" in entry ? entry.values : [entry.value]
    values.set(entry.key, [...(values.get(entry.key) ?? []), ...added])
  }
  const produced = [...keys].map((key) => values.get(key)?.join("; ") ?? null)
  return lineOf([...columns.map(([, of]) => of(design)), ...produced])
}

const lineOf = (cells: ReadonlyArray<Cell>): string => `${cells.map(cellOf).join(",")}\r\n`

/**
 * A text that a spreadsheet would take for a formula begins with an apostrophe, which spreadsheets don't show: buyers
 * write some of these texts.
 */
const cellOf = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
