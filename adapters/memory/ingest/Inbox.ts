import { Effect, Option } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import {
  bodiesSearched,
  type InboxEntry,
  type InboxItem,
  type InboxSettlement,
  isDone,
  type OrderProgress,
  saysLater,
  wasTried,
} from "../../../core/model/ingest/InboxItem.ts"
import { isInTrouble } from "../../../core/model/ingest/PlatformConnection.ts"
import { utf8Length } from "../../../core/model/Text.ts"
import type { NoticeRecord } from "../../../core/model/webhooks/Notice.ts"
import { Inbox, type InboxTrouble } from "../../../core/ports/Inbox.ts"
import {
  betweenTroubles,
  isTroubled,
  kindOfTrouble,
  type Trouble,
  toldTogether,
  troubleAt,
  troubleLetters,
  troubleOf,
} from "../../../core/rules/webhooks/NoticeRules.ts"
import { fitting } from "../Fitting.ts"
import { holdingsOf, type InboxState, type ShopState, type State } from "../State.ts"
import { addNotices } from "../webhooks/Notices.ts"
import { platformMethods } from "./Platforms.ts"

/** Events of platforms in memory, of which one at a time is applied: a change that has begun is carried out. */
export const makeInbox = (state: State): Inbox["Service"] => {
  const entriesOf = (shop: string) => entriesIn(state, shop)
  return Inbox.of({
    ...platformMethods(state),
    ...lookMethods(state),
    put: (item) =>
      Effect.sync(() => {
        const { inbox } = holdingsOf(state, item.shop)
        const earlier = sameAs(inbox, item)
        if (earlier === undefined) return putItem(inbox, item)
        if (isReturn(inbox, item, earlier)) return putItem(inbox, { ...item, content: null })
        return saysLater(item, earlier) ? triggeredLater(inbox, earlier, item) : earlier
      }),

    apply: (shop, id, change, isByHand = false) =>
      Effect.suspend(() => {
        const kept = state.holdings.get(shop)?.inbox.get(id)
        if (kept === undefined) return Effect.succeedNone
        const { body, entry } = kept
        if (body === null || (isDone(entry.state) && !isByHand)) return Effect.succeedSome(entry)
        return Effect.map(change({ ...entry, body }, progressOf(entriesOf(shop), entry)), (outcome) => {
          const next = settled(kept, outcome)
          const inbox = state.holdings.get(shop)?.inbox
          // The change may have removed it, or may have been part of its own erasure.
          if (inbox?.has(id) === true) {
            endOthers(inbox, entry, outcome)
            if (outcome.lifts !== undefined) notCancelled(holdingsOf(state, shop), entry)
            inbox.set(id, next)
          }
          return Option.some(next.entry)
        })
      }).pipe(Effect.uninterruptible, state.inboxTurn.withPermits(1)),

    find: (shop, id) => Effect.sync(() => Option.fromUndefinedOr(state.holdings.get(shop)?.inbox.get(id)?.entry)),

    list: ({ after, bytes, from = "", limit, order, saying, shop, state: asked }) =>
      Effect.sync(() =>
        fitting(
          (saying === undefined ? entriesOf(shop) : entriesSaying(state, shop, saying))
            .filter((entry) => asked === null || entry.state === asked)
            .filter(({ orderId }) => order === undefined || orderId === order)
            .filter(({ id }) => compareIds(id, from) >= 0 && (after === null || compareIds(id, after) < 0))
            .sort((left, right) => compareIds(right.id, left.id))
            .slice(0, limit),
          bytes,
        ),
      ),

    waiting: ({ after, limit }) =>
      Effect.sync(() =>
        [...state.holdings.keys()]
          .filter((shop) => after === null || compareIds(shop, after) > 0)
          .filter((shop) => entriesOf(shop).some((entry) => entry.state === "waiting"))
          .sort(compareIds)
          .slice(0, limit),
      ),

    // All in one step: nobody else runs meanwhile.
    ready: ({ after, shop }) =>
      Effect.sync(() => ({
        found: entriesOf(shop)
          .filter((entry) => entry.state === "waiting" && (after === null || compareIds(entry.id, after) > 0))
          .filter(({ designId }) => designId === null || state.holdings.get(shop)?.designs.has(designId) === true)
          .map(({ id }) => id)
          .sort(compareIds),
        after: null,
      })),

    size: (shop) =>
      Effect.sync(() => {
        const items = [...(state.holdings.get(shop)?.inbox.values() ?? [])]
        return { events: items.length, bytes: items.reduce((sum, { body }) => sum + utf8Length(body ?? ""), 0) }
      }),

    trouble: (shop, now) => Effect.sync(() => troubleIn(state, [shop], now)),

    raise: (step) => Effect.sync(() => raise(state, step)),

    erase: (shop, orders, reason) =>
      Effect.sync(() => {
        const inbox = state.holdings.get(shop)?.inbox
        const erased = new Set<string | null>(orders)
        for (const [id, { body, entry }] of inbox ?? []) {
          if (body === null || entry.orderId === null || !erased.has(entry.orderId)) continue
          inbox?.set(id, { entry: { ...entry, state: "ignored", reason, designId: null }, body: null })
        }
      }),
  })
}

