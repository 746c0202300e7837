import type { CellShops } from "../../../adapters/cells/index.ts"
import { shopPart, unfitFor } from "../../../core/model/webhooks/PublicAddress.ts"

/** How a cell's database compares with the map of the proxies. */
export interface Comparison {
  readonly verdict: "ok" | "note" | "WRONG"
  readonly sentence: string
}

/** Shops that a sentence names. */
const named = 5

const list = (shops: ReadonlyArray<string>): string =>
  shops.slice(0, named).join(", ") + (shops.length > named ? ` and ${shops.length - named} more` : "")

/** Compares the shops of a database with those that the map places in its cell. */
export const compareCell = (
  { leaving, left, open }: CellShops,
  cell: string,
  places: ReadonlyMap<string, string>,
): Comparison => {
  const known = new Set([...open, ...leaving, ...left])
  const old = open.filter((shop) => places.get(shop) !== cell)
  const away = left.filter((shop) => places.get(shop) === cell)
  const missing = [...places].flatMap(([shop, at]) => (at === cell && !known.has(shop) ? shop : []))
  const wrong = [
    ...(old.length === 0
      ? []
      : [
          `${list(old)}: here, but the map places them elsewhere, so they are refused. ` +
            "They are old copies if the database was restored to before they moved; new shops must be entered in the map",
        ]),
    ...(away.length === 0 ? [] : [`${list(away)}: moved to another cell, but the map places them here`]),
    ...(missing.length === 0 ? [] : [`${list(missing)}: placed here by the map, but not in the database`]),
  ]
  return wrong.length === 0
    ? { verdict: "ok", sentence: `has the ${open.length} shops that the map places in ${cell}` }
    : { verdict: "WRONG", sentence: wrong.join(". ") }
}

/** The note for a host without a map; `undefined` if no shop has ever moved from its database. */
export const withoutMap = ({ left }: CellShops): Comparison | undefined =>
  left.length === 0
    ? undefined
    : {
        verdict: "note",
        sentence:
          `${list(left)} moved to another cell. If this database is restored to before that, nothing keeps hosts from ` +
          "serving the old copies and sending their deliveries again: set DESIGNWIRE_CELL and DESIGNWIRE_CELLS_FILE",
      }

/**
 * Compares the public address with the shops and with the map; `undefined` if it names no shop and nothing needs it to.
 */
export const compareAddress = (
  { leaving, open }: CellShops,
  publicUrl: string | undefined,
  hasMap: boolean,
): Comparison | undefined => {
  if (publicUrl === undefined || shopPart(publicUrl) === undefined) {
    if (!hasMap) return undefined
    const sentence =
      "names no shop, so proxies can't find the cell of a request to the REST API by the map, unless they give each " +
      "shop an address of their own: put {shop} into DESIGNWIRE_PUBLIC_URL"
    return { verdict: "note", sentence }
  }
  const unfit = [...open, ...leaving].filter((shop) => unfitFor(publicUrl, shop) !== undefined)
  if (unfit.length === 0) return { verdict: "ok", sentence: `${publicUrl}, which has the id of a shop at {shop}` }
  return {
    verdict: "note",
    sentence:
      `${list(unfit)}: no address, because an id that ends in a hyphen or begins with xn-- can't be part of the host ` +
      `name in ${publicUrl}. Tokens of such shops work at other names of the host, such as one without a shop`,
  }
}
