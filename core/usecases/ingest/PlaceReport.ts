/** The effects of a platform's report of an order: those of `rules/ingest/Decide` (D80 to D84). */
import { Array as Arr, Clock, Effect, Option } from "effect"
import { changeWire, type DesignRecord, fromWire } from "../../model/catalog/Design.ts"
import { format, type Instant, parse } from "../../model/Instant.ts"
import { byHand, type InboxItem, type InboxSettlement, type OrderProgress } from "../../model/ingest/InboxItem.ts"
import type { PlatformSettings } from "../../model/ingest/PlatformSettings.ts"
import { quoteId } from "../../model/json/Json.ts"
import * as Order from "../../model/orders/Order.ts"
import { linesOf, type OrderLines } from "../../model/orders/OrderLine.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { OrderStore, type OrderWithDesigns } from "../../ports/OrderStore.ts"
import {
  type HeldOrder,
  isEmpty,
  type KnownDesign,
  keptName,
  type Plan,
  type PlannedLine,
  planOf,
} from "../../rules/ingest/Decide.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import type { PlatformOrder, ReportedLine } from "../../rules/ingest/Reading.ts"
import { isOlder, type Moment } from "../../rules/ingest/Recency.ts"
import { type Stage, stageOf } from "../../rules/ingest/Stage.ts"
import { redacted } from "../../rules/orders/Redaction.ts"
import { newId } from "../../support/NewId.ts"
import { changing } from "../../support/Relining.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { findOrder } from "../../support/ShopRecords.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"

export const noDesigns = (property: string) => outcome("ignored", `No line has the property ${quoteId(property)}`)

/** The means with which a report is applied. */
interface Surroundings {
  readonly progress: OrderProgress
  readonly item: Pick<InboxItem, "property" | "triggeredAt">
  readonly settings: PlatformSettings
  /** A deleted order is back. */
  readonly isReopened: boolean
  /** A person places it: neither its stage nor its age matters. */
  readonly isByHand: boolean
}

const ended = "A newer state of the order came"
const lifted = "A newer state of the order came, in which it is not cancelled"

/**
 * Places an order, or changes what its platform has changed. An older state than one that was applied changes nothing;
 * a cancellation that came before the order holds against reports that are not newer, however long ago it came.
 *
 * The end does not depend on the order in which states come (D82): one with which the order is to be made counts also
 * if a newer one came before that has placed nothing, being unpaid or in a state of the shop's own.
 */
export const placeOf = Effect.fnUntraced(
  function* (shop: Shop, order: PlatformOrder, surroundings: Surroundings) {
    const { isByHand, item, progress, settings } = surroundings
    const moment = { modifiedAt: order.modifiedAt, triggeredAt: item.triggeredAt }
    const placed = momentOf(progress.placedAt, progress.placedTriggeredAt)
    const isLate = !isByHand && placed !== undefined && isOlder(moment, placed)
    const stage = stageOf(order.state, settings)
    const isOpen = progress.placedState === "unpaid" || progress.placedState === "failed"
    const newer = outcome("ignored", `A newer state of the order ${quoteId(order.id)} came before`)
    if (isLate && !(isOpen && stage.kind === "make")) return newer
    const existing = Option.getOrUndefined(yield* findOrder(shop.id, order.id))
    if (isLate && existing !== undefined) return newer
    const done =
      existing === undefined
        ? yield* placeNew(shop, order, { ...surroundings, moment, stage })
        : yield* placeAgain(shop, order, { ...surroundings, existing, moment, stage })
    return { ...done, ...(isLate ? { retries: true } : { ends: ended }) } satisfies InboxSettlement
  },
  (effect) => retryStale(effect),
)

export const momentOf = (
  modifiedAt: Moment["modifiedAt"] | null,
  triggeredAt: Moment["triggeredAt"],
): Moment | undefined => (modifiedAt === null ? undefined : { modifiedAt, triggeredAt })

interface Here extends Surroundings {
  readonly moment: Moment
  readonly stage: Stage
}

