/** Answers of the APIs of shop platforms (D88). */
import type { Instant } from "../../model/Instant.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord, Reconciling } from "../../model/ingest/PlatformConnection.ts"

/** A request to a platform's API. */
export interface ApiRequest {
  readonly method: "GET" | "POST"
  /** With its query. */
  readonly path: string
  /** JSON; `undefined` without one. */
  readonly body?: object | undefined
}

/**
 * Why a platform has not answered what it was asked for:
 *
 * - `key`: it does not accept the access key, or the key lacks a right;
 * - `throttled`: it was asked too much;
 * - `absent`: it has nothing at that address;
 * - `outage`: it does not work, or can't be reached.
 */
export interface ApiFault {
  readonly kind: "key" | "throttled" | "absent" | "outage"
  /** A sentence for people, without texts of buyers. */
  readonly message: string
  /** Milliseconds to wait before it is asked again; `null` if the platform does not say. */
  readonly wait: number | null
}

/** An order as a platform has it, in the form of a webhook. */
export interface FoundOrder {
  readonly id: string
  readonly modifiedAt: Instant
  readonly payload: object
}

/** A webhook that exists at the platform. */
export interface ExistingWebhook {
  readonly id: string
  /** The topic as webhooks name it in their header. */
  readonly topic: string
  readonly address: string
  readonly isActive: boolean
}

/** The fault that a status of HTTP is; `undefined` for an answer that has to be read. */
export const faultOfStatus = (status: number, retryAfter: string | null): ApiFault | undefined => {
  if (status === 401 || status === 403) {
    return { kind: "key", message: `The platform refuses the access key (${status})`, wait: null }
  }
  if (status === 429) {
    const seconds = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) : undefined
    const wait = seconds === undefined ? null : seconds * 1_000
    return { kind: "throttled", message: "The platform was asked too often (429)", wait }
  }
  if (status >= 200 && status < 300) return undefined
  const hint = status >= 300 && status < 400 ? ": the domain of the connection leads elsewhere" : ""
  return {
    kind: status === 404 ? "absent" : "outage",
    message: `The platform has answered ${status}${hint}`,
    wait: null,
  }
}

/** The fault of an answer that is not what was asked for. */
export const unreadable = (reason: string): ApiFault => ({
  ...{ kind: "outage", message: `The answer of the platform can't be read: ${reason}`, wait: null },
})

/** The topics of the webhooks that a shop needs. */
export const neededTopics: Readonly<Record<IngestSource, ReadonlyArray<string>>> = {
  shopify: ["orders/create", "orders/updated", "orders/cancelled", "orders/delete", "app/uninstalled"],
  woocommerce: ["order.created", "order.updated", "order.deleted", "order.restored"],
}

/** Whether webhooks to an address may arrive here: a host has its address below a path of its own. */
const isOurs = (
  { address }: ExistingWebhook,
  { platform, shop }: Pick<PlatformRecord, "platform" | "shop">,
): boolean => {
  const path = URL.parse(address)?.pathname.replace(/\/+$/, "") ?? ""
  return path.endsWith(`/${platform}`) || path.endsWith(`/${platform}/${shop}`)
}

/**
 * What is known of the webhooks of a connection now that these exist. Only a topic that was seen can be missing:
 * webhooks that Shopify's app has by its configuration are not shown.
 */
export const webhooksNow = (
  record: Pick<PlatformRecord, "platform" | "shop" | "reconciling">,
  existing: ReadonlyArray<ExistingWebhook>,
): Pick<Reconciling, "webhooks" | "missing"> => {
  const ours = existing.filter((webhook) => isOurs(webhook, record))
  const has = (topic: string) => (webhook: ExistingWebhook) => webhook.topic === topic
  const known = record.reconciling.webhooks
  const webhooks = neededTopics[record.platform].filter((topic) => known.includes(topic) || ours.some(has(topic)))
  const active = ours.filter(({ isActive }) => isActive)
  return { webhooks, missing: webhooks.filter((topic) => !active.some(has(topic))) }
}
