/** Orders from Shopify, for an Effect application. */
import { type IngestOptions, layerIngest } from "../layerIngest.ts"
import { shopify } from "./Shopify.ts"

export type { IngestOptions } from "../layerIngest.ts"
export type { Secrets, ValidSecrets } from "../Secrets.ts"

/**
 * Shopify's webhooks in the router of an Effect application, over the current storage ports: orders that are placed,
 * paid, changed and cancelled, and its privacy webhooks. Mount it before anything that reads bodies: the signature is
 * over the raw bytes.
 *
 * ```ts
 * const Orders = layerShopify({ prefix: "/ingest/shopify", secret: [Redacted.make(SHOPIFY_CLIENT_SECRET)] })
 * HttpRouter.serve(Layer.mergeAll(MyApi, Orders)).pipe(Layer.provide([layerCrypto, Postgres.layer({ url })]))
 * ```
 */
export const layerShopify = <R = never>(options: IngestOptions<R>) => layerIngest(shopify, options)
