import { type Query, queryOf, type Row } from "./Query.ts"

/** An SQL value as Drizzle accepts it: Drizzle asks it for its text and values. */
interface Sql {
  getSQL(): never
}

/** The `tx` of Drizzle's `db.transaction`, over any of its drivers for Postgres. */
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

/** Drivers return a list of rows, or an object that holds one. */
const rowsOf = (answer: unknown): ReadonlyArray<Row> => {
  const rows = typeof answer === "object" && answer !== null && "rows" in answer ? answer.rows : answer
  if (!Array.isArray(rows)) throw new TypeError("This driver of Drizzle answers no rows")
  return [...rows]
}

/** The transaction of Drizzle's `db.transaction`. */
export const fromDrizzle = (tx: DrizzleTransactionLike): Query =>
  queryOf(tx, () =>
    // Drizzle sets the savepoint, because postgres.js under it must know of savepoints.
    Object.assign(statements(tx), {
      savepoint: async (run: (query: Query) => Promise<void>) => {
        await tx.transaction((inner) => run(statements(inner)))
      },
    }),
  )
