import { type Query, queryOf, type Row } from "./Query.ts"

/** What Drizzle takes for SQL: it asks it for its text and values. */
interface Sql {
  getSQL(): never
}

/** The `tx` of a `db.transaction` of Drizzle, over any of its drivers for Postgres. */
export interface DrizzleTransactionLike {
  execute(sql: Sql): PromiseLike<unknown>
  transaction(run: (tx: DrizzleTransactionLike) => Promise<void>): Promise<unknown>
  rollback(): never
}

const statements =
  (tx: DrizzleTransactionLike): Query =>
  async (text, values) => {
    const chunk = { toQuery: () => ({ sql: text, params: [...values] }) }
    return rowsOf(await tx.execute({ getSQL: () => chunk as never }))
  }

/** Drivers answer a list of rows, or what holds one. */
const rowsOf = (answer: unknown): ReadonlyArray<Row> => {
  const rows = typeof answer === "object" && answer !== null && "rows" in answer ? answer.rows : answer
  if (!Array.isArray(rows)) throw new TypeError("This driver of Drizzle answers no rows")
  return [...rows]
}

/** The transaction of a `db.transaction` of Drizzle. */
export const fromDrizzle = (tx: DrizzleTransactionLike): Query =>
  queryOf(tx, () =>
    // Over postgres.js, which must know of savepoints.
    Object.assign(statements(tx), {
      savepoint: async (run: (query: Query) => Promise<void>) => {
        await tx.transaction((inner) => run(statements(inner)))
      },
    }),
  )
