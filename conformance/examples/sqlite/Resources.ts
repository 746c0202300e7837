import { DeliveryState } from "designwire"
import {
  type Change,
  type CustomizerRecord,
  CustomizerStore,
  type CustomizerSummary,
  type DesignRecord,
  type EndpointRecord,
  type OrderRecord,
  OrderStore,
  type Shop,
  StaleRevision,
} from "designwire/ports"
import { Effect, Option } from "effect"
import { addDelivery, addEvent } from "./Deliveries.ts"
import type { Host } from "./Host.ts"

type Description = Omit<CustomizerSummary, "version" | "digest">

/** Customizers and every version of their definitions. */
export const makeCustomizers = ({ database }: Host): CustomizerStore["Service"] => {
  const find = (shop: string, id: number): CustomizerRecord | undefined => {
    const description = database.record<Description>(
      "SELECT record FROM customizers WHERE shop = ? AND id = ?",
      shop,
      id,
    )
    const published = database.first<Pick<CustomizerRecord, "version" | "definition" | "digest">>(
      "SELECT version, definition, digest FROM versions WHERE shop = ? AND customizer = ? ORDER BY version DESC LIMIT 1",
      shop,
      id,
    )
    return description && { version: null, definition: null, digest: null, ...published, ...description }
  }
  const publish = (shop: string, id: number, definition: string, digest: string) => {
    const before = find(shop, id)
    if (before === undefined) return undefined
    database.run("INSERT INTO versions VALUES (?, ?, ?, ?, ?)", shop, id, (before.version ?? 0) + 1, definition, digest)
    return find(shop, id)
  }
  const put = (description: Description) => {
    const { assetBase, id, platformProductId, shop, title } = description
    const record = { shop, id, title, platformProductId, assetBase }
    database.run("INSERT OR REPLACE INTO customizers VALUES (?, ?, ?)", shop, id, JSON.stringify(record))
    return { version: null, definition: null, digest: null, ...record, ...find(shop, id) }
  }
  const definitionOf = (shop: string, id: number, version: number) =>
    database.first<{ definition: string }>(
      "SELECT definition FROM versions WHERE shop = ? AND customizer = ? AND version = ?",
      shop,
      id,
      version,
    )?.definition
  const attempt = <A>(what: string, run: () => A | undefined) =>
    database.attempt(what, () => Option.fromUndefinedOr(run()))
  return CustomizerStore.of({
    find: (shop, id) => attempt("Reading a customizer", () => find(shop, id)),
    summary: (shop, id) =>
      Effect.map(
        attempt("Reading a customizer", () => find(shop, id)),
        Option.map(({ definition: _, ...summary }) => summary),
      ),
    definition: (shop, id, version) => attempt("Reading a definition", () => definitionOf(shop, id, version)),
    put: (description) => database.attempt("Storing a customizer", () => put(description)),
    publish: (shop, id, { definition, digest }) =>
      attempt("Publishing a definition", () => publish(shop, id, definition, digest)),
  })
}

