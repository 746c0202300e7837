import { Effect, Schema } from "effect"
import { InvalidInput } from "../../model/Errors.ts"
import { ShopId } from "../../model/Ids.ts"
import type { Page } from "../../model/Page.ts"
import type { ShopsInput } from "../../model/queries/Inputs.ts"
import { shopsQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { isStorable } from "../../model/Text.ts"
import { ShopStore } from "../../ports/ShopStore.ts"

/** A page of a search among shops. */
export interface ShopSearch {
  /** The beginning of an id or of a domain, in any case. All shops without it. */
  readonly search?: string | undefined
  /** The id of the last shop of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

const isShopId = Schema.is(ShopId)

const read = queryReader(shopsQuery)

/** A page of all shops, by id. Fails with `InvalidInput`. */
export const pageOfShops = Effect.fn("SearchShops.page")(function* (input: ShopsInput = {}) {
  const query = yield* Effect.fromResult(read(input))
  const { next, shops } = yield* searchShops(query)
  const page: Page<Shop> = { data: shops, pagination: { limit: query.limit, nextCursor: next } }
  return page
})

/**
 * A page of the shops whose id or domain begins with a text, by id; `next` if there are more. Fails with
 * `InvalidInput`.
 */
export const searchShops = Effect.fn("SearchShops")(function* ({ after, limit, search = "" }: ShopSearch) {
  if (after !== undefined && !isShopId(after)) {
    const message = "must be the id of a shop"
    return yield* new InvalidInput({ message: `after: ${message}`, problems: [{ path: "after", message }] })
  }
  const text = search.trim().toLowerCase()
  if (!isStorable(text)) return { shops: [], next: null }
  const found = yield* ShopStore.use((shops) =>
    shops.list({ search: text === "" ? null : text, after: after ?? null, limit: limit + 1 }),
  )
  const shops = found.slice(0, limit)
  return { shops, next: found.length > limit ? (shops.at(-1)?.id ?? null) : null }
})
