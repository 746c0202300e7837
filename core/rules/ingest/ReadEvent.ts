import type { InboxEntry, IngestSource } from "../../model/ingest/InboxItem.ts"
import type { Reading } from "./Reading.ts"
import { readShopify } from "./Shopify.ts"
import { readWooCommerce } from "./WooCommerce.ts"

/** The property of a line item that has the design's id, unless another is configured. */
export const defaultProperty = "_designwire_id"

const readers: Readonly<Record<IngestSource, (topic: string, json: unknown, property: string) => Reading>> = {
  shopify: readShopify,
  woocommerce: readWooCommerce,
}

/** Reads an event of a platform. */
export const readEvent = (
  { property, source, topic }: Pick<InboxEntry, "source" | "topic" | "property">,
  json: unknown,
): Reading => readers[source](topic, json, property)

/** Parts of the bodies of events about an order with a name, as platforms write them. */
export const namedIn = (name: string): ReadonlyArray<string> => [
  `"name":${JSON.stringify(name)}`,
  `"number":${JSON.stringify(name.replace(/^#/, ""))}`,
]

/** The order of a reading and its change, for the inbox. */
export const subjectOf = (reading: Reading): Pick<InboxEntry, "orderId" | "change" | "modifiedAt"> => {
  switch (reading._tag) {
    case "Place":
      return { orderId: reading.order.id, change: "place", modifiedAt: reading.order.modifiedAt }
    case "Cancel":
      return { orderId: reading.orderId, change: "cancel", modifiedAt: reading.modifiedAt }
    case "Missing":
      return { orderId: reading.orderId, change: null, modifiedAt: null }
    default:
      return { orderId: null, change: null, modifiedAt: null }
  }
}