/** The methods for looks at a platform (D88). */
const lookMethods = (state: State): Pick<Inbox["Service"], "known" | "placed"> => ({
  known: (shop, source, contents) =>
    Effect.sync(() => {
      const kept = new Set(entriesIn(state, shop).map((entry) => (entry.source === source ? entry.content : null)))
      return contents.filter((content) => kept.has(content))
    }),

  placed: ({ after, limit, shop, source }) =>
    Effect.sync(() =>
      [
        ...new Set(
          entriesIn(state, shop)
            .filter((entry) => entry.source === source && entry.change === "place" && entry.state === "applied")
            .flatMap(({ orderId }) => orderId ?? []),
        ),
      ]
        .filter((id) => after === null || compareIds(id, after) > 0)
        .sort(compareIds)
        .slice(0, limit),
    ),
})

const entriesIn = (state: State, shop: string): ReadonlyArray<InboxEntry> =>
  [...(state.holdings.get(shop)?.inbox.values() ?? [])].map(({ entry }) => entry)

/** Those of the newest events of each state whose body has one of some texts. */
const entriesSaying = (state: State, shop: string, texts: ReadonlyArray<string>): ReadonlyArray<InboxEntry> => {
  const newest = [...(state.holdings.get(shop)?.inbox.values() ?? [])].sort((one, other) =>
    compareIds(other.entry.id, one.entry.id),
  )
  return [...Map.groupBy(newest, ({ entry }) => entry.state).values()]
    .flatMap((items) => items.slice(0, bodiesSearched))
    .filter(({ body }) => body !== null && texts.some((text) => body.includes(text)))
    .map(({ entry }) => entry)
}

/** At most this many notices are stored by one step. */
const raisedAtOnce = 100

const raise = (state: State, { after, limit, now }: Parameters<Inbox["Service"]["raise"]>[0]) => {
  const shops = [...state.shops.keys()]
    .filter((shop) => after === null || compareIds(shop, after) > 0)
    .sort(compareIds)
    .slice(0, limit)
  const kinds = ["failed", "waiting"] as const
  const groups = shops.flatMap((shop) => kinds.map((kind) => ({ shop, kind })))
  const raised: Array<NoticeRecord> = []
  for (const { kind, shop } of groups) {
    const record = raised.length < raisedAtOnce ? raiseIn(state, shop, { kind, now }) : undefined
    if (record !== undefined) raised.push(record)
  }
  return {
    ...troubleIn(state, shops, now),
    raised,
    after: shops.length < limit ? null : (shops.at(-1) ?? null),
  }
}

