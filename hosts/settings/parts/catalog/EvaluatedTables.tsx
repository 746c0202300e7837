import type { Question } from "../../../../core/model/catalog/Definition.ts"
import type { PriceLine, ProductionEntry, SummaryEntry } from "../../../../core/model/catalog/Design.ts"
import type { Evaluated } from "../../../../core/usecases/catalog/TryDefinition.ts"
import type { Visit } from "../../Visit.ts"
import { Table } from "../List.tsx"
import { bytesIn, cut, fitting } from "./Cut.ts"
import { Isolated } from "./Isolated.tsx"

/** The longest value that a table shows. */
const longest = 300

const joined = (values: ReadonlyArray<string>): string => cut(values.slice(0, 100).join(", "), longest)

/** A value, or the first of several. */
const valuesOf = (value: string | ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = [value].flat().map((one) => cut(one, longest))
  const shown = all.length === 0 ? all : fitting(all.slice(0, 100), longest, ({ length }) => length)
  return shown.length < all.length ? [...shown, "…"] : shown
}

/** The cells of a row, each with a text or with several. */
type Row = ReadonlyArray<string | ReadonlyArray<string>>

const referenceOf = ({ ref }: ProductionEntry): string => {
  if (ref === undefined) return ""
  return `${cut(ref.questionId, 100)} → ${"answerId" in ref ? cut(ref.answerId, 100) : joined(ref.answerIds)}`
}

/** The result of an evaluation: summary, production data with references, and price, each a table of limited size. */
export const EvaluatedTables = ({
  bytes,
  evaluated: { price, productionData, summary },
  questions,
  visit,
}: {
  /** Those of the definition; none if it is not known. */
  readonly questions: ReadonlyArray<Pick<Question, "id" | "title">>
  readonly evaluated: Evaluated
  readonly bytes: number
  readonly visit: Visit["Service"]
}) => {
  const texts = visit.texts.design
  const summaryRow = ({ key, value }: SummaryEntry) => [cut(key, 100), valuesOf(value)]
  const productionRow = (entry: ProductionEntry) => [
    cut(entry.key, 100),
    valuesOf("values" in entry ? entry.values : entry.value),
    referenceOf(entry),
  ]
  const amount = (cents: number) => visit.figures.money(cents, price.currency)
  const priceRow = ({ a, amount: cents, q, variantId }: PriceLine) => [
    cut(questions.find(({ id }) => id === q)?.title ?? q, 100),
    cut(a, 100),
    variantId === null ? "" : cut(String(variantId), 100),
    amount(cents),
  ]
  return (
    <>
      <Rows visit={visit} id="summary" title={texts.summary} columns={[texts.key, texts.value]} bytes={bytes}>
        {summary.map(summaryRow)}
      </Rows>
      <Rows
        visit={visit}
        id="production"
        title={texts.production}
        columns={[texts.key, texts.value, texts.reference]}
        bytes={bytes}
      >
        {productionData.map(productionRow)}
      </Rows>
      <Rows
        visit={visit}
        id="price"
        title={texts.price}
        columns={[texts.question, texts.answer, texts.variant, texts.amount]}
        bytes={bytes}
        last={[
          [texts.base, "", "", amount(price.base)],
          ...(price.rounding === 0 ? [] : [[texts.rounding, "", "", amount(price.rounding)]]),
          [texts.total, "", "", amount(price.total)],
        ]}
      >
        {price.lines.map(priceRow)}
      </Rows>
    </>
  )
}

/** A card with a table. Rows that have no room are counted. */
const Rows = ({
  bytes,
  children: rows,
  columns,
  id,
  last = [],
  title,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly id: string
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly bytes: number
  readonly children: ReadonlyArray<Row>
  readonly last?: ReadonlyArray<Row>
}) => {
  const shown =
    rows.length === 0
      ? rows
      : fitting(rows, bytes, (row) => 40 + 60 * row.length + 13 * row.flat().length + bytesIn(...row.flat()))
  const texts = visit.texts.design
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      {rows.length + last.length === 0 ? (
        <p class="pad hint">{texts.nothing}</p>
      ) : (
        <Table
          kind="values"
          rows={[...shown, ...last]}
          keyOf={(_row, index) => index}
          columns={columns.map((label, column) => ({
            label,
            // Amounts are the last column of the table that has sums.
            ...(last.length > 0 && column === columns.length - 1 ? { class: "number" } : {}),
            cell: (row: Row) => <Isolated texts={[row[column] ?? []].flat()} />,
          }))}
        />
      )}
      {shown.length < rows.length && (
        <p class="pad hint">{texts.rowsCut(visit.figures.figure(rows.length - shown.length))}</p>
      )}
    </section>
  )
}
