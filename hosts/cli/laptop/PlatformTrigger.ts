import { Console, Effect, Option, Redacted, Result } from "effect"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import type { PlatformView } from "../../../core/model/ingest/PlatformConnection.ts"
import { isPlainObject } from "../../../core/model/json/Json.ts"
import { printable } from "../../../core/model/log/Printable.ts"
import { sampleDomain, shopifyDataRequest, shopifyOrder, shopifyRedaction } from "../../ingest/samples/ShopifyOrder.ts"
import { asSent, signedHeaders } from "../../ingest/samples/SignedWebhook.ts"
import { wooCommerceDeletion, wooCommerceOrder } from "../../ingest/samples/WooCommerceOrder.ts"
import { configError, readConfig } from "../ReadConfig.ts"
import { type ManageOptions, managedShop, running } from "./Manage.ts"
import { makeSend } from "./Outgoing.ts"
import { saveSampleDesign } from "./SampleDesign.ts"
import { notReached, serviceUrl } from "./ServiceUrl.ts"
import { requireLocal } from "./Trigger.ts"

/** An order of a sample. */
interface Sample {
  readonly order: number
  /** `undefined`: none of its lines has a design. */
  readonly design: string | undefined
  readonly property: string
  readonly currency: string
  /** The shop's domain, which requests for privacy name. */
  readonly domain: string
}

const linesOf = ({ design, property }: Sample) => [
  { id: 1, properties: design === undefined ? {} : { [property]: design } },
]

/** When named orders were placed. */
const sampleTime = Date.UTC(2026, 9, 5, 14, 48)

/** An order keeps its time if it is sent again: a new number is the time at which it was made. */
const placedAt = (order: number): string =>
  new Date(order > sampleTime && order <= Date.now() ? order : sampleTime).toISOString()

const shopifySample = (sample: Sample, isCancelled = false) => {
  const now = new Date().toISOString()
  const { currency, order: id } = sample
  const times = { createdAt: placedAt(id), updatedAt: now, cancelledAt: isCancelled ? now : null }
  return shopifyOrder({ id, lines: linesOf(sample), currency, ...times })
}

const wooCommerceSample = (sample: Sample) => {
  const { currency, order: id } = sample
  const times = { createdAt: placedAt(id).slice(0, 19), modifiedAt: new Date().toISOString().slice(0, 19) }
  return wooCommerceOrder({ id, lines: linesOf(sample), currency, ...times })
}

/** The payloads of topics that place an order. */
const placing = {
  "shopify:orders/create": (sample: Sample) => shopifySample(sample),
  "shopify:orders/paid": (sample: Sample) => shopifySample(sample),
  "shopify:orders/updated": (sample: Sample) => shopifySample(sample),
  "woocommerce:order.created": wooCommerceSample,
  "woocommerce:order.updated": wooCommerceSample,
} as const

/** The payloads of topics about an order that was placed before. */
const later = {
  "shopify:orders/cancelled": (sample: Sample) => shopifySample(sample, true),
  "shopify:customers/data_request": ({ domain, order }: Sample) => shopifyDataRequest([order], domain),
  "shopify:customers/redact": ({ domain, order }: Sample) => shopifyRedaction([order], domain),
  "woocommerce:order.deleted": ({ order }: Sample) => wooCommerceDeletion(order),
} as const

const samples = { ...placing, ...later }

/** Webhooks of shop platforms that `designwire trigger` can send. */
export type PlatformTrigger = keyof typeof samples
export const platformTriggers = Object.keys(samples) as ReadonlyArray<PlatformTrigger>

/** Whether an event is a webhook of a shop platform. */
export const isOfPlatform = (event: string): event is PlatformTrigger => event in samples

const variables: Readonly<Record<IngestSource, string>> = {
  shopify: "DESIGNWIRE_SHOPIFY_SECRET",
  woocommerce: "DESIGNWIRE_WOOCOMMERCE_SECRET",
}

