/** Designs as comma-separated values (RFC 4180): a line for each design, a column for each production key. */
import type { Design, ProductionEntry } from "../../model/Design.ts"

/** The columns before the production keys. */
const columns = [
  ["design_id", ({ id }) => id],
  ["status", ({ status }) => status],
  ["order_id", ({ order }) => order?.id ?? ""],
  ["order_name", ({ order }) => order?.name ?? ""],
  ["line_item_id", ({ order }) => order?.lineItemId ?? ""],
  ["ordered_at", ({ orderedAt }) => orderedAt ?? ""],
  ["created_at", ({ createdAt }) => createdAt],
  ["customizer_id", ({ customizer }) => customizer.id],
  ["customizer_title", ({ customizer }) => customizer.title],
  ["customizer_version", ({ customizer }) => customizer.version],
  ["price_total", ({ price }) => price.total],
  ["currency", ({ price }) => price.currency],
] as const satisfies ReadonlyArray<readonly [string, (design: Design) => string | number]>

/** The first line. `production.` before a production key keeps it apart from the other columns. */
export const heading = (keys: ReadonlyArray<string>): string =>
  line([...columns.map(([name]) => name), ...keys.map((key) => `production.${key}`)])

/** The line of a design. Several values of a key are separated by semicolons. */
export const row = (design: Design, keys: ReadonlyArray<string>): string => {
  const values = new Map<string, string>()
  for (const entry of design.productionData) {
    const before = values.get(entry.key)
    values.set(entry.key, before === undefined ? textOf(entry) : `${before}; ${textOf(entry)}`)
  }
  return line([...columns.map(([_, of]) => of(design)), ...keys.map((key) => values.get(key) ?? "")])
}

const textOf = (entry: ProductionEntry): string => ("values" in entry ? entry.values.join("; ") : entry.value)

const line = (fields: ReadonlyArray<string | number>): string => `${fields.map(quote).join(",")}\r\n`

/** Spreadsheets run a text that begins like this as a formula, and buyers write texts. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

const quote = (field: string | number): string => {
  if (typeof field === "number") return String(field)
  const text = formula.test(field) ? `'${field}` : field
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
