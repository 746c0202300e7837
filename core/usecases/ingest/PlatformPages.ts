/** The questions to the API of a platform, in the same words for every platform (D88). */
import { Effect, Result } from "effect"
import { format, type Instant } from "../../model/Instant.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import type { ExistingWebhook, FoundOrder } from "../../rules/ingest/ApiAnswer.ts"
import * as Shopify from "../../rules/ingest/ShopifyApi.ts"
import * as WooCommerce from "../../rules/ingest/WooCommerceApi.ts"
import { type Ask, NotAnswered } from "./AskPlatform.ts"

/** Takes a page of orders. Every order that was changed before `reached` was on this page or an earlier one. */
type TakePage<E, R> = (orders: ReadonlyArray<FoundOrder>, reached: Instant) => Effect.Effect<void, E, R>

/** The API of a platform. Everything fails with {@link NotAnswered}. */
export interface PlatformPages {
  /** Reads all orders that were changed since an instant, the earliest change first. */
  readonly changed: <E, R>(since: Instant, take: TakePage<E, R>) => Effect.Effect<void, E | NotAnswered, R>
  /** Which of some orders, 100 at most, are gone; and others that lists leave out, e.g. in the trash. */
  readonly gone: (
    ids: ReadonlyArray<string>,
  ) => Effect.Effect<{ readonly gone: ReadonlyArray<string>; readonly found: ReadonlyArray<FoundOrder> }, NotAnswered>
  readonly webhooks: Effect.Effect<ReadonlyArray<ExistingWebhook>, NotAnswered>
  /** Registers a webhook that does not exist, or turns on the one that is switched off. */
  readonly register: (
    webhook: { readonly topic: string; readonly address: string; readonly secret: string },
    off: ExistingWebhook | undefined,
  ) => Effect.Effect<void, NotAnswered>
}

const notRegistered = (topic: string, why: string) =>
  new NotAnswered({ kind: "outage", message: `The webhook ${topic} could not be registered: ${why}`, wait: null })

const ofShopify = (ask: Ask): PlatformPages => {
  /** An order with all its lines, and what was shipped and refunded of it if that matters. */
  const whole = Effect.fnUntraced(function* (first: Shopify.PartialOrder) {
    let found = first
    while (found.moreLines !== null)
      found = yield* ask(Shopify.askLines(found.order.id, found.moreLines), Shopify.readLines(found))
    const parts = Shopify.needsParts(found) ? yield* ask(Shopify.askParts(found.order.id), Shopify.readParts) : null
    return Shopify.foundShopifyOrder(found, parts)
  })
  return {
    changed: Effect.fnUntraced(function* <E, R>(since: Instant, take: TakePage<E, R>) {
      let cursor: string | null = null
      do {
        const page: Result.Result.Success<ReturnType<typeof Shopify.readOrders>> = yield* ask(
          Shopify.askOrders(`${format(since).slice(0, 19)}Z`, cursor),
          Shopify.readOrders,
        )
        const orders = yield* Effect.forEach(page.orders, whole)
        yield* take(orders, orders.at(-1)?.modifiedAt ?? since)
        cursor = page.next
      } while (cursor !== null)
    }),
    gone: (ids) =>
      Effect.map(ask(Shopify.askExisting(ids), Shopify.readExisting), (existing) => ({
        gone: ids.filter((id) => !existing.includes(id)),
        found: [],
      })),
    webhooks: Effect.gen(function* () {
      const all: Array<ExistingWebhook> = []
      let cursor: string | null = null
      do {
        const page: Result.Result.Success<ReturnType<typeof Shopify.readWebhooks>> = yield* ask(
          Shopify.askWebhooks(cursor),
          Shopify.readWebhooks,
        )
        all.push(...page.webhooks)
        cursor = page.next
      } while (cursor !== null)
      return all
    }),
    register: ({ address, topic }) =>
      Effect.flatMap(ask(Shopify.register(topic, address), Shopify.readRegistered), (problem) =>
        problem === undefined ? Effect.void : notRegistered(topic, problem),
      ),
  }
}

/** Orders that are looked at one by one because a list does not have them. */
const mostLookedAt = 20

const ofWooCommerce = (ask: Ask): PlatformPages => ({
  changed: Effect.fnUntraced(function* <E, R>(since: Instant, take: TakePage<E, R>) {
    let place: WooCommerce.OrdersPlace | null = { since, page: 1 }
    while (place !== null) {
      const at: WooCommerce.OrdersPlace = place
      const page: Result.Result.Success<ReturnType<typeof WooCommerce.readOrders>> = yield* ask(
        WooCommerce.askOrders(at),
        (answer) => WooCommerce.readOrders(answer, at),
      )
      yield* take(page.orders, page.orders.at(-1)?.modifiedAt ?? at.since)
      place = page.next
    }
  }),
  gone: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const existing = yield* ask(WooCommerce.askExisting(ids), WooCommerce.readIds)
    const [gone, found]: [Array<string>, Array<FoundOrder>] = [[], []]
    for (const id of ids.filter((each) => !existing.includes(each)).slice(0, mostLookedAt)) {
      const order = yield* ask(WooCommerce.askOrder(id), WooCommerce.readOrder).pipe(
        Effect.catchIf(
          ({ kind }) => kind === "absent",
          () => Effect.succeed(undefined),
        ),
      )
      if (order === undefined) gone.push(id)
      else found.push(order)
    }
    return { gone, found }
  }),
  webhooks: Effect.gen(function* () {
    const all: Array<ExistingWebhook> = []
    for (let page = 1; ; page++) {
      const { isFull, webhooks } = yield* ask(WooCommerce.askWebhooks(page), WooCommerce.readWebhooks)
      all.push(...webhooks)
      if (!isFull) return all
    }
  }),
  register: ({ address, secret, topic }, off) =>
    ask(off === undefined ? WooCommerce.register(topic, address, secret) : WooCommerce.activate(off.id, secret), () =>
      Result.succeed(undefined),
    ),
})

/** The API of each platform. */
export const pagesOf: Readonly<Record<IngestSource, (ask: Ask) => PlatformPages>> = {
  shopify: ofShopify,
  woocommerce: ofWooCommerce,
}