/** Stores a notice about a shop's events in one kind of trouble, if any was not reported yet. */
const raiseIn = (
  state: State,
  shop: string,
  { kind, now }: { readonly kind: Trouble; readonly now: Instant },
): NoticeRecord | undefined => {
  const holdings = holdingsOf(state, shop)
  const end = `_${troubleLetters[kind]}`
  const isRecent = [...holdings.notices.values()].some(
    ({ record }) => record.id.endsWith(end) && record.createdAt > now - betweenTroubles,
  )
  if (isRecent) return undefined
  for (const key of holdings.told) if (!holdings.inbox.has(key.slice(0, -end.length))) holdings.told.delete(key)
  const troubled = entriesIn(state, shop).filter((entry) => isTroubled(entry, now) && kindOfTrouble(entry) === kind)
  const [oldest, ...others] = troubled
    .filter(({ id, receivedAt }) => receivedAt >= troubleAt(now).toldSince && !holdings.told.has(id + end))
    .sort((left, right) => compareIds(left.id, right.id))
    .slice(0, toldTogether)
  if (oldest === undefined) return undefined
  for (const { id } of [oldest, ...others]) holdings.told.add(id + end)
  const record = troubleOf([oldest, ...others], troubled.length, now)
  addNotices(holdings, [record])
  return record
}

const troubleIn = (state: State, shops: ReadonlyArray<string>, now: Instant): InboxTrouble => {
  const troubled = shops.flatMap((shop) => entriesIn(state, shop)).filter((entry) => isTroubled(entry, now))
  const failed = troubled.filter(({ state }) => state === "failed").length
  const connections = shops.flatMap((shop) => [...(state.holdings.get(shop)?.platforms.values() ?? [])])
  const ended = connections.filter(({ disconnectedAt }) => disconnectedAt !== null).length
  const inTrouble = connections.filter(isInTrouble).length
  return { failed, waiting: troubled.length - failed, ended, troubled: inTrouble }
}

/** A shop's events by their ids. */
type Items = Map<string, InboxState>

/** The event of the source that has the same id there, or the same content. */
const sameAs = (inbox: Items, item: InboxItem): InboxEntry | undefined => {
  const entries = [...inbox.values()].map(({ entry }) => entry).filter(({ source }) => source === item.source)
  const same = (key: "eventId" | "content") => entries.find((entry) => item[key] !== null && entry[key] === item[key])
  return same("eventId") ?? same("content")
}

/** Whether an event says of its order what an earlier one said, after another one has said something else. */
const isReturn = (inbox: Items, item: InboxItem, earlier: InboxEntry): boolean => {
  const { content, eventId, modifiedAt, orderId, source, triggeredAt } = item
  if (eventId === null || eventId === earlier.eventId || triggeredAt === null) return false
  const since = earlier.triggeredAt ?? Number.NEGATIVE_INFINITY
  return [...inbox.values()].some(
    ({ entry }) =>
      entry.source === source &&
      entry.orderId === orderId &&
      entry.content !== content &&
      entry.modifiedAt === modifiedAt &&
      entry.triggeredAt !== null &&
      entry.triggeredAt >= since &&
      entry.triggeredAt < triggeredAt,
  )
}

/** Gives an event the later time at which the platform has said the same. */
const triggeredLater = (
  inbox: Items,
  earlier: InboxEntry,
  { triggeredAt }: Pick<InboxItem, "triggeredAt">,
): InboxEntry => {
  const entry = { ...earlier, triggeredAt }
  inbox.set(entry.id, { body: inbox.get(entry.id)?.body ?? null, entry })
  return entry
}

/** Whether an event can be stored, and no other one of its source is about its order. */
export const isFirstOfOrder = (inbox: Items, item: InboxItem): boolean =>
  sameAs(inbox, item) === undefined &&
  ![...inbox.values()].some(({ entry }) => entry.source === item.source && entry.orderId === item.orderId)

