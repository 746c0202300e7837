/** Orders from WooCommerce, for an Effect application. */
import { type IngestOptions, layerIngest } from "../layerIngest.ts"
import { wooCommerce } from "./WooCommerce.ts"

export type { IngestOptions } from "../layerIngest.ts"
export type { Secrets, ValidSecrets } from "../Secrets.ts"

/**
 * WooCommerce's webhooks in the router of an Effect application, over the current storage ports: orders that are
 * created, updated, deleted and restored. Mount it before anything that reads bodies: the signature is over the raw
 * bytes.
 *
 * ```ts
 * const Orders = layerWooCommerce({
 *   prefix: "/ingest/woocommerce",
 *   secret: (shop) => Sites.use((sites) => sites.secretsOf(shop)),
 * })
 * HttpRouter.serve(Layer.mergeAll(MyApi, Orders)).pipe(Layer.provide([layerCrypto, Postgres.layer({ url })]))
 * ```
 */
export const layerWooCommerce = <R = never>(options: IngestOptions<R>) => layerIngest(wooCommerce, options)
