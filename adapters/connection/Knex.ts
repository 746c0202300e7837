import { type Query, queryOf, type Row } from "./Query.ts"

/** A `Transaction` of Knex. */
export interface KnexTransactionLike {
  raw(text: string, values: ReadonlyArray<never>): PromiseLike<unknown>
  isCompleted(): boolean
}

/** The transaction of Knex that `knex.transaction` passes to its function, or returns. */
export const fromKnex = (trx: KnexTransactionLike): Query =>
  queryOf(trx, () => async (text, values) => {
    const { bindings, sent, template } = bound(text, values)
    try {
      const { rows } = (await trx.raw(template, bindings)) as {
        readonly rows: ReadonlyArray<Row>
      }
      return rows
    } catch (error) {
      // Knex puts the whole statement before the database's message.
      if (error instanceof Error && error.message.startsWith(`${sent} - `)) {
        error.message = error.message.slice(sent.length + 3)
      }
      throw error
    }
  })

/**
 * A statement as Knex accepts it, with a `?` for each value in the order of the text, and as Knex sends it, with
 * numbers again.
 */
const bound = (text: string, values: ReadonlyArray<unknown>) => {
  const bindings: Array<never> = []
  const sent = text.replace(/\$(\d+)/g, (_, number) => `$${bindings.push(values[Number(number) - 1] as never)}`)
  const template = text.replace(/\$\d+|\?/g, (found) => (found === "?" ? "\\?" : "?"))
  return { template, sent, bindings }
}
