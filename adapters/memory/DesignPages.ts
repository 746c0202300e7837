import { Effect } from "effect"
import type { DesignRecord } from "../../core/model/Design.ts"
import { compareIds } from "../../core/model/Ids.ts"
import type { DesignPosition } from "../../core/model/Page.ts"
import { utf8Length } from "../../core/model/Text.ts"
import type { OrderStore } from "../../core/ports/OrderStore.ts"
import type { State } from "./State.ts"

/** Returns `OrderStore.readDesigns` in memory. */
export const makeReadDesigns =
  (state: State): OrderStore["Service"]["readDesigns"] =>
  ({ shop, limit, bytes, after, createdFrom }) =>
    Effect.sync(() => {
      const found = [...(state.holdings.get(shop)?.designs.values() ?? [])]
        .filter((design) => createdFrom === null || design.createdAt >= createdFrom)
        .filter((design) => after === null || oldestFirst(design, after) > 0)
        .sort(oldestFirst)
      const page = fitting(found.slice(0, limit), bytes)
      const last = page.length < found.length ? page.at(-1) : undefined
      return {
        designs: page.map(({ wire }) => wire),
        next: last === undefined ? null : { createdAt: last.createdAt, id: last.id },
      }
    })

const oldestFirst = (left: DesignPosition, right: DesignPosition): number =>
  left.createdAt - right.createdAt || compareIds(left.id, right.id)

/** The longest prefix of designs within a number of bytes; at least one design. */
const fitting = (designs: ReadonlyArray<DesignRecord>, bytes: number): ReadonlyArray<DesignRecord> => {
  let left = bytes
  const end = designs.findIndex(({ wire }, index) => {
    left -= utf8Length(wire)
    return left < 0 && index > 0
  })
  return end < 0 ? designs : designs.slice(0, end)
}