/** The outcome of a report of an order that is not stored. */
const placeNew = Effect.fnUntraced(function* (shop: Shop, order: PlatformOrder, here: Here) {
  const { isByHand, isReopened, item, moment, progress, stage } = here
  const id = quoteId(order.id)
  if (order.lines.length === 0) {
    yield* placeOrder(shop.id, order.id, { name: order.name, orderedAt: order.orderedAt, lines: [] })
    return noDesigns(item.property)
  }
  const cancelled = momentOf(progress.cancelledAt, progress.cancelledTriggeredAt)
  const isNewer = isReopened || isByHand || (cancelled !== undefined && isOlder(cancelled, moment))
  if (progress.isCancelled && !isNewer) return outcome("ignored", `The order ${id} was cancelled before it came`)
  const lifts = progress.isCancelled ? { lifts: lifted } : {}
  if (!isByHand && stage.kind !== "make") return { ...unplaced(order, stage), ...lifts }
  const done = yield* carryOut(shop, order, { ...here, existing: undefined, isLifted: progress.isCancelled })
  return { ...done, ...lifts }
})

/** The outcome of a report that places nothing because of its stage. */
const unplaced = (order: PlatformOrder, { kind, words }: Stage): InboxSettlement => {
  const id = quoteId(order.id)
  if (order.lines.every(({ quantity }) => quantity === 0)) {
    return outcome("ignored", `The order ${id} has no pieces left to be made`)
  }
  switch (kind) {
    case "test":
      return { ...outcome("ignored", `The order ${id} is a test order: ${byHand}`), keepsBody: true }
    case "over": {
      const reason = `The order ${id} is ${words} and was never placed, so there is nothing to make: ${byHand}`
      return { ...outcome("ignored", reason), keepsBody: true }
    }
    case "unknown": {
      const reason = `The order ${id} is ${words}: place it by hand, or name the state in the settings if its orders must be made`
      return outcome("failed", reason)
    }
    default:
      return outcome("unpaid", `The order ${id} is ${words}: it is placed once it is paid`)
  }
}

/** The outcome of a report of an order that is stored. */
const placeAgain = Effect.fnUntraced(function* (
  shop: Shop,
  order: PlatformOrder,
  here: Here & { readonly existing: OrderWithDesigns },
) {
  const { existing, isByHand, stage } = here
  const id = quoteId(order.id)
  if (Order.fromHead(existing.order.head).status === "cancelled") return againstCancelled(order, here)
  if (stage.kind === "void" && !isByHand) {
    yield* cancelOrder(shop.id, order.id)
    return outcome("applied", `The payment of the order ${id} is ${stage.words}: it was cancelled`)
  }
  return yield* carryOut(shop, order, { ...here, isLifted: false })
})

/** A cancelled order stays as it is. If its platform has opened it again, or adds to it, somebody has to know. */
const againstCancelled = (
  order: PlatformOrder,
  { existing, isByHand, moment, progress, stage }: Here & { readonly existing: OrderWithDesigns },
): InboxSettlement => {
  const id = quoteId(order.id)
  const cancelled = momentOf(progress.cancelledAt, progress.cancelledTriggeredAt)
  const held = new Set(existing.designs.map((design) => design.id))
  const wanted = order.lines.filter(({ quantity }) => quantity > 0)
  const isNew = wanted.some(({ designId }) => designId !== null && !held.has(designId))
  const isOpen = cancelled === undefined ? isNew : !isOlder(moment, cancelled) && wanted.length > 0
  return isByHand || (stage.kind === "make" && isOpen)
    ? outcome("failed", `The order ${id} was cancelled, which is final, and its platform has opened it again`)
    : outcome("ignored", `The order ${id} is cancelled`)
}

