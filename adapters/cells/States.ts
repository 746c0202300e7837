/** The account of moves in each cell, in its table `moves`. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Cell, Move } from "./Move.ts"

/**
 * - at the source `copying`, then `closed` while the shop is open in neither cell, then `moved`, and `gone` once its
 *   rows are deleted;
 * - at the target `arriving`, and no entry once the shop is open there.
 */
export type MoveState = "copying" | "closed" | "moved" | "gone" | "arriving"

/** A shop in a cell. */
export interface ShopInCell {
  /** Whether the shop is open in the cell: it has a row in `shops`. */
  readonly isHere: boolean
  readonly state: MoveState | null
  /** The name of the attempt: both cells have the same, or the target's copy is another one's. */
  readonly run: string | null
  /** The other cell. */
  readonly other: string | null
}

/** How a shop stands in a cell. */
export const shopIn = ({ sql }: Cell, shop: string): Effect.Effect<ShopInCell, SqlError.SqlError> =>
  Effect.map(
    sql<ShopInCell>`SELECT EXISTS (SELECT FROM designwire.shops s WHERE s.id = ${shop}) AS "isHere", m.state, m.run, m.other
FROM (SELECT 1) one LEFT JOIN designwire.moves m ON m.shop = ${shop}`,
    ([row]) => row ?? { isHere: false, state: null, run: null, other: null },
  )

/** Enters a move at the source, and returns the name of the attempt. */
export const enter = ({ shop, source, target }: Move): Effect.Effect<string, SqlError.SqlError> =>
  Effect.map(
    source.sql<{ run: string }>`INSERT INTO designwire.moves (shop, state, run, other, at)
VALUES (${shop}, 'copying', gen_random_uuid()::text, ${target.name}, now()) RETURNING run`,
    ([row]) => row?.run ?? "",
  )

/** Enters an arriving shop at the target. */
export const expect = ({ shop, source, target }: Move, run: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    target.sql`INSERT INTO designwire.moves (shop, state, run, other, at)
VALUES (${shop}, 'arriving', ${run}, ${source.name}, now())
ON CONFLICT (shop) DO UPDATE SET state = excluded.state, run = excluded.run, other = excluded.other, at = excluded.at,
  shop_row = NULL`,
  )
