/** A look at a platform for what never came from it (D88): orders, and the webhooks that should bring them. */
import { Effect, Option } from "effect"
import type { Instant } from "../../model/Instant.ts"
import type { InboxOutcome } from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord, Reconciling } from "../../model/ingest/PlatformConnection.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { type FoundOrder, webhooksNow } from "../../rules/ingest/ApiAnswer.ts"
import { defaultProperty, readEvent } from "../../rules/ingest/ReadEvent.ts"
import { foundTopics, missingTopics, type Reading } from "../../rules/ingest/Reading.ts"
import type { PlatformPages } from "./PlatformPages.ts"
import { contentOf, receiveEvent } from "./ReceiveEvent.ts"

/** An order that was found and had not come in that state. */
export interface Found extends Pick<InboxOutcome, "reason"> {
  readonly order: string
  /** What became of it; `null` in a look that stores nothing. */
  readonly state: InboxOutcome["state"] | null
}

/** The result of a look. */
export interface Seen {
  /** How many orders the platform has changed. */
  readonly changed: number
  readonly found: ReadonlyArray<Found>
  /** Orders that are made here and that the platform no longer has. */
  readonly gone: ReadonlyArray<string>
  /** The new state of the connection. */
  readonly kept: Pick<Reconciling, "webhooks" | "missing" | "checked">
}

/** How to look. */
export interface Look<E = never, R = never> {
  /** Orders that were changed since this instant. */
  readonly since: Instant
  readonly now: Instant
  /** Nothing is stored. */
  readonly isDry: boolean
  /** The name of the lines' property, if the connection does not say. */
  readonly property: string | undefined
  /** Called after each page, with the instant up to which orders were looked at. */
  readonly reached: (instant: Instant) => Effect.Effect<void, E, R>
}

/** At most this many found orders are named. */
const mostNamed = 1_000

/** Orders that are looked for in one request, and requests of one look. */
const [ordersAtOnce, requestsOfLook] = [100, 5]

/** Shopify shows orders of the last 60 days: those that are older than this are not looked for. */
const shownFor = 50 * 86_400_000

/** Whether there is something to make, or to stop, in an order that is not here. */
const hasDesigns = (reading: Reading): boolean => {
  if (reading._tag === "Place") return reading.order.lines.length > 0
  return reading._tag === "Cancel" ? reading.hasDesigns !== false : true
}

/** Gives orders to the inbox that it does not have in their state. */
const give = Effect.fnUntraced(function* (
  record: PlatformRecord,
  orders: ReadonlyArray<FoundOrder>,
  { isDry, property }: Pick<Look<unknown, unknown>, "isDry" | "property">,
) {
  const { platform: source, settings, shop } = record
  const topic = foundTopics[source]
  const named = settings.property ?? property ?? defaultProperty
  const read = yield* Effect.forEach(orders, ({ id, modifiedAt, payload }) => {
    const reading = readEvent({ source, topic, property: named }, payload)
    const order = { id, modifiedAt, body: JSON.stringify(payload), isOurs: hasDesigns(reading) }
    return Effect.map(contentOf(reading), (content) => ({ ...order, content }))
  })
  const contents = read.flatMap(({ content }) => content ?? [])
  const known = contents.length === 0 ? [] : yield* Inbox.use((inbox) => inbox.known(shop, source, contents))
  const fresh = read.filter(({ content }) => content === null || !known.includes(content))
  const others = fresh.filter(({ isOurs }) => !isOurs).map(({ id }) => id)
  const held = others.length === 0 ? [] : yield* OrderStore.use((store) => store.existing(shop, "orders", others))
  const found: Array<Found> = []
  for (const { body, content, id, isOurs, modifiedAt } of fresh) {
    if (!(isOurs || held.includes(id))) continue
    if (isDry) {
      found.push({ order: id, state: null, reason: null })
      continue
    }
    // An order that can't be read has no content by which it would be known the next time.
    const eventId = content === null ? `found-${id}-${modifiedAt}` : null
    const kept = yield* received(record, { topic, eventId, body, property: named })
    if (kept !== undefined) found.push({ order: id, state: kept.state, reason: kept.reason })
  }
  return found
})