/** Carries out what a report asks for, and says what could not be placed. */
const carryOut = Effect.fnUntraced(function* (
  shop: Shop,
  order: PlatformOrder,
  here: Here & { readonly existing: OrderWithDesigns | undefined; readonly isLifted: boolean },
) {
  const { existing, isByHand, isLifted, item, settings, stage } = here
  const store = yield* OrderStore
  const head = existing === undefined ? undefined : Order.fromHead(existing.order.head)
  const stored = existing === undefined ? undefined : Option.getOrUndefined(yield* store.orderLines(shop.id, order.id))
  const held: HeldOrder | undefined = existing && {
    designs: existing.designs.map(({ id, status }) => ({ id, isOrdered: status === "ordered" })),
    lines: linesOf(existing.designs, stored),
  }
  const currency = head?.currency ?? shop.currency
  const { known, records } = yield* knownOf(shop, order, currency)
  const plan = planOf({ order, stage, held, known, copies: settings.copies, isByHand })
  const kept = head === undefined ? [] : keptName(head.name, order.name)
  if (isEmpty(plan, held) || (existing === undefined && plan.links.length + plan.copies.length === 0)) {
    return settlementOf(order, plan, { kept, stage, done: [], isHeld: held !== undefined, property: item.property })
  }
  const now = yield* Clock.currentTimeMillis
  const copies = yield* Effect.forEach(plan.copies, ({ copyOf, lineItemId }) =>
    copying(records, { copyOf, lineItemId, now }),
  )
  const made = new Map(copies.map(({ copyOf, record }) => [copyOf, record.id]))
  const unstored =
    existing === undefined ? Option.getOrUndefined(yield* store.unstoredOrder(shop.id, order.id)) : undefined
  const report = {
    orderId: order.id,
    name: head?.name ?? order.name,
    // The reader has validated it.
    instant: existing?.order.orderedAt ?? (parse(order.orderedAt) as Instant),
    lines: [...plan.links, ...copies.map(({ lineItemId, record }) => ({ designId: record.id, lineItemId }))],
  }
  const change = yield* changing(shop, {
    ...{ report, existing, now, gone: plan.gone, isCancelledEarly: isLifted ? undefined : unstored },
    records: [...records, ...copies.map(({ record }) => record)],
  })
  const lines = { order: order.id, parent: order.parentId ?? stored?.parent ?? null, lines: idsIn(plan.lines, made) }
  const { all, ...committed } = change
  yield* store.commit({
    ...committed,
    ...(saysMore(lines, all, stored) ? { lines } : {}),
    ...(unstored === undefined ? {} : { unstored }),
  })
  const done = copies.map(({ copyOf, from, record }) => {
    const where = from === null ? "" : `, which the order ${quoteId(from)} has`
    return `${quoteId(record.id)} is a copy of ${quoteId(copyOf)}${where}`
  })
  return settlementOf(order, plan, { kept, stage, done, isHeld: true, property: item.property })
})

const idsIn = (lines: ReadonlyArray<PlannedLine>, made: ReadonlyMap<string, string>): OrderLines["lines"] =>
  lines.flatMap(({ designId, ...line }) => {
    const id = designId ?? made.get(line.copyOf ?? "")
    return id === undefined ? [] : [{ ...line, designId: id }]
  })

/** Whether lines say more than the designs of their order, or than lines that are stored. */
const saysMore = (lines: OrderLines, designs: ReadonlyArray<DesignRecord>, stored: OrderLines | undefined): boolean =>
  stored !== undefined ||
  lines.parent !== null ||
  !isEmpty({ ...nothing, lines: lines.lines }, { designs: [], lines: linesOf(designs, undefined) })

const nothing = { links: [], copies: [], gone: [], notes: [], problems: [], missing: [], held: [] }

