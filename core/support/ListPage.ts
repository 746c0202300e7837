import { Effect } from "effect"
import { maximumTexts } from "../model/Page.ts"

/**
 * A page of a list, and its last entry if more follow. It ends early rather than have very many bytes (D46). `read`
 * gets the most entries and the most bytes, and after which entry to begin if it is not the page's own beginning.
 */
export const listPage = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (part: { readonly limit: number; readonly bytes: number }, after?: A) => Effect.Effect<ReadonlyArray<A>, E, R>,
) {
  // One more says whether there is a next page.
  const found = yield* read({ limit: limit + 1, bytes: maximumTexts })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  if (last === undefined) return { entries, last: undefined }
  // One that did not fit follows too.
  const hasMore = found.length > limit || (yield* read({ limit: 1, bytes: 0 }, last)).length > 0
  return { entries, last: hasMore ? last : undefined }
})
