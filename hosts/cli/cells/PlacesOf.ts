import type { CellShops } from "../../../adapters/cells/index.ts"
import type { Places } from "./Places.ts"

/** The cell of each shop. A shop that is on its way is still in the cell that it leaves. */
export const placesOf = (cells: ReadonlyMap<string, CellShops>): Places => {
  const places = new Map<string, string>()
  const problems: Array<string> = []
  for (const [cell, { open }] of cells) {
    for (const shop of open) {
      const other = places.get(shop)
      if (other === undefined) places.set(shop, cell)
      else
        problems.push(`${shop} is in two cells, ${other} and ${cell}. One has an old copy: \`designwire doctor\` there`)
    }
  }
  for (const [cell, { leaving }] of cells) for (const shop of leaving) if (!places.has(shop)) places.set(shop, cell)
  for (const [cell, { left }] of cells) {
    for (const shop of left) {
      if (!places.has(shop)) problems.push(`${shop} has moved from ${cell}, and is in none of these cells`)
    }
  }
  return { places, problems }
}
