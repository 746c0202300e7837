import { Array as Arr, Clock, Effect, Result } from "effect"
import { type DesignRecord, fromWire } from "../../model/catalog/Design.ts"
import { parse } from "../../model/Instant.ts"
import type { OrderInput } from "../../model/orders/Order.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { utf8Length } from "../../model/Text.ts"
import { type NewOrder, OrderStore } from "../../ports/OrderStore.ts"
import { refuseSharedLines } from "../../support/PlacedBefore.ts"
import { placing, type Report, readReport } from "../../support/Placing.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { type ImportedRecord, importMany, isCurrent } from "./ImportMany.ts"
import { isExported, restoreOrder } from "./RestoreOrder.ts"

/** Bytes of designs that are held for one commit. */
const mostBytes = 16 * 1024 * 1024

/**
 * Places orders as `placeOrder` does, many new ones in one commit. If the store knows one of them, or a design was
 * changed at the same time, the orders of that commit are placed one by one. Orders of an export of lines are restored.
 *
 * Returns the outcome of each; fails with `NotFound` for an unknown shop, and if the store does.
 */
export const importOrders = Effect.fn("ImportOrders.importOrders")(function* (
  shopId: string,
  records: ReadonlyArray<ImportedRecord>,
) {
  const shop = yield* shopOf(shopId)
  return yield* importMany(records, {
    namesOf,
    together: (part) => placeTogether(shop, part),
    alone: ({ id, input }) =>
      isExported(input)
        ? restoreOrder(shop, id as string, input)
        : placeOrder(shop.id, id as string, input as OrderInput),
  })
})

/** An order changes itself and its designs. */
const namesOf = ({ id, input }: ImportedRecord): ReadonlyArray<string> => {
  const { lines } = input as { readonly lines?: unknown }
  const designs: ReadonlyArray<{ readonly designId?: unknown } | null> = Array.isArray(lines) ? lines : []
  return [`order ${id}`, ...designs.map((line) => `design ${line?.designId}`)]
}

/** Places those orders in one commit that seem to be new, because their designs are drafts; none if it is stale. */
const placeTogether = Effect.fnUntraced(function* (shop: Shop, records: ReadonlyArray<ImportedRecord>) {
  const store = yield* OrderStore
  const reports = yield* Effect.forEach(records, ({ id, input }) =>
    isExported(input) ? Effect.undefined : Effect.result(readReport(id as string, input as OrderInput)),
  )
  const stored = yield* designsOf(
    shop.id,
    reports
      .filter((read) => read !== undefined)
      .filter(Result.isSuccess)
      .flatMap(({ success }) => success.lines.map(({ designId }) => designId)),
  )
  const now = yield* Clock.currentTimeMillis
  const placed: Array<NewOrder> = []
  const isPlaced = new Set<number>()
  const outcomes = yield* Effect.forEach(
    reports,
    Effect.fnUntraced(function* (read, index) {
      if (read === undefined) return undefined
      if (Result.isFailure(read)) return Result.fail(read.failure)
      const report = read.success
      const designs = report.lines.flatMap(({ designId }) => stored.get(designId) ?? [])
      if (designs.length === 0 || designs.length < report.lines.length) return undefined
      if (isHeld(report, designs)) return Result.void
      // Alone, it is refused, or added to an order that is there.
      const made = yield* Effect.result(
        Effect.andThen(
          refuseSharedLines(report, undefined),
          placing(shop, report, { existing: undefined, records: designs, now }),
        ),
      )
      if (Result.isFailure(made)) return undefined
      placed.push(made.success.placed)
      isPlaced.add(index)
      return Result.void
    }),
  )
  if (placed.length === 0 || (yield* isCurrent(store.commitOrders(shop.id, placed)))) return outcomes
  return outcomes.map((outcome, index) => (isPlaced.has(index) ? undefined : outcome))
})

/** The designs with these ids, as far as they may be held. */
const designsOf = Effect.fnUntraced(function* (shop: string, ids: ReadonlyArray<string>) {
  const store = yield* OrderStore
  const found = new Map<string, DesignRecord>()
  let bytes = 0
  for (const part of Arr.chunksOf(ids, 100)) {
    if (bytes > mostBytes) break
    for (const design of yield* store.designs(shop, part)) {
      found.set(design.id, design)
      bytes += utf8Length(design.wire)
    }
  }
  return found
})

/** Whether these designs of a report are in its order already, as it says: then it would change nothing. */
const isHeld = ({ instant, lines, name, orderId }: Report, designs: ReadonlyArray<DesignRecord>): boolean =>
  designs.every((design, index) => {
    if (design.orderId !== orderId) return false
    const { order, orderedAt } = fromWire(design.wire)
    const isSameLine = order?.lineItemId === lines[index]?.lineItemId
    return isSameLine && order?.name === name && orderedAt !== null && parse(orderedAt) === instant
  })
