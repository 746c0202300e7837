/** Events of shop platforms for tests that do not send them over HTTP. */

import { NodeCrypto } from "@effect/platform-node"
import { type Context, Effect, Layer } from "effect"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { defaultProperty } from "../../../core/rules/ingest/ReadEvent.ts"
import { receiveEvent } from "../../../core/usecases/ingest/ReceiveEvent.ts"
import { type SampleOrder, shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"

/** A Shopify event about an order of some designs. */
export const shopifyEvent = (
  id: number,
  designs: ReadonlyArray<string>,
  fields: Partial<SampleOrder> & {
    readonly topic?: string
    readonly eventId?: string | null
    /** Fields of the payload that samples have no name for. */
    readonly rest?: object
  } = {},
) => {
  const { eventId = null, rest, topic = "orders/create", ...order } = fields
  const lines = designs.map((design, index) => ({ id: index + 1, properties: { [defaultProperty]: design } }))
  const body = JSON.stringify({ ...shopifyOrder({ id, lines, ...order }), ...rest })
  return { source: "shopify" as const, topic, eventId, body, property: defaultProperty }
}

/** Receives a Shopify event of a shop as a host does; returns it as it is then kept. */
export const receiveShopify = Effect.fnUntraced(function* (
  ports: Context.Context<StoragePorts>,
  shop: string,
  ...event: Parameters<typeof shopifyEvent>
) {
  const kept = yield* receiveEvent(shop, shopifyEvent(...event)).pipe(
    Effect.provide(Layer.merge(Layer.succeedContext(ports), NodeCrypto.layer)),
    Effect.orDie,
  )
  return kept ?? (yield* Effect.die(new Error("The event removed the shop")))
})
