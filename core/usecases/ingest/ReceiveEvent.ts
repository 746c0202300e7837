import { Clock, Effect, Option, Result } from "effect"
import { InvalidInput } from "../../model/Errors.ts"
import { ExternalId } from "../../model/Ids.ts"
import { reader } from "../../model/Input.ts"
import { parse } from "../../model/Instant.ts"
import {
  type InboxEntry,
  type InboxItem,
  type InboxOutcome,
  type IngestSource,
  isDone,
} from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import { isPlainObject } from "../../model/json/Json.ts"
import { parsePayload } from "../../model/json/ParseJson.ts"
import { logged } from "../../model/log/LogEvent.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { isStorable } from "../../model/Text.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { newOrder } from "../../rules/ingest/NewOrder.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import { readEvent, subjectOf } from "../../rules/ingest/ReadEvent.ts"
import { foundTopics, type PlatformOrder, type Reading } from "../../rules/ingest/Reading.ts"
import { stageOf } from "../../rules/ingest/Stage.ts"
import { etagOf } from "../../support/Etag.ts"
import { newId } from "../../support/NewId.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { placeWithEvent } from "../orders/PlaceOrder.ts"
import { deleteShop } from "../shops/ManageShops.ts"
import { applyIn } from "./ApplyEvent.ts"
import { findConnection, settingsFor } from "./Connections.ts"
import { resume } from "./EndConnection.ts"
import { countTried } from "./EventCounts.ts"
import { withRoom } from "./InboxRoom.ts"
import { isDomainOf, namedAs, wrongDomain } from "./OrderChanges.ts"

export { defaultProperty } from "../../rules/ingest/ReadEvent.ts"

/** An event whose signature was verified. */
export interface PlatformEvent {
  readonly source: IngestSource
  readonly topic: string
  /** The platform's id of the event, the same if it is sent again; `null` if the platform has none. */
  readonly eventId: string | null
  /** When the message was triggered, an ISO 8601 date-time; left out if the platform does not say. */
  readonly triggeredAt?: string | null | undefined
  /** The raw body. */
  readonly body: string
  /** The name of the line items' property with a design's id. */
  readonly property: string
  /** The shop's connection to the platform, if the caller has just read it; `null`: it has none. */
  readonly connection?: PlatformRecord | null | undefined
}

/** How long a platform may wait for an event to be applied: Shopify ends a request after five seconds. */
const patience = "2 seconds"

/** How long an order may take that is placed together with its event; then the event is kept first. */
const promptness = "1 second"

/** How long a platform may wait for the removal of a shop. */
const removalPatience = "4 seconds"

const readTopic = reader(ExternalId, "topic")
const readEventId = reader(ExternalId, "eventId")

/**
 * Keeps an event of a shop platform, and applies it if that does not take long (D57): whatever happens after this
 * returns, it is not lost, and {@link applyWaiting} works with it. An event that was kept before is not kept again.
 *
 * Returns the event as it is then kept. A request to remove the shop that names its domain is carried out instead of
 * being kept, and has the result `undefined`.
 *
 * Fails with `NotFound` for an unknown shop, `InvalidInput` if the body is not a JSON object, `InboxFull` if the shop's
 * events take all the room that a shop has for them, and `StorageError`.
 */
export const receiveEvent = Effect.fn("ReceiveEvent.receive")(function* (shopId: string, event: PlatformEvent) {
  yield* Effect.fromResult(readTopic(event.topic))
  if (event.eventId !== null) yield* Effect.fromResult(readEventId(event.eventId))
  const reading = readEvent(event, yield* Effect.fromResult(parsed(event.body)))
  const item = yield* itemOf(shopId, event, reading)
  if (reading._tag === "RemoveShop") {
    // A shop that is gone already needs no removal.
    const shop = yield* Effect.catchTag(shopOf(shopId), "NotFound", () => Effect.undefined)
    if (shop === undefined) return undefined
    if (isDomainOf(yield* namedAs(shop, item), reading.domain)) return yield* removeShop(shop.id)
  }
  const known = event.connection
  const connection = known === undefined ? yield* findConnection(shopId, event.source) : (known ?? undefined)
  const kept = yield* withRoom(item, keep(item, reading, connection))
  const hasCome = event.topic !== foundTopics[event.source]
  if (connection !== undefined && hasCome && isOfOrder(reading)) yield* resume(connection, item)
  return kept
})

/** An event's statement about its order, as the inbox compares it; `null` for an event without an order. */
export const contentOf = (reading: Reading) =>
  subjectOf(reading).orderId === null ? Effect.succeed(null) : etagOf(JSON.stringify(reading))

