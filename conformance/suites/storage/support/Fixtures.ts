/** Fixtures of cases: shops, tokens and records that no other case has. */
import { Effect, Option } from "effect"
import { allScopes, type TokenRecord } from "../../../../core/model/access/Token.ts"
import type { DesignRecord } from "../../../../core/model/catalog/Design.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { InboxItem } from "../../../../core/model/ingest/InboxItem.ts"
import { neverAsked, nothingGiven, type PlatformRecord } from "../../../../core/model/ingest/PlatformConnection.ts"
import { type OrderRecord, wire, wireHead } from "../../../../core/model/orders/Order.ts"
import type { Shop } from "../../../../core/model/shops/Shop.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { StorageError } from "../../../../core/ports/StorageError.ts"

/** 2096-10-05T14:48:00.123Z, later than any clock, so that stores treat deliveries due then as just due. */
export const someTime: Instant = Date.UTC(2096, 9, 5, 14, 48, 0, 123)

/** A day in milliseconds. */
export const day = 86_400_000

/** Unique lowercase hex digits. */
export const unique = (length = 32): string => {
  let digits = ""
  while (digits.length < length) digits += crypto.randomUUID().replaceAll("-", "")
  return digits.slice(0, length)
}

/** A new shop, not stored. */
export const makeShop = (fields: Partial<Shop> = {}): Shop => ({
  id: `c-${unique()}`,
  domain: "shop.example.com",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://images.example.com",
  ...fields,
})

/** Puts a new shop and returns its id. */
export const newShop = Effect.gen(function* () {
  const shop = makeShop()
  yield* (yield* ShopStore).put(shop)
  return shop.id
})

/** A token of a shop, never used. */
export const makeToken = (shop: string, fields: Partial<TokenRecord> = {}): TokenRecord => ({
  shop,
  id: `tok_${unique()}`,
  name: "ERP",
  hint: "x7Gq",
  digest: unique(64),
  createdAt: someTime,
  lastUsedAt: null,
  expiresAt: null,
  scopes: allScopes,
  ...fields,
})

/** A new draft with unique text. */
export const makeDesign = (shop: string, id: string, fields: Partial<DesignRecord> = {}): DesignRecord => ({
  shop,
  id,
  status: "draft",
  orderId: null,
  position: 0,
  createdAt: someTime,
  wire: JSON.stringify({ id, mark: unique() }),
  etag: unique(),
  revision: 1,
  ...fields,
})

/** A new order without designs. */
export const makeOrder = (shop: string, id: string, fields: Partial<OrderRecord> = {}): OrderRecord => {
  const orderedAt = fields.orderedAt ?? someTime
  return {
    shop,
    id,
    orderedAt,
    head: wireHead({
      id,
      name: `#${id}`,
      status: "ordered",
      currency: "EUR",
      total: 1999,
      orderedAt: new Date(orderedAt).toISOString(),
    }),
    etag: unique(),
    revision: 1,
    ...fields,
  }
}

/** A design of an order. */
export const makeOrdered = (order: OrderRecord, id: string, position: number, fields: Partial<DesignRecord> = {}) =>
  makeDesign(order.shop, id, { status: "ordered", orderId: order.id, position, ...fields })

/** A new event of a platform that places an order, not stored. */
export const makeInboxItem = (shop: string, fields: Partial<InboxItem> = {}): InboxItem => ({
  ...{ shop, id: `inb_${unique()}`, source: "shopify", topic: "orders/create", eventId: unique(), orderId: "1" },
  ...{
    change: "place",
    modifiedAt: someTime,
    triggeredAt: null,
    content: unique(),
    property: "_designwire_id",
    receivedAt: someTime,
  },
  ...{ body: `{"mark":"${unique()}"}`, state: "waiting", reason: null, designId: null },
  ...fields,
})

/** A new connection to Shopify, not stored, with a domain of its own. */
export const makePlatform = (shop: string, fields: Partial<PlatformRecord> = {}): PlatformRecord => ({
  ...{ shop, platform: "shopify", domain: `${unique()}.myshopify.com`.toLowerCase() },
  ...{ secret: unique(), former: null, accessKey: null, settings: nothingGiven },
  ...{ createdAt: someTime, changedAt: someTime, disconnectedAt: null },
  ...{ dueAt: null, reconciling: neverAsked },
  ...fields,
})