/** What became of a report. */
const settlementOf = (
  order: PlatformOrder,
  { gone, held, links, missing, notes, problems }: Plan,
  {
    done,
    isHeld,
    kept,
    property,
    stage,
  }: {
    readonly done: ReadonlyArray<string>
    readonly isHeld: boolean
    readonly kept: ReadonlyArray<string>
    readonly property: string
    readonly stage: Stage
  },
): InboxSettlement => {
  const [absent] = missing
  const id = quoteId(order.id)
  const sentences = [...problems]
  if (absent !== undefined) {
    const then = isHeld ? "its line is placed once it has" : "the order is placed once it has"
    sentences.unshift(`The shop has no design ${quoteId(absent)}: ${then}`)
  }
  const isUnpaid = held.length > 0 && (stage.kind === "wait" || stage.kind === "void")
  if (isUnpaid) sentences.push(`The order ${id} is ${stage.words}: ${quoteId(held[0])} is placed once it is paid`)
  const told = [...sentences, ...done, ...notes, ...kept]
  const reason = told.length === 0 ? null : told.join("; ")
  if (absent !== undefined) return { ...outcome("waiting", reason), designId: absent }
  if (problems.length > 0) return outcome("failed", reason)
  if (isUnpaid) return outcome("unpaid", reason)
  const isLeft = ({ designId, isShipped, quantity }: ReportedLine): boolean =>
    !isShipped && quantity > 0 && held.includes(designId ?? "")
  const late = isHeld && stage.kind !== "make" ? order.lines.find(isLeft) : undefined
  if (late !== undefined) {
    const sentence = `The order ${id} is ${stage.words}, so ${quoteId(late.designId)} was not added to it: ${byHand}`
    const state = stage.kind === "unknown" ? "failed" : "applied"
    return { ...outcome(state, [...told, sentence].join("; ")), keepsBody: true }
  }
  if (isHeld || links.length + gone.length > 0) {
    return order.lines.length === 0 && gone.length === 0 && told.length === 0
      ? noDesigns(property)
      : outcome("applied", reason)
  }
  if (held.length > 0) {
    const shipped = `The order ${id} was shipped and never placed, so there is nothing to make: ${byHand}`
    return { ...outcome("ignored", shipped), keepsBody: true }
  }
  return outcome("ignored", reason ?? `The order ${id} has no pieces left to be made`)
}

/** A draft that is a copy of a stored design, which is linked at once (D84). It is new: its revision is 0. */
const copying = Effect.fnUntraced(function* (
  records: ReadonlyArray<DesignRecord>,
  { copyOf, lineItemId, now }: { readonly copyOf: string; readonly lineItemId: string; readonly now: Instant },
) {
  const original = records.find(({ id }) => id === copyOf)
  if (original === undefined) return yield* Effect.die(new Error(`The design ${copyOf} was not read`))
  const id = yield* newId("dsn_")
  const fields = { id, status: "draft", order: null, createdAt: format(now), orderedAt: null } as const
  const record: DesignRecord = {
    ...original,
    ...{ id, status: "draft", orderId: null, position: 0, createdAt: now, revision: 0 },
    wire: changeWire(original.wire, fields),
  }
  return { copyOf, lineItemId, record, from: original.orderId }
})

/** The designs that a report names, read in parts, and what is decided by. */
const knownOf = Effect.fnUntraced(function* (shop: Shop, order: PlatformOrder, currency: string) {
  const store = yield* OrderStore
  const ids = [...new Set(order.lines.flatMap(({ designId }) => designId ?? []))]
  const records: Array<DesignRecord> = []
  for (const part of Arr.chunksOf(ids, 32)) records.push(...(yield* store.designs(shop.id, part)))
  const parents = new Map<string, string | null>()
  /** Orders that lines were removed from: their designs may have moved to a part. */
  const diminished = new Set<string>()
  for (const { orderId, status } of records) {
    if (orderId === null || orderId === order.id) continue
    if (!parents.has(orderId)) {
      const lines = yield* store.orderLines(shop.id, orderId)
      parents.set(orderId, Option.match(lines, { onNone: () => null, onSome: ({ parent }) => parent }))
    }
    if (status !== "cancelled" || diminished.has(orderId)) continue
    const found = Option.getOrUndefined(yield* findOrder(shop.id, orderId))
    if (found !== undefined && Order.fromHead(found.order.head).status === "ordered") diminished.add(orderId)
  }
  const known = new Map<string, KnownDesign>(
    records.map(({ id, orderId, status, wire }) => [
      id,
      {
        isDraft: status === "draft",
        orderId,
        isInCurrency: fromWire(wire).price.currency === currency,
        isRedacted: wire.includes(JSON.stringify(redacted)),
        isOfWhole:
          orderId !== null &&
          !(status === "cancelled" && diminished.has(orderId)) &&
          (orderId === order.parentId || parents.get(orderId) === order.id),
      },
    ]),
  )
  return { records, known }
})
