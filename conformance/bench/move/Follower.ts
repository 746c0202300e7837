/** Follows the feeds of shops while their bucket moves. */
import { Effect, Result } from "effect"
import { EndpointKind } from "../../../core/model/Event.ts"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { instant, pause } from "../support/Clock.ts"
import type { Stores } from "./Stores.ts"
import { numberOf } from "./Writers.ts"

/** The part of a feed that a follower has read, by the numbers of orders. */
export interface Followed {
  readonly numbers: Array<number>
  /** The instants of the pages with them. */
  readonly seen: Array<number>
  /** How often the feed refused the follower's position. */
  gone: number
}

const page = (stores: Stores, shop: string, after: FeedPosition | null, kinds: ReadonlyArray<EndpointKind>) =>
  stores.runPromise(
    Effect.result(
      EventStore.use((store) => store.feed({ shop, after, kinds, limit: 100, bytes: 8 * 1024 * 1024 })).pipe(
        Effect.catchDefect((defect) => Effect.fail({ _tag: "Defect" as const, defect })),
      ),
    ),
  )

/** The end of a feed as it is now. */
export const endOf = async (stores: Stores, shop: string): Promise<FeedPosition> =>
  Result.getOrThrow(await page(stores, shop, null, [])).next

/** Follows a feed from a position until it is over and all is read. While pages fail, it asks again. */
export const follow = async (
  stores: Stores,
  shop: string,
  from: FeedPosition,
  isOver: () => boolean,
): Promise<Followed> => {
  const followed: Followed = { numbers: [], seen: [], gone: 0 }
  for (let after = from; ; ) {
    const wasOver = isOver()
    const result = await page(stores, shop, after, EndpointKind.literals)
    if (Result.isFailure(result)) {
      if (result.failure._tag === "PositionGone") followed.gone++
      if (followed.gone > 100) return followed
      await pause(50)
      continue
    }
    const { bodies, hasMore, next } = result.success
    const at = instant()
    for (const body of bodies) {
      followed.numbers.push(numberOf(body) ?? Number.NaN)
      followed.seen.push(at)
    }
    after = next
    if (wasOver && !hasMore) return followed
    if (!hasMore) await pause(50)
  }
}
