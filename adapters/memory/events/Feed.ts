/** The feed of a shop's events in memory (D39). Changes are atomic, so every event is visible at once. */
import { Effect } from "effect"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { utf8Length } from "../../../core/model/Text.ts"
import type { FeedPage, FeedQuery } from "../../../core/ports/EventStore.ts"
import { PositionGone } from "../../../core/ports/StorageError.ts"
import type { FeedEntry, ShopState } from "../State.ts"

/** Stores a new event. */
export const keepEvent = ({ events, feed }: ShopState, event: EventRecord): void => {
  events.set(event.id, event)
  if (event.test) return
  const ofKind = feed.ofKind.get(event.event) ?? []
  feed.ofKind.set(event.event, ofKind)
  ofKind.push({ position: ++feed.written, id: event.id })
}

/** Drops events. */
export const dropEvents = ({ events, feed }: ShopState, ids: ReadonlySet<string>): void => {
  for (const id of ids) events.delete(id)
  for (const [kind, entries] of feed.ofKind) {
    const isDropped = ({ id }: FeedEntry) => ids.has(id)
    for (const { position } of entries.filter(isDropped)) feed.dropped = Math.max(feed.dropped, position)
    feed.ofKind.set(
      kind,
      entries.filter((entry) => !isDropped(entry)),
    )
  }
}

/** A page of a shop's feed. */
export const readFeed = (
  holdings: ShopState | undefined,
  { after: asked, bytes, kinds, limit }: FeedQuery,
): Effect.Effect<FeedPage, PositionGone> => {
  const written = holdings?.feed.written ?? 0
  const dropped = holdings?.feed.dropped ?? 0
  // The feed has no gaps: it begins after the last dropped event, even if some earlier events are still kept.
  const after = asked === null ? dropped : Number(asked)
  if (after > written) return Effect.fail(new PositionGone({ reason: "ahead" }))
  if (after < dropped) return Effect.fail(new PositionGone({ reason: "dropped" }))
  const found = kinds
    .flatMap((kind) => {
      const entries = holdings?.feed.ofKind.get(kind) ?? []
      const first = placeBehind(entries, after)
      return entries.slice(first, first + limit + 1)
    })
    .sort((left, right) => left.position - right.position)
  const bodies: Array<string> = []
  let left = bytes
  for (const { id } of found.slice(0, limit)) {
    const body = holdings?.events.get(id)?.body ?? ""
    left -= utf8Length(body)
    if (left < 0 && bodies.length > 0) break
    bodies.push(body)
  }
  const hasMore = bodies.length < found.length
  const next = hasMore ? found[bodies.length - 1]?.position : written
  return Effect.succeed({ bodies, next: String(next), hasMore })
}

/** Number of entries up to a position. */
const placeBehind = (entries: ReadonlyArray<FeedEntry>, position: number): number => {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.position ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}
