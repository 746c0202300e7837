import { Effect, Option, Stream } from "effect"
import type { Definition } from "../../model/catalog/Definition.ts"
import { type Design, fromWire } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import type { Instant } from "../../model/Instant.ts"
import type { Position } from "../../model/Page.ts"
import type { ExportInput } from "../../model/queries/Inputs.ts"
import { exportQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import * as DesignTable from "../../rules/catalog/DesignTable.ts"
import { type LinedOrder, linedOrders } from "../../support/LinedOrders.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { beforeAll, type ProductionQuery, toMake } from "../orders/ReadProduction.ts"

const read = queryReader(exportQuery)

/** Records of a page, and their bytes: what a process holds of an export. */
const [pageLimit, pageBytes] = [100, 2 * 1024 * 1024]

/**
 * A shop's orders, newest first, with their designs or with their lines (D81), or its designs, by id, as texts to write
 * one after the other (D75). It holds a page at a
 * time, and reads the next one when its reader wants more. Changes made meanwhile may be in it or not.
 *
 * Fails with `NotFound` without the shop, and with `InvalidInput`. The texts end with `NotFound` if the shop is removed
 * meanwhile.
 */
export const exportShop = Effect.fn("ExportShop.export")(function* (shopId: string, input: ExportInput) {
  const { format, kind, since = null } = yield* Effect.fromResult(read(input))
  const { id: shop } = yield* shopOf(shopId)
  const shops = yield* ShopStore
  const stores = yield* Effect.all([OrderStore, CustomizerStore])
  const whole = Stream.fromEffectDrain(stillThere(shops, shop))
  const keys = keysOf(stores[1], shop)
  const lines = Stream.concat(textsOf(stores[0], { shop, since, kind, isTable: format === "csv", keys }), whole)
  return { format, lines }
})

/**
 * The lines to make as a table: a line for each line of an order, newest first, in the columns of the export of orders
 * (D69). As {@link exportShop} otherwise.
 */
export const exportProduction = Effect.fn("ExportShop.exportProduction")(function* (query: ProductionQuery) {
  const { customizer, from, shop, until } = query
  const shops = yield* ShopStore
  const [orders, customizers] = yield* Effect.all([OrderStore, CustomizerStore])
  const keys = yield* keysOf(customizers, shop, customizer)
  const rows = Stream.flatMap(linedOf(orders, shop, from, beforeAll(until)), (lined) =>
    Stream.fromIterable(toMake(lined, query).map((made) => DesignTable.rowOfLine(made.design, made.line, keys))),
  )
  const table = Stream.concat(Stream.make(DesignTable.heading(keys, true)), rows)
  return Stream.concat(table, Stream.fromEffectDrain(stillThere(shops, shop)))
})

type Texts = Stream.Stream<string, StorageError | NotFound>

/** The texts of an export. The columns of a table are known at its beginning, from every definition there is. */
const textsOf = (
  store: OrderStore["Service"],
  {
    isTable,
    keys,
    kind,
    shop,
    since,
  }: {
    readonly shop: string
    readonly since: Instant | null
    readonly kind: "orders" | "designs" | "lines"
    readonly isTable: boolean
    readonly keys: Effect.Effect<ReadonlyArray<string>, StorageError>
  },
): Texts => {
  if (!isTable) {
    const objects = {
      orders: () => ordersOf(store, shop, since),
      designs: () => designsOf(store, shop, since),
      lines: () => Stream.map(linedOf(store, shop, since), (lined) => JSON.stringify(withLines(lined))),
    }
    return Stream.map(objects[kind](), (text) => `${text}\n`)
  }
  if (kind === "lines") {
    const rows = Stream.flatMap(linedOf(store, shop, since), ({ lines, order }) =>
      Stream.fromIterable(lines.map((line) => DesignTable.lineRow(order, line))),
    )
    return Stream.concat(Stream.make(DesignTable.lineHeading), rows)
  }
  return Stream.unwrap(
    Effect.map(keys, (keys) => {
      const rows =
        kind === "designs"
          ? Stream.map(designsOf(store, shop, since), (text) => DesignTable.row(fromWire(text) as Design, keys))
          : Stream.flatMap(linedOf(store, shop, since), ({ lines, order }) => {
              const byDesign = Map.groupBy(lines, ({ designId }) => designId)
              return Stream.fromIterable(
                order.designs.map((design) => DesignTable.row(design, keys, byDesign.get(design.id) ?? [])),
              )
            })
      return Stream.concat(Stream.make(DesignTable.heading(keys, kind === "orders")), rows)
    }),
  )
}

/** An order with its lines in place of its designs: in the form that `designwire import orders` reads. */
const withLines = ({ lines, order: { id, name, orderedAt, status } }: LinedOrder) => ({
  ...{ id, name, status, orderedAt },
  lines,
})

const linedOf = (
  store: OrderStore["Service"],
  shop: string,
  orderedAfter: Instant | null,
  begin: Position | null = null,
): Stream.Stream<LinedOrder, StorageError> =>
  Stream.flatMap(Stream.chunks(ordersOf(store, shop, orderedAfter, begin)), (texts) =>
    Stream.fromIterableEffect(linedOrders(store, shop, texts)),
  )

/** Pages of a shop that is being removed, in many steps if it is large, lack what is gone already. */
const stillThere = (shops: ShopStore["Service"], shop: string) =>
  Effect.flatMap(shops.isComplete(shop), (isComplete) =>
    isComplete
      ? Effect.void
      : new NotFound({
          message: `The shop ${JSON.stringify(shop)} was removed while it was exported: the export is not whole`,
        }),
  )

const ordersOf = (
  store: OrderStore["Service"],
  shop: string,
  orderedAfter: Instant | null,
  begin: Position | null = null,
): Stream.Stream<string, StorageError> =>
  Stream.paginate(begin, (after) =>
    Effect.map(
      store.readOrders({ shop, limit: pageLimit, bytes: pageBytes, after, orderedAfter }),
      ({ next, orders }) => [orders.map(({ wire }) => wire), Option.fromNullishOr(next)] as const,
    ),
  )

const designsOf = (store: OrderStore["Service"], shop: string, createdFrom: Instant | null): Texts =>
  Stream.paginate(null as string | null, (after) =>
    Effect.map(
      store.readDesigns({ shop, limit: pageLimit, bytes: pageBytes, after, createdFrom }),
      ({ designs, next }) => [designs.map(({ wire }) => wire), Option.fromNullishOr(next)] as const,
    ),
  )

/** The production keys of all published versions of a shop's customizers, or of one, in the order of the alphabet. */
const keysOf = Effect.fnUntraced(function* (
  store: CustomizerStore["Service"],
  shop: string,
  only: number | null = null,
) {
  const keys = new Set<string>()
  const all = Stream.paginate(0, (after) =>
    Effect.map(
      store.list({ shop, after, limit: pageLimit }),
      nextBy(({ id }) => id),
    ),
  )
  const customizers = only === null ? Stream.map(all, ({ id }) => id) : Stream.make(only)
  yield* Stream.runForEach(customizers, (id) => {
    const versions = Stream.paginate(2 ** 31 - 1, (before) =>
      Effect.map(
        store.versions({ shop, id, before, limit: pageLimit }),
        nextBy(({ version }) => version),
      ),
    )
    return Stream.runForEach(versions, ({ version }) =>
      Effect.map(store.definition(shop, id, version), (text) => {
        const { questions } = JSON.parse(Option.getOrElse(text, () => '{"questions":[]}')) as Definition
        for (const question of questions) keys.add(question.productionKey ?? question.id)
      }),
    )
  })
  return [...keys].sort()
})

/** A page, and the place of the next one, if there may be one. */
const nextBy =
  <A>(keyOf: (last: A) => number) =>
  (page: ReadonlyArray<A>) => {
    const last = page.at(-1)
    return [page, last !== undefined && page.length === pageLimit ? Option.some(keyOf(last)) : Option.none()] as const
  }
