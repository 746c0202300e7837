import { Effect, Option, Stream } from "effect"
import { type Design, fromWire } from "../../model/Design.ts"
import { Conflict } from "../../model/Errors.ts"
import type { Order } from "../../model/Order.ts"
import type { DesignPosition, Position } from "../../model/Page.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import { designLine, headerLine } from "../../rules/exports/DesignTable.ts"
import { type ExportInput, type ParsedExport, parse } from "../../rules/exports/ExportQuery.ts"
import { shopOf } from "../../support/ShopOf.ts"
import { productionKeysOf } from "./ProductionKeys.ts"

/** Bytes of wire forms that are read at once, unless one order alone has more. */
const pageBytes = 1024 * 1024

/** Records that are read at once. */
const pageLimit = 100

/** The text of an export, in pieces of whole lines. Fails if the store fails, or if a definition brings new columns. */
export type Exported = Stream.Stream<string, Conflict | StorageError>

/** A page of wire forms, and what reads the next one. */
interface Page {
  readonly wires: ReadonlyArray<string>
  readonly next: Effect.Effect<Page, StorageError> | null
}

/**
 * Exports a shop's orders, newest first, or its designs, the oldest first (D75): as JSON lines, each the object of the
 * REST API to the byte, or as a table with a line per design. Memory holds a page of it at a time.
 *
 * It has each record as it is when its page is read. Records that are stored meanwhile may be missing.
 *
 * Fails with `NotFound` for an unknown shop and with `InvalidInput`, and with what reading the first page fails with,
 * before there is any text.
 */
export const exportShop = Effect.fn("ExportShop.export")(function* (shopId: string, input: ExportInput) {
  const shop = yield* shopOf(shopId)
  const query = yield* Effect.fromResult(parse(input))
  const first = yield* pagesOf(yield* OrderStore, shop.id, query)
  const pages = Stream.paginate(Effect.succeed(first) as Effect.Effect<Page, StorageError>, (read) =>
    Effect.map(read, ({ next, wires }) => [[wires], Option.fromNullOr(next)] as const),
  )
  if (query.format === "jsonl") {
    return { ...query, text: Stream.map(pages, (wires) => wires.map((wire) => `${wire}\n`).join("")) as Exported }
  }
  const keys = yield* productionKeysOf(shop.id)
  const lines = Stream.mapEffect(pages, (wires) => Effect.map(Effect.forEach(wires, linesOf(query, keys)), joined))
  return { ...query, text: Stream.concat(Stream.succeed(headerLine([...keys])), lines) as Exported }
})

const joined = (texts: ReadonlyArray<string>): string => texts.join("")

const pagesOf = (store: OrderStore["Service"], shop: string, { kind, since }: ParsedExport) => {
  const page = { shop, limit: pageLimit, bytes: pageBytes }
  const orders = (after: Position | null): Effect.Effect<Page, StorageError> =>
    Effect.map(store.readOrders({ ...page, after, orderedAfter: since }), ({ next, orders: found }) => ({
      wires: found.map(({ wire }) => wire),
      next: next === null ? null : orders(next),
    }))
  const designs = (after: DesignPosition | null): Effect.Effect<Page, StorageError> =>
    Effect.map(store.readDesigns({ ...page, after, createdFrom: since }), ({ designs: wires, next }) => ({
      wires,
      next: next === null ? null : designs(next),
    }))
  return kind === "orders" ? orders(null) : designs(null)
}

/** The lines of a record's designs. */
const linesOf =
  ({ kind }: ParsedExport, keys: ReadonlySet<string>) =>
  (wire: string): Effect.Effect<string, Conflict> => {
    const designs: ReadonlyArray<Design> = kind === "orders" ? (JSON.parse(wire) as Order).designs : [fromWire(wire)]
    const lines = designs.map((design) => designLine(design, keys))
    return lines.includes(undefined) ? newColumns : Effect.succeed(lines.join(""))
  }

const newColumns = Effect.fail(
  new Conflict({ message: "A customizer was published with new production keys during the export: begin it again" }),
)
