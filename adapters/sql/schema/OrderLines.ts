/**
 * The lines of orders that say more than their designs (D81): other quantities than 1, several lines of a design,
 * copies. One row for an order, because its lines are replaced together and read together.
 */
export const orderLines: ReadonlyArray<string> = [
  `CREATE TABLE designwire.order_lines (
  shop text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  parent text COLLATE "C",
  lines text NOT NULL,
  PRIMARY KEY (shop, order_id)
)`,
]
