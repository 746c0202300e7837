import { Effect, Option, Stream } from "effect"
import { type Design, fromWire } from "../../model/Design.ts"
import { InvalidInput, type NotFound } from "../../model/Errors.ts"
import { type Instant, parseDateOrDateTime } from "../../model/Instant.ts"
import type { Order } from "../../model/Order.ts"
import type { Position } from "../../model/Page.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import * as DesignTable from "../../rules/DesignTable.ts"
import { shopOf } from "../../support/ShopOf.ts"

/** What to export. */
export interface ExportInput {
  /** Orders with their designs, or single designs, drafts included. */
  readonly kind: "orders" | "designs"
  /**
   * Only orders placed, or designs created, at this time or later: RFC 3339 with an offset or `Z`, or a date, which
   * stands for 00:00 UTC.
   */
  readonly since?: string | undefined
  /** `jsonl`: the objects of the REST API, one on each line. `csv`: a line for each design. Default: `jsonl`. */
  readonly format?: "jsonl" | "csv" | undefined
}

/** Records of a page, and their bytes: what a process holds of an export. */
const [pageLimit, pageBytes] = [100, 2 * 1024 * 1024]

/**
 * A shop's orders, newest first, or designs, by id, as texts to be written one after the other. It holds a page at a
 * time, and reads the next one when it is asked for more. What changes meanwhile may be in it or not. With `csv` it reads
 * everything twice, because the first line has the production keys of all designs (D75).
 *
 * Fails with `NotFound` without the shop, and with `InvalidInput`.
 */
export const exportShop = Effect.fn("ExportShop.export")(function* (
  shopId: string,
  { format = "jsonl", kind, since }: ExportInput,
): Effect.fn.Return<
  Stream.Stream<string, StorageError, OrderStore>,
  NotFound | InvalidInput | StorageError,
  OrderStore | Effect.Services<ReturnType<typeof shopOf>>
> {
  const { id: shop } = yield* shopOf(shopId)
  const from = since === undefined ? null : parseDateOrDateTime(since)
  if (from === undefined) return yield* invalidSince
  const texts = kind === "orders" ? ordersOf(shop, from) : designsOf(shop, from)
  if (format === "jsonl") return Stream.map(texts, (text) => `${text}\n`)
  const designs =
    kind === "designs"
      ? Stream.map(texts, fromWire)
      : Stream.flatMap(texts, (text) =>
          Stream.fromIterable((JSON.parse(text) as Order).designs as ReadonlyArray<Design>),
        )
  return Stream.unwrap(
    Effect.map(allKeys(designs), (keys) =>
      Stream.concat(
        Stream.make(DesignTable.heading(keys)),
        Stream.map(designs, (design) => DesignTable.row(design, keys)),
      ),
    ),
  )
})

const invalidSince = new InvalidInput({
  message: "since must be a date or an RFC 3339 time",
  problems: [{ path: "since", message: "must be a date or an RFC 3339 time with an offset or Z" }],
})

const ordersOf = (shop: string, orderedAfter: Instant | null) =>
  Stream.paginate(null as Position | null, (after) =>
    OrderStore.use((store) => store.readOrders({ shop, limit: pageLimit, bytes: pageBytes, after, orderedAfter })).pipe(
      Effect.map(({ next, orders }) => [orders.map(({ wire }) => wire), Option.fromNullishOr(next)] as const),
    ),
  )

const designsOf = (shop: string, createdFrom: Instant | null) =>
  Stream.paginate(null as string | null, (after) =>
    OrderStore.use((store) => store.readDesigns({ shop, limit: pageLimit, bytes: pageBytes, after, createdFrom })).pipe(
      Effect.map(({ designs, next }) => [designs.map(({ wire }) => wire), Option.fromNullishOr(next)] as const),
    ),
  )

/** The production keys of all designs, in the order of the alphabet. */
const allKeys = (designs: Stream.Stream<Design, StorageError, OrderStore>) =>
  Stream.runFold(
    designs,
    () => new Set<string>(),
    (keys, design) => {
      for (const key of DesignTable.keysOf(design)) keys.add(key)
      return keys
    },
  ).pipe(Effect.map((keys) => [...keys].sort()))
