/**
 * Designs as comma-separated values (RFC 4180): a line for each design, a column for each production key; and the lines
 * of orders.
 */
import type { Design, ProductionEntry } from "../../model/catalog/Design.ts"
import { inDecimals } from "../../model/Money.ts"
import type { Order } from "../../model/orders/Order.ts"
import type { LineOfOrder } from "../../model/orders/OrderLine.ts"

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
  ["price_total", ({ price }) => decimal(inDecimals(price.total, price.currency))],
  ["currency", ({ price }) => price.currency],
] as const satisfies ReadonlyArray<readonly [string, (design: Design) => string | number | Decimal]>

/** The columns of ordered designs: all pieces of a design, and what it is a copy of. */
const ofLines = ["quantity", "copy_of"]

/** Spreadsheets take a text for one of an old encoding without it. */
const byteOrderMark = "\ufeff"

/**
 * The first line. `production.` before a production key keeps it apart from the other columns. `isOrdered`: with the
 * columns of ordered designs.
 */
export const heading = (keys: ReadonlyArray<string>, isOrdered: boolean): string =>
  byteOrderMark +
  line([...columns.map(([name]) => name), ...(isOrdered ? ofLines : []), ...keys.map((key) => `production.${key}`)])

/**
 * The line of a design; `lines`: those of the design in its order, for the columns of ordered designs. Several values
 * of a key are separated by semicolons. A value that has a separator in it is in quotes, so that it does not read as
 * two.
 */
export const row = (design: Design, keys: ReadonlyArray<string>, lines?: ReadonlyArray<LineOfOrder>): string => {
  const values = new Map<string, string>()
  for (const entry of design.productionData) {
    const before = values.get(entry.key)
    values.set(entry.key, before === undefined ? textOf(entry) : `${before}; ${textOf(entry)}`)
  }
  const pieces = lines?.reduce((sum, { quantity }) => sum + quantity, 0)
  return line([
    ...columns.map(([_, of]) => of(design)),
    ...(pieces === undefined ? [] : [pieces, lines?.[0]?.copyOf ?? ""]),
    ...keys.map((key) => values.get(key) ?? ""),
  ])
}

/** The line of a design on one of the lines of its order. */
export const rowOfLine = (design: Design, line: LineOfOrder, keys: ReadonlyArray<string>): string => {
  const { order } = design
  const own = order === null ? null : { ...order, lineItemId: line.lineItemId }
  return row({ ...design, order: own }, keys, [line])
}

/** The first line of a table of lines of orders. */
export const lineHeading: string = `${byteOrderMark}order_id,order_name,ordered_at,line_item_id,design_id,copy_of,quantity,status\r\n`

/** A line of an order as a line of its table. */
export const lineRow = (
  { id, name, orderedAt }: Pick<Order, "id" | "name" | "orderedAt">,
  { copyOf, designId, lineItemId, quantity, status }: LineOfOrder,
): string => line([id, name, orderedAt, lineItemId, designId, copyOf ?? "", quantity, status])

const textOf = (entry: ProductionEntry): string =>
  "values" in entry ? entry.values.map(inCell).join("; ") : inCell(entry.value)

/** A value in a cell with others: without ambiguity, because no other value begins with a quote or has a separator. */
const inCell = (value: string): string => (/^"|; /.test(value) ? inQuotes(value) : value)

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A number that is written already. */
interface Decimal {
  readonly decimal: string
}

const decimal = (written: string): Decimal => ({ decimal: written })

const line = (fields: ReadonlyArray<string | number | Decimal>): string => `${fields.map(quote).join(",")}\r\n`

/**
 * Spreadsheets run a text that begins like this as a formula, and buyers write texts. Some pass over blanks and
 * characters that can't be seen.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Z}\p{C}]*[=+\-@＝＋－＠])/u

const quote = (field: string | number | Decimal): string => {
  if (typeof field === "number") return String(field)
  if (typeof field === "object") return field.decimal
  const text = formula.test(field) ? `'${field}` : field
  return /[",\r\n]/.test(text) ? inQuotes(text) : text
}
