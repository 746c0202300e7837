import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { clientIn } from "../sql/schema/Schema.ts"

/** The shops of a cell. */
export interface CellShops {
  /** Those that are open in it. */
  readonly open: ReadonlyArray<string>
  /** Those that are closed for a moment, on their way from it to another cell. */
  readonly leaving: ReadonlyArray<string>
  /** Those that have left it for good, and are open in another cell. */
  readonly left: ReadonlyArray<string>
}

/** Reads which shops are open in a cell, and which have left it, as of one moment. */
export const listShops = (
  sql: SqlClient.SqlClient,
  schema = "designwire",
): Effect.Effect<CellShops, SqlError.SqlError> =>
  Effect.map(
    clientIn(sql, schema)<{ shop: string; state: string }>`SELECT s.id AS shop, 'open' AS state FROM designwire.shops s
UNION ALL SELECT m.shop, m.state FROM designwire.moves m WHERE m.state IN ('closed', 'moved', 'gone') ORDER BY 1`,
    (rows) => {
      const those = (...states: ReadonlyArray<string>) =>
        rows.filter(({ state }) => states.includes(state)).map(({ shop }) => shop)
      return { open: those("open"), leaving: those("closed"), left: those("moved", "gone") }
    },
  )
