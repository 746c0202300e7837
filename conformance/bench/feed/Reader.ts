/** Reads the feeds of all shops while events are written, and compares the result with the written events. */
import { EndpointKind } from "../../../core/model/events/Event.ts"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { pause } from "../support/Clock.ts"
import type { Stores } from "./Stores.ts"
import type { Written } from "./Writers.ts"

/** A page of a shop's feed. */
export const readPage = (stores: Stores, shop: string, after: FeedPosition | null) =>
  stores.runPromise(
    EventStore.use((events) =>
      events.feed({ shop, after, kinds: EndpointKind.literals, limit: 100, bytes: 8 * 1024 * 1024 }),
    ),
  )

/** Errors found by reading. */
export interface Verdict {
  readonly read: number
  readonly twice: number
  readonly missed: number
  /** Shown despite its transaction's rollback. */
  readonly undone: number
  /** Shown before an event of its shop whose writing ended before its own began. */
  readonly outOfOrder: number
  /** Milliseconds from the end of a commit to the page with its events. */
  readonly delays: ReadonlyArray<number>
}

/** Follows a shop until all writers have ended and everything was read. */
export const follow = async (
  stores: Stores,
  shop: string,
  isOver: () => boolean,
  found: Array<number>,
  seen: Array<number>,
) => {
  for (let after: FeedPosition | null = null; ; ) {
    const wasOver = isOver()
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(stores, shop, after)
    const at = performance.now()
    for (const body of page.bodies) {
      const { number } = JSON.parse(body) as { readonly number: number }
      found.push(number)
      seen[number] ??= at
    }
    after = page.next
    if (wasOver && !page.hasMore) return
    if (!page.hasMore) await pause(20)
  }
}

/** Compares. */
export const judge = (
  written: Written,
  feeds: ReadonlyArray<ReadonlyArray<number>>,
  seen: ReadonlyArray<number>,
): Verdict => {
  const times = new Uint8Array(written.shops.length)
  let [twice, missed, undone, outOfOrder, read] = [0, 0, 0, 0, 0]
  const delays: Array<number> = []
  for (const feed of feeds) {
    let latestBegun = -1
    for (const number of feed) {
      read++
      if (times[number] === 1) twice++
      times[number] = 1
      if (written.committed[number] === 0) undone++
      if ((written.done[number] ?? Number.POSITIVE_INFINITY) < latestBegun) outOfOrder++
      latestBegun = Math.max(latestBegun, written.begun[number] ?? 0)
      const committedAt = written.committedAt[number]
      if (committedAt !== undefined) delays.push(Math.max(0, (seen[number] ?? Number.NaN) - committedAt))
    }
  }
  for (const [number, committed] of written.committed.entries()) if (committed === 1 && times[number] === 0) missed++
  return { read, twice, missed, undone, outOfOrder, delays }
}
