import { Effect } from "effect"
import { compareIds, hasOneForm } from "../../../core/model/Ids.ts"
import { isDone } from "../../../core/model/ingest/InboxItem.ts"
import { utf8Length } from "../../../core/model/Text.ts"
import type { Draft, DraftPlace, DraftsQuery, OrderStore } from "../../../core/ports/OrderStore.ts"
import type { ShopState, State } from "../State.ts"

/** Drafts in memory. */
export const makeDrafts = (state: State): Pick<OrderStore["Service"], "drafts" | "endedDrafts"> => ({
  drafts: (query) => Effect.sync(() => drafts(state, query)),
  endedDrafts: ({ after, limit, savedBefore }) =>
    Effect.sync(() => {
      const all = [...state.holdings.entries()]
        .flatMap(([shop, holdings]) => draftsIn(holdings).map((draft) => ({ shop, holdings, ...draft })))
        .filter(({ savedAt }) => savedAt < savedBefore)
        .map((draft) => ({ ...draft, key: JSON.stringify([draft.shop, draft.id]) }))
        .filter(({ key }) => after === null || compareIds(key, after) > 0)
        .sort((left, right) => compareIds(left.key, right.key))
      const part = all.slice(0, limit)
      return {
        found: part
          .filter(({ holdings, id }) => !isAwaited(holdings, id))
          .map(({ id, revision, shop }) => ({ shop, id, revision })),
        after: part.length < all.length ? (part.at(-1)?.key ?? null) : null,
      }
    }),
})

const draftsIn = ({ designs, saved }: ShopState) =>
  [...designs.values()]
    .filter(({ status }) => status === "draft")
    .map(({ createdAt, id, revision, wire }) => ({ id, wire, revision, savedAt: saved.get(id) ?? createdAt }))

const drafts = (
  state: State,
  { after, bytes, customizer, limit, savedBefore, savedFrom = Number.NEGATIVE_INFINITY, shop }: DraftsQuery,
): ReadonlyArray<Draft> => {
  const holdings = state.holdings.get(shop)
  if (holdings === undefined) return []
  const found = draftsIn(holdings)
    .filter(({ wire }) => customizer === null || JSON.parse(wire).customizer?.id === customizer)
    .filter(({ savedAt }) => savedAt >= savedFrom && (savedBefore === null || savedAt < savedBefore))
    .filter((draft) => after === null || newestFirst(draft, after) > 0)
    .sort(newestFirst)
    .slice(0, limit)
  let reached = 0
  const end = found.findIndex(({ wire }, index) => {
    reached += utf8Length(wire)
    return index > 0 && reached > bytes
  })
  return (end === -1 ? found : found.slice(0, end)).map(({ id, savedAt, wire }) => ({ id, wire, savedAt }))
}

const newestFirst = (left: DraftPlace, right: DraftPlace): number =>
  right.savedAt - left.savedAt || compareIds(right.id, left.id)

const isAwaited = ({ inbox }: ShopState, id: string): boolean =>
  [...inbox.values()].some(
    ({ body, entry }) =>
      !isDone(entry.state) && (entry.designId === id || (body !== null && (!hasOneForm(id) || body.includes(id)))),
  )
