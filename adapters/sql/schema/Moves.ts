/**
 * Shops that have left this database for another cell, are leaving it, or arrive. The state is `copying`, `closed`,
 * `moved` or `gone` if the shop leaves, and `arriving`. Its row of `shops` is here while the shop is open nowhere.
 */
export const moves: ReadonlyArray<string> = [
  `CREATE TABLE designwire.moves (
  shop text COLLATE "C" NOT NULL PRIMARY KEY,
  state text COLLATE "C" NOT NULL,
  -- The name of the attempt, and of the other cell
  run text NOT NULL,
  other text NOT NULL,
  shop_row jsonb,
  at timestamptz(3) NOT NULL
)`,
]
