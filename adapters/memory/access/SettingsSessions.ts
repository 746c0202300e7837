import { Effect } from "effect"
import { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { holdingsOf, type State } from "../State.ts"

const usedId = (id: string): string => `used ${id}`

const epochOf = (owner: string): string => `epoch ${owner}`

/** Whether an id of a shop was used. */
export const isSpent = (state: State, shop: string, id: string): boolean =>
  state.holdings.get(shop)?.marks.has(usedId(id)) === true

/** Marks of sessions in memory. */
export const makeSettingsSessions = (state: State): SettingsSessions["Service"] =>
  SettingsSessions.of({
    standing: ({ owner, session, shop }) =>
      Effect.sync(() => ({
        isEnded: isSpent(state, shop, session),
        epoch: state.holdings.get(shop)?.marks.get(epochOf(owner))?.epoch ?? 0,
      })),
    spend: ({ id, shop, until }) =>
      Effect.sync(() => {
        const { marks } = holdingsOf(state, shop)
        if (marks.has(usedId(id))) return false
        marks.set(usedId(id), { epoch: 0, until })
        return true
      }),
    endAll: ({ now, owner, shop, until }) =>
      Effect.sync(() => {
        const { marks } = holdingsOf(state, shop)
        const before = marks.get(epochOf(owner))
        marks.set(epochOf(owner), {
          epoch: Math.max(now, (before?.epoch ?? 0) + 1),
          until: Math.max(until, before?.until ?? until),
        })
      }),
  })
