import { Array as Arr, Effect, Option, Result } from "effect"
import type { DesignRecord } from "../../model/Design.ts"
import type { OrderInput } from "../../model/Order.ts"
import { utf8Length } from "../../model/Text.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StaleRevision } from "../../ports/StorageError.ts"
import { shopOf } from "../../support/ShopOf.ts"
import { placing, readReport, reportOrder } from "../orders/PlaceOrder.ts"
import { type Imported, orRefused } from "./Imported.ts"

/** An order to import: its own id, and the input of `placeOrder`. */
export interface ImportedOrder {
  readonly id: unknown
  readonly input: unknown
}

/** Bytes of designs that are held for one commit. */
const mostBytes = 16 * 1024 * 1024

/** Orders that are placed one by one at once. */
const atOnce = 8

/**
 * Places many orders as `placeOrder` does, and returns for each what that has done or why it is refused (D75).
 *
 * Orders that seem to be new, because their designs are drafts, are stored in one commit. It is stale if the store
 * knows one of them: these orders and all others are placed one by one.
 *
 * Callers guarantee different orders with different designs. Fails with `NotFound` for an unknown shop.
 */
export const importOrders = Effect.fn("ImportOrders.import")(function* (
  shopId: string,
  lines: ReadonlyArray<ImportedOrder>,
) {
  const shop = yield* shopOf(shopId)
  const store = yield* OrderStore
  const reports = yield* Effect.forEach(lines, ({ id, input }) =>
    Effect.option(readReport(id as string, input as OrderInput)),
  )
  const ids = reports.flatMap((report) =>
    Option.isSome(report) ? report.value.lines.map(({ designId }) => designId) : [],
  )
  const found = new Map<string, DesignRecord>()
  let bytes = 0
  for (const part of Arr.chunksOf(ids, 100)) {
    if (bytes > mostBytes) break
    for (const design of yield* store.designs(shop.id, part)) {
      if (design.status === "draft") found.set(design.id, design)
      bytes += utf8Length(design.wire)
    }
  }
  const fresh = new Map<number, Effect.Success<ReturnType<typeof placing>>["placed"]>()
  for (const [index, report] of reports.entries()) {
    if (Option.isNone(report) || report.value.lines.length === 0) continue
    const records = report.value.lines.flatMap(({ designId }) => found.get(designId) ?? [])
    if (records.length < report.value.lines.length) continue
    // Placed one by one, it is refused with the same reason.
    const made = yield* Effect.option(placing(shop, report.value, { existing: undefined, records }))
    if (Option.isSome(made)) fresh.set(index, made.value.placed)
  }
  if (fresh.size > 0) {
    const isStored = yield* store.commitOrders(shop.id, [...fresh.values()]).pipe(
      Effect.as(true),
      Effect.catchIf(
        (error) => error instanceof StaleRevision,
        () => Effect.succeed(false),
      ),
    )
    if (!isStored) fresh.clear()
  }
  return yield* Effect.forEach(
    lines,
    ({ id, input }, index) =>
      fresh.has(index)
        ? Effect.succeed(Result.succeed<Imported>("created"))
        : orRefused(Effect.map(reportOrder(shop.id, id as string, input as OrderInput), ({ done }) => done)),
    { concurrency: atOnce },
  )
})
