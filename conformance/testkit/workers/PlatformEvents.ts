/** Events of platforms in a test's world. */
import { Effect } from "effect"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import { defaultProperty } from "../../../core/rules/ingest/ReadEvent.ts"
import { receiveEvent } from "../../../core/usecases/ingest/ReceiveEvent.ts"
import { readOrder } from "../../../core/usecases/orders/ReadOrders.ts"
import { type SampleOrder, shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import type { World } from "./TestWorker.ts"

/** The domain of a world's shop. */
export const worldDomain = "shop.example.com"

/** What a platform says of an event in headers. */
export interface EventHeaders {
  readonly eventId?: string | null
  readonly triggeredAt?: string | null
}

/** An event with a body of JSON, or with a text as its body. Topics of WooCommerce have a dot. */
export const eventOf = (topic: string, json: unknown, { eventId = null, triggeredAt = null }: EventHeaders = {}) => {
  const source: IngestSource = topic.includes(".") ? "woocommerce" : "shopify"
  const body = typeof json === "string" ? json : JSON.stringify(json)
  return { source, topic, eventId, triggeredAt, body, property: defaultProperty }
}

/** Receives an event for the shop of a world. */
export const receive = (world: World, topic: string, json: unknown, headers: EventHeaders | string = {}) =>
  world.run(
    receiveEvent(world.shop, eventOf(topic, json, typeof headers === "string" ? { eventId: headers } : headers)),
  )

/** A line with a design. */
export const lineWith = (id: number, design: string) => ({ id, properties: { [defaultProperty]: design } })

/** A minute after the samples were placed. */
export const minute = (number: number): string => `2026-10-05T14:${50 + number}:00Z`

/** Shopify's order 1, with a line for each of some designs. */
export const shopifyWith = (designs: ReadonlyArray<string>, fields: Partial<SampleOrder> = {}) =>
  shopifyOrder({ id: 1, lines: designs.map((design, index) => lineWith(index + 1, design)), ...fields })

/** The status of an order and its designs; `none` if the shop does not have it. */
export const statusOf = (world: World, id = "1") =>
  world.run(readOrder(world.shop, id)).pipe(
    Effect.map(({ value }) => [value.status, ...value.designs.map((design) => design.id)].join(" ")),
    Effect.catchTag("NotFound", () => Effect.succeed("none")),
  )