/** Designs and orders. */
export const makeOrders = (host: Host): OrderStore["Service"] => {
  const { database } = host
  const designsOf = (shop: string, order: string) =>
    database.records<DesignRecord>(
      "SELECT record FROM designs WHERE shop = ? AND order_id = ? ORDER BY position",
      shop,
      order,
    )
  const orderOf = (shop: string, id: string) =>
    database.record<OrderRecord>("SELECT record FROM orders WHERE shop = ? AND id = ?", shop, id)
  const wireOf = (order: OrderRecord) => ({
    wire: `${order.head}${designsOf(order.shop, order.id)
      .map(({ wire }) => wire)
      .join(",")}]}`,
    etag: order.etag,
  })

  const isStale = (
    table: "designs" | "orders",
    { id, revision, shop }: Pick<OrderRecord, "shop" | "id" | "revision">,
  ) => {
    const sql = `SELECT revision FROM ${table} WHERE shop = ? AND id = ?`
    return revision !== 1 + (database.first<{ revision: number }>(sql, shop, id)?.revision ?? 0)
  }

  /** Stores a change and answers how many deliveries it made; `undefined` where it is stale. */
  const store = ({ designs, events, order, shop: shopId }: Change): number | undefined => {
    if (designs.some((design) => isStale("designs", design)) || (order !== null && isStale("orders", order))) return
    for (const design of designs) {
      const { id, orderId, position, revision, shop, status } = design
      const sql = "INSERT OR REPLACE INTO designs VALUES (?, ?, ?, ?, ?, ?, ?)"
      database.run(sql, shop, id, revision, status, orderId, position, JSON.stringify(design))
    }
    if (order !== null) {
      const { id, orderedAt, revision, shop } = order
      database.run(
        "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?)",
        shop,
        id,
        orderedAt,
        revision,
        JSON.stringify(order),
      )
    }
    const shop = database.record<Shop>("SELECT record FROM shops WHERE id = ?", shopId)
    const endpoints = database.records<EndpointRecord>("SELECT record FROM endpoints WHERE shop = ?", shopId)
    let made = 0
    for (const event of events) {
      addEvent(database, event)
      for (const endpoint of endpoints) {
        if (shop === undefined || !DeliveryState.isFor(event, endpoint, shop)) continue
        const id = DeliveryState.deliveryId(event.id, endpoint.id)
        addDelivery(database, DeliveryState.pendingDelivery(id, event, endpoint, event.createdAt))
        made++
      }
    }
    return made
  }

  return OrderStore.of({
    commit: (change) =>
      Effect.flatMap(
        database.attempt("Storing a change", () => store(change)),
        (made) => {
          if (made === undefined) return Effect.fail(new StaleRevision({ canRetry: true }))
          return Effect.sync(() => made > 0 && host.wake())
        },
      ),
    designs: (shop, ids) =>
      database.attempt("Reading designs", () =>
        database.records<DesignRecord>(
          "SELECT record FROM designs WHERE shop = ? AND id IN (SELECT value FROM json_each(?))",
          shop,
          JSON.stringify(ids),
        ),
      ),
    order: (shop, id) =>
      database.attempt("Reading an order", () =>
        Option.map(Option.fromUndefinedOr(orderOf(shop, id)), (order) => ({ order, designs: designsOf(shop, id) })),
      ),
    readDesign: (shop, id) =>
      database.attempt("Reading a design", () =>
        Option.map(
          Option.fromUndefinedOr(
            database.record<DesignRecord>("SELECT record FROM designs WHERE shop = ? AND id = ?", shop, id),
          ),
          ({ etag, wire }) => ({ wire, etag }),
        ),
      ),
    readOrders: ({ after, bytes, limit, orderedAfter, shop }) =>
      database.attempt("Reading orders", () => {
        const since = orderedAfter ?? -1e15
        const found = database.records<OrderRecord>(
          `SELECT record FROM orders WHERE shop = ? AND ordered_at >= ? AND (ordered_at, id) < (?, ?)
           ORDER BY ordered_at DESC, id DESC LIMIT ?`,
          shop,
          since,
          after?.orderedAt ?? 1e15,
          after?.id ?? "",
          limit + 1,
        )
        const page: Array<{ readonly wire: string; readonly etag: string }> = []
        let left = bytes
        for (const order of found.slice(0, limit)) {
          const one = wireOf(order)
          left -= Buffer.byteLength(one.wire)
          if (left < 0 && page.length > 0) break
          page.push(one)
        }
        const last = found[page.length - 1]
        const next =
          last !== undefined && page.length < found.length ? { orderedAt: last.orderedAt, id: last.id } : null
        const counted = "SELECT count(*) AS total FROM orders WHERE shop = ? AND ordered_at >= ?"
        return { orders: page, total: database.first<{ total: number }>(counted, shop, since)?.total ?? 0, next }
      }),
    latestOrderedDesign: (shop) =>
      database.attempt("Reading the latest design", () =>
        Option.map(
          Option.fromUndefinedOr(
            database.record<DesignRecord>(
              `SELECT d.record FROM orders o JOIN designs d ON d.shop = o.shop AND d.order_id = o.id AND d.status = 'ordered'
               WHERE o.shop = ? ORDER BY o.ordered_at DESC, o.id DESC, d.position LIMIT 1`,
              shop,
            ),
          ),
          ({ wire }) => wire,
        ),
      ),
  })
}
