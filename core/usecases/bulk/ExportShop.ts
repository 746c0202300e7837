import { Effect, Option, Stream } from "effect"
import type { Definition } from "../../model/catalog/Definition.ts"
import { type Design, fromWire } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import type { Instant } from "../../model/Instant.ts"
import type { Order } from "../../model/orders/Order.ts"
import type { Position } from "../../model/Page.ts"
import type { ExportInput } from "../../model/queries/Inputs.ts"
import { exportQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import * as DesignTable from "../../rules/catalog/DesignTable.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const read = queryReader(exportQuery)

/** Records of a page, and their bytes: what a process holds of an export. */
const [pageLimit, pageBytes] = [100, 2 * 1024 * 1024]

/**
 * A shop's orders, newest first, or designs, by id, as texts to write one after the other (D75). It holds a page at a
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
  const pages = kind === "orders" ? ordersOf(stores[0], shop, since) : designsOf(stores[0], shop, since)
  const texts = Stream.concat(pages, Stream.fromEffectDrain(stillThere(shops, shop)))
  const lines = format === "jsonl" ? Stream.map(texts, (text) => `${text}\n`) : tableOf(stores[1], shop, kind, texts)
  return { format, lines }
})

type Texts = Stream.Stream<string, StorageError | NotFound>

/** Pages of a shop that is being removed, in many steps if it is large, lack what is gone already. */
const stillThere = (shops: ShopStore["Service"], shop: string) =>
  Effect.flatMap(shops.isComplete(shop), (isComplete) =>
    isComplete
      ? Effect.void
      : new NotFound({
          message: `The shop ${JSON.stringify(shop)} was removed while it was exported: the export is not whole`,
        }),
  )

const ordersOf = (store: OrderStore["Service"], shop: string, orderedAfter: Instant | null): Texts =>
  Stream.paginate(null as Position | null, (after) =>
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

/** The lines of a table. Its columns are known at its beginning, from every definition that a design may have. */
const tableOf = (store: CustomizerStore["Service"], shop: string, kind: "orders" | "designs", texts: Texts): Texts =>
  Stream.unwrap(
    Effect.map(keysOf(store, shop), (keys) => {
      const rowsOf = (text: string) => {
        const designs = kind === "designs" ? [fromWire(text)] : (JSON.parse(text) as Order).designs
        return designs.map((design) => DesignTable.row(design as Design, keys))
      }
      return Stream.concat(
        Stream.make(DesignTable.heading(keys)),
        Stream.flatMap(texts, (text) => Stream.fromIterable(rowsOf(text))),
      )
    }),
  )

/** The production keys of all published versions of a shop's customizers, in the order of the alphabet. */
const keysOf = Effect.fnUntraced(function* (store: CustomizerStore["Service"], shop: string) {
  const keys = new Set<string>()
  const customizers = Stream.paginate(0, (after) =>
    Effect.map(
      store.list({ shop, after, limit: pageLimit }),
      nextBy(({ id }) => id),
    ),
  )
  yield* Stream.runForEach(customizers, ({ id }) => {
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