/** Stores an event, and returns it without its body. */
export const putItem = (inbox: Items, { body, ...entry }: InboxItem): InboxEntry => {
  inbox.set(entry.id, settled({ entry, body }, entry))
  return entry
}

/** Ignores the events that have cancelled an order, and returns how many they are. */
export const ignoreCancellations = (inbox: Items, orderId: string, reason: string): number => {
  const applied = [...inbox.values()].filter(
    ({ entry }) => entry.orderId === orderId && entry.change === "cancel" && entry.state === "applied",
  )
  for (const { body, entry } of applied) inbox.set(entry.id, { body, entry: { ...entry, state: "ignored", reason } })
  return applied.length
}

/** An event with its outcome. */
const settled = (
  { body, entry }: InboxState,
  { designId, keepsBody = false, modifiedAt, reason, state }: InboxSettlement,
): InboxState => ({
  entry: { ...entry, state, reason, designId, modifiedAt: entry.modifiedAt ?? modifiedAt ?? null },
  body: isDone(state) && !keepsBody ? null : body,
})

/** The report of an order that is not stored says no more that it was cancelled. */
const notCancelled = ({ unstored }: ShopState, { orderId }: InboxEntry): void => {
  const report = unstored.get(orderId ?? "")
  if (report !== undefined) unstored.set(report.id, { ...report, isCancelled: false })
}

/** Ends what an event settles of the others of its order. */
const endOthers = (
  inbox: Items,
  { id, orderId, source }: InboxEntry,
  { ends, lifts, retries = false }: InboxSettlement,
): void => {
  for (const { body, entry } of [...inbox.values()]) {
    if (entry.id === id || orderId === null || entry.orderId !== orderId || entry.source !== source) continue
    if (ends !== undefined && entry.change === "place" && wasTried(entry) && !isDone(entry.state)) {
      inbox.set(entry.id, { body: null, entry: { ...entry, state: "ignored", reason: ends, designId: null } })
    }
    if (retries && entry.change === "place" && (entry.state === "unpaid" || entry.state === "failed")) {
      inbox.set(entry.id, { body, entry: { ...entry, state: "waiting", designId: null } })
    }
    if (lifts !== undefined && entry.change === "cancel" && entry.state === "applied") {
      inbox.set(entry.id, { body, entry: { ...entry, state: "ignored", reason: lifts, content: null } })
    }
  }
}

const progressOf = (
  entries: ReadonlyArray<InboxEntry>,
  { orderId, source }: Pick<InboxItem, "orderId" | "source">,
): OrderProgress => {
  const ofOrder = entries.filter((entry) => orderId !== null && entry.orderId === orderId && entry.source === source)
  const placed = ofOrder.filter(
    ({ change, designId, state }) => change === "place" && wasTried({ state, designId, reason: null }),
  )
  const cancelled = ofOrder.filter(({ change, state }) => change === "cancel" && state === "applied")
  const [lastPlaced, lastCancelled] = [newest(placed), newest(cancelled)]
  return {
    placedAt: lastPlaced?.modifiedAt ?? null,
    placedTriggeredAt: lastPlaced?.triggeredAt ?? null,
    placedState: lastPlaced?.state ?? null,
    isCancelled: cancelled.length > 0,
    cancelledAt: lastCancelled?.modifiedAt ?? null,
    cancelledTriggeredAt: lastCancelled?.triggeredAt ?? null,
  }
}

const newest = (entries: ReadonlyArray<InboxEntry>): InboxEntry | undefined =>
  entries
    .filter(({ modifiedAt }) => modifiedAt !== null)
    .toSorted(
      (left, right) =>
        (right.modifiedAt ?? 0) - (left.modifiedAt ?? 0) ||
        (right.triggeredAt ?? -1) - (left.triggeredAt ?? -1) ||
        compareIds(right.id, left.id),
    )[0]
