import { Schema } from "effect"
import { ShopId } from "../../core/model/Ids.ts"

/** Where a page is within the app: relative paths from it. */
export interface PagePath {
  /** The id of the store whose page it is, as the path says; `null` for pages of no store. */
  readonly shopId: string | null
  /** The relative path to the store's first page; for pages of no store, to the app's. */
  readonly root: string
  /** The relative path to the app's first page: `./`, `../`, … */
  readonly appRoot: string
}

const isShopId = Schema.is(ShopId)

const up = (levels: number): string => (levels < 1 ? "./" : "../".repeat(levels))

/** The page of a path in the app, e.g. `/acme/tokens`: a store's pages are below its id. */
export const pagePathOf = (path: string): PagePath => {
  const [, first = "", ...rest] = path.split("/")
  const appRoot = up(rest.length)
  return rest.length > 0 && isShopId(first)
    ? { shopId: first, root: up(rest.length - 1), appRoot }
    : { shopId: null, root: appRoot, appRoot }
}
