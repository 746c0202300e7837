/** Drafts: designs that nobody has ordered. They are listed, and may have an end (D86). */
import { Clock, Effect } from "effect"
import { type Design, fromWire } from "../../model/catalog/Design.ts"
import type { DraftPage } from "../../model/catalog/Draft.ts"
import { format, type Instant } from "../../model/Instant.ts"
import type { DraftsInput } from "../../model/queries/Inputs.ts"
import { cursorOf, draftsQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { KeptAnswers } from "../../ports/KeptAnswers.ts"
import { type Draft, OrderStore } from "../../ports/OrderStore.ts"
import { Upkeep } from "../../ports/Upkeep.ts"
import { listPage } from "../../support/ListPage.ts"
import { makeRedact, redactedEventsOf } from "../../support/Redacting.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const read = queryReader(draftsQuery)

/**
 * Lists a shop's drafts, those saved last first: all of them, those of one customizer, or those that were not saved
 * again since a time; with `savedFrom` only those saved at it or later. Fails with `NotFound` and `InvalidInput`.
 */
export const listDrafts = Effect.fn("Drafts.list")(function* (
  shopId: string,
  input: DraftsInput = {},
  savedFrom?: Instant,
) {
  const { after: start = null, customizer = null, limit, savedBefore = null } = yield* Effect.fromResult(read(input))
  const shop = yield* shopOf(shopId)
  const { drafts } = yield* OrderStore
  const { entries, last } = yield* listPage(limit, (part, after: Draft | undefined) =>
    drafts({ ...part, shop: shop.id, customizer, savedBefore, savedFrom, after: after ?? placeOf(start) }),
  )
  const page: DraftPage = {
    data: entries.map(({ id, savedAt, wire }) => ({ id, savedAt: format(savedAt), design: fromWire(wire) as Design })),
    pagination: {
      limit,
      nextCursor: last === undefined ? null : cursorOf({ at: last.savedAt, id: encodeURIComponent(last.id) }),
    },
  }
  return page
})

const placeOf = (place: { readonly at: Instant; readonly id: string } | null) =>
  place === null ? null : { savedAt: place.at, id: place.id }

/** Drafts that one step looks at. */
const draftsOfStep = 50

/**
 * Deletes the drafts of all shops that were not saved again for `keptFor` milliseconds, by the store's clock, each as
 * `deleteDesign` does: with the buyer's texts in kept events. Ordered and cancelled designs stay, and so do drafts that
 * an event of a platform waits for. In short steps, none of which begins at the instant `deadline` or later. Returns
 * how many were deleted.
 */
export const endDrafts = Effect.fn("Drafts.end")(function* (
  keptFor: number,
  deadline: Instant = Number.POSITIVE_INFINITY,
) {
  const store = yield* OrderStore
  const savedBefore = (yield* Upkeep.use((upkeep) => upkeep.time)) - keptFor
  let ended = 0
  let after: string | null = null
  do {
    if ((yield* Clock.currentTimeMillis) >= deadline) return ended
    const step: Effect.Success<ReturnType<typeof store.endedDrafts>> = yield* store.endedDrafts({
      ...{ savedBefore, after, limit: draftsOfStep },
    })
    for (const { id, revision, shop } of step.found) {
      const events = yield* redactedEventsOf(shop, id, yield* makeRedact(shop))
      yield* KeptAnswers.use((answers) => answers.eraseTexts(shop))
      // One that was saved or ordered meanwhile has another revision, and stays.
      ended += yield* Effect.match(store.remove({ shop, id, revision, events }), {
        onFailure: (error) => (error._tag === "StaleRevision" ? Effect.succeed(0) : Effect.fail(error)),
        onSuccess: () => Effect.succeed(1),
      }).pipe(Effect.flatten)
    }
    after = step.after
  } while (after !== null)
  return ended
})