const isOfOrder = ({ _tag }: Reading): boolean => _tag === "Place" || _tag === "Cancel"

/** Keeps an event, and applies it if that does not take long. */
const keep = Effect.fnUntraced(function* (item: InboxItem, reading: Reading, connection: PlatformRecord | undefined) {
  const placed = reading._tag === "Place" ? yield* placedAtOnce(item, reading.order, connection) : undefined
  if (placed !== undefined) return { result: placed, isStored: true, isKept: false }
  const shop = yield* shopOf(item.shop)
  const named = connection === undefined ? shop : { ...shop, domain: connection.domain }
  const kept = yield* Inbox.use((inbox) => inbox.put({ ...item, ...beginning(reading, named) }))
  const isStored = kept.id === item.id
  const result = kept.state === "waiting" ? yield* appliedInTime(shop, kept) : kept
  if (isStored && kept.state !== "waiting") yield* countTried(kept)
  return { result, isStored, isKept: isStored && !isDone(result.state) }
})

/** An event that has come just now. */
const itemOf = Effect.fnUntraced(function* (shop: string, event: PlatformEvent, reading: Reading) {
  const { body, eventId, property, source, topic, triggeredAt } = event
  const subject = subjectOf(reading)
  return {
    ...{ shop, id: yield* newId("inb_"), source, topic, eventId, ...subject },
    triggeredAt: parse(triggeredAt ?? "") ?? null,
    content: yield* contentOf(reading),
    ...{ property, receivedAt: Math.trunc(yield* Clock.currentTimeMillis), body, ...outcome("waiting") },
  } satisfies InboxItem
})

/** The state of an event before it is applied. */
const beginning = (reading: Reading, shop: Shop): InboxOutcome => {
  if (reading._tag === "RemoveShop") return outcome("failed", wrongDomain(shop, reading.domain))
  if (reading._tag === "Nothing") return outcome("ignored", reading.reason)
  return reading._tag === "Unreadable" ? outcome("failed", reading.reason) : outcome("waiting")
}

const notJson = "The body must be a JSON object in UTF-8"

const refusal = (message: string) => new InvalidInput({ message, problems: [{ path: "", message }] })

const parsed = (body: string): Result.Result<object, InvalidInput> =>
  parsePayload(body).pipe(
    Result.mapError((problem) => refusal(problem ?? notJson)),
    Result.flatMap((json) =>
      isStorable(body) && isPlainObject(json) ? Result.succeed(json) : Result.fail(refusal(notJson)),
    ),
  )

/**
 * Places the order of an event by one commit that stores the event too, and returns the event: it is not kept first,
 * which takes several times as long. `undefined` if that can't be done: then it is kept, and applied with what was
 * kept of the order before. An error here comes there again, or has passed.
 */
const placedAtOnce = (item: InboxItem, order: PlatformOrder, connection: PlatformRecord | undefined) =>
  Effect.gen(function* () {
    const stage = stageOf(order.state, yield* settingsFor(connection))
    const plan = stage.kind === "make" ? newOrder(order) : undefined
    if (plan === undefined) return undefined
    const { id, name, orderedAt } = order
    const placed = yield* placeWithEvent(item, { id, name, orderedAt, lines: plan.links }, plan.lines)
    if (placed !== undefined) yield* countTried(placed)
    return placed
  }).pipe(
    Effect.timeoutOption(promptness),
    Effect.map(Option.getOrUndefined),
    Effect.catchCause(() => Effect.undefined),
  )

/** Applies a kept event. Whatever goes wrong, it is kept. */
const appliedInTime = (shop: Shop, kept: InboxEntry) =>
  applyIn(shop, kept.id).pipe(
    Effect.timeoutOption(patience),
    Effect.catch((error) =>
      Effect.as(
        Effect.logWarning("A platform's event could not be applied, and is kept", error).pipe(
          logged("inbox.not_applied", { shop: kept.shop, inboxItem: kept.id }),
        ),
        Option.none<InboxEntry>(),
      ),
    ),
    Effect.map(Option.getOrElse(() => kept)),
  )

/** If it takes longer than the platform waits, the platform must ask again. */
const removeShop = (shopId: string) =>
  deleteShop(shopId).pipe(
    Effect.catchTag("NotFound", () => Effect.void),
    Effect.timeoutOption(removalPatience),
    Effect.flatMap((done) =>
      Option.isSome(done)
        ? Effect.undefined
        : Effect.fail(
            new StorageError({
              message: "Removing a shop takes longer than its platform waits: it continues with the next request",
              cause: undefined,
              isRetryable: true,
            }),
          ),
    ),
  )