/** An event of the service itself about a connection. */
const received = (
  record: PlatformRecord,
  event: { readonly topic: string; readonly eventId: string | null; readonly body: string; readonly property: string },
) =>
  receiveEvent(record.shop, { ...event, source: record.platform, triggeredAt: null, connection: record }).pipe(
    // The shop was removed meanwhile.
    Effect.catchTag("NotFound", () => Effect.undefined),
    Effect.catchTag("InboxFull", ({ message }) =>
      Effect.fail(new StorageError({ message, cause: undefined, isRetryable: true })),
    ),
    Effect.catchIf(
      (error) => error._tag !== "StorageError",
      ({ message }) => Effect.die(new Error(message)),
    ),
  )

/** Orders that are made here, of some, and that were placed so lately that the platform shows them. */
const stillMade = (record: PlatformRecord, ids: ReadonlyArray<string>, now: Instant) =>
  OrderStore.use((store) =>
    Effect.filter(ids, (id) =>
      Effect.map(store.order(record.shop, id), (found) =>
        Option.exists(
          found,
          ({ designs, order }) =>
            order.orderedAt > now - shownFor && designs.some(({ status }) => status === "ordered"),
        ),
      ),
    ),
  )

/** Looks for orders that the platform no longer has, some of all in each look. */
const lookForGone = Effect.fnUntraced(function* (
  record: PlatformRecord,
  pages: PlatformPages,
  look: Omit<Look, "reached">,
) {
  const { platform: source, reconciling, settings, shop } = record
  let after = reconciling.checked
  const [found, gone]: [Array<Found>, Array<string>] = [[], []]
  for (let requests = 0; requests < requestsOfLook; requests++) {
    const ids: ReadonlyArray<string> = yield* Inbox.use((inbox) =>
      inbox.placed({ shop, source, after, limit: ordersAtOnce }),
    )
    if (ids.length > 0) {
      const seen = yield* pages.gone(ids)
      found.push(...(yield* give(record, seen.found, look)))
      gone.push(...(yield* stillMade(record, seen.gone, look.now)))
    }
    after = ids.length < ordersAtOnce ? null : (ids.at(-1) ?? null)
    if (after === null) break
  }
  if (!look.isDry) {
    for (const id of gone) {
      const property = settings.property ?? look.property ?? defaultProperty
      const eventId = `missing-${id}`
      yield* received(record, { topic: missingTopics[source], eventId, body: JSON.stringify({ id }), property })
    }
  }
  return { found, gone, checked: after }
})

/** A key may lack the right to read webhooks: then nothing is known of them. */
const lookAtWebhooks = (record: PlatformRecord, pages: PlatformPages) =>
  pages.webhooks.pipe(
    Effect.map((existing) => webhooksNow(record, existing)),
    Effect.catchIf(
      ({ kind }) => kind === "key",
      () => Effect.succeed({ webhooks: record.reconciling.webhooks, missing: record.reconciling.missing }),
    ),
  )

/** Looks at a platform. Fails with `NotAnswered`, and `StorageError`; what was found until then is kept. */
export const lookAt = Effect.fn("LookAtPlatform.look")(function* <E, R>(
  record: PlatformRecord,
  pages: PlatformPages,
  look: Look<E, R>,
) {
  let changed = 0
  const found: Array<Found> = []
  yield* pages.changed(
    look.since,
    Effect.fnUntraced(function* (orders, reached) {
      changed += orders.length
      for (const one of yield* give(record, orders, look)) if (found.length < mostNamed) found.push(one)
      yield* look.reached(reached)
    }),
  )
  const { checked, gone, found: ended } = yield* lookForGone(record, pages, look)
  const webhooks = yield* lookAtWebhooks(record, pages)
  return { changed, found: [...found, ...ended], gone, kept: { ...webhooks, checked } } satisfies Seen
})
