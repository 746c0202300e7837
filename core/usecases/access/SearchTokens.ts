import { Effect } from "effect"
import { type TokenRecord, view } from "../../model/access/Token.ts"
import { InvalidInput } from "../../model/Errors.ts"
import { compareIds } from "../../model/Ids.ts"
import { TokenStore } from "../../ports/TokenStore.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** A page of a search among a shop's tokens. */
export interface TokenSearch {
  /** A part of the name in any case, or the last four characters of the token. All tokens without it. */
  readonly search?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Before a token in the list, newest first. */
const positionOf = ({ createdAt, id }: TokenRecord): string => `${createdAt}_${id}`

const positions = /^(-?\d{1,16})_([\w-]{1,255})$/

const isBehind = ({ createdAt, id }: TokenRecord, [, time, other = ""]: RegExpExecArray): boolean =>
  createdAt < Number(time) || (createdAt === Number(time) && compareIds(id, other) < 0)

const isFound = ({ hint, name }: TokenRecord, text: string): boolean =>
  name.toLowerCase().includes(text.toLowerCase()) || hint === text

/**
 * A page of a shop's tokens, newest first; `next` if there are more, and how many the shop has and the search finds. A
 * shop has a hundred tokens (D56), or a few more if they are older than that limit. Fails with `NotFound` for an
 * unknown shop, and with `InvalidInput`.
 */
export const searchTokens = Effect.fn("SearchTokens")(function* (
  shopId: string,
  { after, limit, search = "" }: TokenSearch,
) {
  const position = after === undefined ? undefined : positions.exec(after)
  if (position === null) {
    const message = "must be what the page before named as next"
    return yield* new InvalidInput({ message: `after: ${message}`, problems: [{ path: "after", message }] })
  }
  const shop = yield* shopOf(shopId)
  const all = yield* TokenStore.use((tokens) => tokens.list(shop.id))
  const found = all.filter((token) => isFound(token, search.trim()))
  const rest = position === undefined ? found : found.filter((token) => isBehind(token, position))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    tokens: page.map(view),
    next: rest.length > limit && last !== undefined ? positionOf(last) : null,
    total: all.length,
    found: found.length,
  }
})