/** A replacement of a record: next revision, other texts. */
export const changed = (design: DesignRecord, fields: Partial<DesignRecord> = {}): DesignRecord => ({
  ...design,
  wire: JSON.stringify({ id: design.id, mark: unique() }),
  etag: unique(),
  revision: design.revision + 1,
  ...fields,
})

/** A replacement of an order's record: next revision, cancelled. */
export const cancelled = (order: OrderRecord): OrderRecord => ({
  ...order,
  head: order.head.replace('"status":"ordered"', '"status":"cancelled"'),
  etag: unique(),
  revision: order.revision + 1,
})

/** Commits a new order with one design and returns its record. */
export const place = Effect.fnUntraced(function* (shop: string, id: string, orderedAt: Instant) {
  const order = makeOrder(shop, id, { orderedAt })
  yield* (yield* OrderStore).commit({ shop, designs: [makeOrdered(order, `dsn_${unique()}`, 0)], order, events: [] })
  return order
})

/** A query of everything that fits on a page. */
export const wholePage = { limit: 100, bytes: 64 * 1024 * 1024, after: null, orderedAfter: null } as const

/** A search of a shop's orders that leaves out none. */
export const everyOrder = {
  ...{ text: null, status: null, from: null, until: null, after: null, limit: 100 },
  designs: { skip: 0, limit: 3, bytes: 32 * 1024 },
} as const

/** An order's wire form and tag, as the REST API returns them. */
export const readOrder = (store: OrderStore["Service"], shop: string, id: string) =>
  Effect.map(
    store.order(shop, id),
    Option.map(({ designs, order }) => ({ wire: wire(order, designs), etag: order.etag })),
  )

/** Retries a call if the store says that it can be retried, as callers do. */
export const retrying = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, { times: 10, while: (error) => error instanceof StorageError && error.isRetryable })

/** Valid, distinct ids (D9) that careless stores mix up, mangle or refuse. */
export const hostileIds: ReadonlyArray<string> = [
  ...["1001", "1", "01", "1.0", "1e3", "-1", "0", "a", "A", "a ", " a", "a b", "a  b"],
  ...["a/b", "/", "//", ".", "..", "100%", "%2F", "%25", "%", "_", "%_", "*", "?", "#", "+", "&", "="],
  ...["'", "''", "a'b", '"', '""', 'a"b', "\\", "\\\\", "\\n", "\\u0000", "`", "$1", "$$", "a;b--", "/*", ":a", "?1"],
  ...["{}", "{a,b}", "[1]", "(1)", ",", "a,b", "null", "NULL", "undefined", "__proto__", "constructor", "toString"],
  // Composed and decomposed, upper and lower case, with and without accent: all different ids.
  ...["\u00e9", "e\u0301", "\u00c9", "e", "E", "\u00df", "ss", "\u0130", "\u0131", "i", "I"],
  // Invisible ones, the ends of the planes, right-to-left, joined emoji.
  ...["\u00a0", "\u200b", "\u2028", "\ufeff", "\ue000", "\ufffd", "\uffff", "\u{10000}", "\u{10ffff}"],
  ...["\u05d0\u05d1", "\u65e5\u672c", "\u{1f600}", "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}"],
  ...["a".repeat(255), "a".repeat(254), "\u20ac".repeat(255), "\u{1f600}".repeat(255)],
]

/** Texts that must be returned byte for byte. The first few are JSON that careless stores rewrite. */
export const hostileTexts: ReadonlyArray<string> = [
  `{"b":1,"a":2,"a":3, "n":[9007199254740991,-9007199254740991,1.0,1e2,-0,0.1e-7,12345678901234567890]}`,
  String.raw`{"escaped":"\u0000\u0001\u001f\ud83d\ude00\/\\\"\n","lone":"\ud800"}`,
  " \t\r\n{ } \n",
  "''",
  "' or 1=1 --",
  String.raw`\x41 \\ \' $1 $$ ? :name %s {} {1,2} E'\n' \. \N`,
  "\u0001\u0002\u001f\u007f\u0085\b\f\v",
  "\u00e9 e\u0301 \u00c5 \u212b \ufb01 \u1e9b\u0323",
  "\u{1f600}\u{10ffff}\u{10000}\ufffd\uffff\ufeff\u2028\u2029\u200d",
  // Longer than a page of any database, and incompressible.
  Array.from({ length: 9_400 }, (_, index) => `${unique(30)}${index % 7 === 0 ? "\u{1f600}" : "\u00e9"}`).join(""),
]
