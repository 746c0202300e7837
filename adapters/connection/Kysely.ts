import { type Query, queryOf, type Row } from "./Query.ts"

/** A `Transaction` of Kysely. */
export interface KyselyTransactionLike {
  withoutPlugins(): {
    executeQuery(query: {
      readonly sql: string
      readonly parameters: ReadonlyArray<unknown>
      readonly query: {
        readonly kind: "RawNode"
        readonly sqlFragments: Array<string>
        readonly parameters: Array<never>
      }
      readonly queryId: { readonly queryId: string }
    }): Promise<{ readonly rows: ReadonlyArray<unknown> }>
  }
  readonly isTransaction: true
}

/**
 * The transaction of Kysely that `db.transaction().execute` passes to its function, or
 * `db.startTransaction().execute()` returns.
 */
export const fromKysely = (trx: KyselyTransactionLike): Query =>
  queryOf(trx, () => {
    // Plugins may rewrite the names of columns.
    const plain = trx.withoutPlugins()
    let number = 0
    return async (text, values) => {
      const { rows } = await plain.executeQuery({
        sql: text,
        parameters: [...values],
        query: { kind: "RawNode", sqlFragments: [text], parameters: [] },
        queryId: { queryId: `designwire${++number}` },
      })
      return rows as ReadonlyArray<Row>
    }
  })
