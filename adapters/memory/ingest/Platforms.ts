/** Connections of shops to platforms in memory, as part of `Inbox`. */
import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import { DomainTaken, type Inbox, type PlatformPlace } from "../../../core/ports/Inbox.ts"
import { disconnectionOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { addChange } from "../audit/Audit.ts"
import { holdingsOf, type State } from "../State.ts"
import { addNotices } from "../webhooks/Notices.ts"

type Methods = Pick<Inbox["Service"], "platforms" | "updatePlatform">

const compare = (left: PlatformPlace, right: PlatformPlace): number =>
  compareIds(left.shop, right.shop) || compareIds(left.platform, right.platform)

/** The methods of `Inbox` about connections. */
export const platformMethods = (state: State): Methods => {
  const all = () => [...state.holdings.values()].flatMap(({ platforms }) => [...platforms.values()]).sort(compare)
  return {
    platforms: (which) =>
      Effect.sync(() => {
        if ("shop" in which) return all().filter(({ shop }) => shop === which.shop)
        if ("domain" in which) {
          return all().filter(({ domain, platform }) => platform === which.platform && domain === which.domain)
        }
        if ("dueAt" in which) {
          return all()
            .filter(({ accessKey, dueAt }) => accessKey !== null && (dueAt ?? 0) <= which.dueAt)
            .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
            .slice(0, which.limit)
        }
        const { after, limit } = which
        return all()
          .filter((record) => after === null || compare(record, after) > 0)
          .slice(0, limit)
      }),

    updatePlatform: (shop, platform, change, audited) =>
      Effect.gen(function* () {
        const holdings = holdingsOf(state, shop)
        const before = holdings.platforms.get(platform) ?? null
        const after = yield* Effect.fromResult(change(before))
        if (after === null) holdings.platforms.delete(platform)
        else {
          const isTaken = all().some(
            (other) => other.shop !== shop && other.platform === platform && other.domain === after.domain,
          )
          if (isTaken) return yield* new DomainTaken()
          holdings.platforms.set(platform, after)
          addNotices(holdings, disconnectionOf(before, after))
        }
        addChange(state, audited, before ?? undefined, after ?? undefined)
        return Option.fromNullOr(after)
      }),
  }
}