/** The options of `designwire trigger` for webhooks of shop platforms. */
export interface PlatformTriggerOptions extends ManageOptions {
  readonly event: PlatformTrigger
  readonly design: Option.Option<string>
  readonly order: Option.Option<string>
  readonly to: Option.Option<string>
  readonly currency: Option.Option<string>
}

/** Sends a signed sample of a platform's webhook to a host on this machine. */
export const triggerPlatform = Effect.fn("triggerPlatform")(function* (options: PlatformTriggerOptions) {
  const { event } = options
  const [source, topic] = event.split(":") as [IngestSource, string]
  const to = Option.getOrUndefined(options.to)
  const given = to ?? Option.getOrUndefined(options.url)
  if (given !== undefined) yield* requireLocal(given)
  const { ingest } = yield* readConfig(process.env, [])
  const [secret] = ingest[source] ?? []
  if (secret === undefined) return yield* configError(`Give the secret that the host has: ${variables[source]}`)
  const order = yield* orderOf(options)
  const named = Option.getOrUndefined(options.design)
  const isNew = event in placing && named === undefined
  if (to !== undefined && isNew) {
    return yield* configError("Say which design the order has: --design. With --to none is made")
  }
  const target =
    to === undefined
      ? yield* targetOf(options, isNew ? `trigger-${order}` : undefined)
      : { address: to, design: undefined, currency: "EUR", domain: sampleDomain, connected: undefined }
  const { address, connected, domain } = target
  const design = named ?? target.design
  const currency = Option.getOrElse(options.currency, () => target.currency)
  const property = connected?.property ?? ingest.property
  const body = asSent(samples[event]({ order, design, currency, domain: connected?.domain ?? domain, property }))
  const headers = signedHeaders[source]({ topic, body, secret: Redacted.value(secret), domain: connected?.domain })
  const answer = yield* running(async () => {
    const sent = { method: "POST", headers, body, signal: AbortSignal.timeout(30_000) }
    const received = await makeSend()(address, sent).catch((error: unknown) => {
      throw new Error(notReached(new URL(address).origin, error))
    })
    return { status: received.status, text: await received.text() }
  })
  const about = `${event}: order ${order}${design === undefined ? "" : ` with the design ${design}`} to ${address}`
  const line = printable(`${about}: ${answer.status} ${saidIn(answer.text)}`.trimEnd())
  if (answer.status >= 300) return yield* configError(line)
  yield* Console.log(line)
})

const orderOf = Effect.fnUntraced(function* ({ event, order }: PlatformTriggerOptions) {
  if (Option.isNone(order)) {
    return event in later ? yield* configError(`${event} is about an order: name it with --order`) : Date.now()
  }
  const id = /^[1-9][0-9]{0,14}$/.test(order.value) ? Number(order.value) : undefined
  return id ?? (yield* configError("--order must be a number of at most 15 digits, as the ids of the platforms are"))
})

/** The fields of a shop's connection to its platform that a sample needs. */
type Connected = Pick<PlatformView, "platform" | "domain" | "property">

/** The address of a shop's webhooks, its connection, its currency, and a design with the given id, which is made. */
const targetOf = Effect.fnUntraced(function* (options: PlatformTriggerOptions, newDesign: string | undefined) {
  const url = yield* serviceUrl(options.url, "api", options.shop)
  yield* requireLocal(url)
  const shop = yield* managedShop(options)
  const [source] = options.event.split(":")
  return yield* running(async () => {
    const { currency, domain } = (await shop.call("GET", "")) as { readonly currency: string; readonly domain: string }
    const { data } = (await shop.call("GET", "/platforms")) as { readonly data: ReadonlyArray<Connected> }
    const connected = data.find(({ platform }) => platform === source)
    const design = newDesign === undefined ? undefined : await saveSampleDesign(shop, newDesign)
    return { address: `${new URL(url).origin}/ingest/${source}/${shop.shop}`, design, currency, domain, connected }
  })
})

/** The content of an answer for people: the state of the event, and the reason. */
const saidIn = (text: string): string => {
  const json = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  if (!isPlainObject(json)) return text.slice(0, 200)
  return [json["state"], json["reason"], json["message"]].filter((part) => typeof part === "string").join(": ")
}
