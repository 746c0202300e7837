/**
 * Verifies webhook deliveries at the receiving end (§5, §6), only on Web Crypto: Node, Deno, Bun, browsers' workers
 * and edge runtimes. Depends on nothing.
 */

import type { Design, Notice, Order } from "../../core/model/Resources.ts"

export type { DeliveryNotice, Design, InboxNotice, Notice, Order, TokenNotice } from "../../core/model/Resources.ts"

interface Envelope<Event extends string, Data> {
  /** `evt_…`, the same on retries and redeliveries: drop what you have seen (§6). */
  readonly id: string
  readonly event: Event
  /** `2026-10`. */
  readonly apiVersion: string
  /** ISO 8601 with an offset. */
  readonly createdAt: string
  /** The store's domain. */
  readonly shop: string
  readonly data: Data
  /** Whether this is a test event. */
  readonly test: boolean
}

/**
 * The body of a delivery (§2.5, §6). Later versions may send other kinds: have a branch for unknown kinds.
 */
export type WebhookEvent =
  | Envelope<"design.ordered" | "design.created" | "design.cancelled", { readonly design: Design }>
  | Envelope<"order.cancelled", { readonly order: Order }>
  | Envelope<"ping", { readonly message: string }>

/** Why a delivery is not accepted. */
export type RejectionReason = "missing_header" | "bad_timestamp" | "stale" | "bad_signature" | "bad_body"

/** A delivery that the service sent, and not long ago. */
export interface Verified {
  readonly ok: true
  readonly event: WebhookEvent
  /** `X-Service-Delivery`, `null` without it. Not signed: use `event.id` to detect duplicates. */
  readonly deliveryId: string | null
  /** When it was signed, Unix time in seconds: the timestamp of the signature that matched. */
  readonly timestamp: number
}

/** A delivery to answer with 401, or with 400 for `bad_body`. */
export interface Rejected {
  readonly ok: false
  readonly reason: RejectionReason
  /** A sentence for your log. */
  readonly message: string
}

/** Request headers: a `Headers`, or a record such as Node's `request.headers`. Names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /**
   * The endpoint's signing secret as it was shown, `whsec_` included; several while one replaces another.
   */
  readonly secret: string | ReadonlyArray<string>
  readonly headers: WebhookHeaders
  /** The raw request body, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The current time: a `Date`, or milliseconds as from `Date.now()`, which is the default. */
  readonly now?: Date | number
}

/** Seconds by which a timestamp may differ from now, in either direction (§8). */
const tolerance = 300

const timestampShape = /^(0|[1-9][0-9]{0,14})$/

const signatureShape = /^[0-9a-f]{64}$/

/** A signature of Standard Webhooks: the version, and base64 of 32 bytes. */
const standardShape = /^v1,[A-Za-z0-9+/]{43}=$/

/**
 * Verifies a delivery (§5): its signature over `{X-Service-Timestamp}.{raw body}`, compared in constant time, and a
 * timestamp at most 300 seconds away. Only then is the body parsed. Problems of the input, such as missing headers, are
 * in the result: the function never throws.
 *
 * A delivery with the headers of Standard Webhooks, alongside these or without them, is also accepted if a signature in
 * `webhook-signature` matches its `webhook-id` and `webhook-timestamp` (D41). During a rotation these signatures are
 * made with both secrets, so that a receiver that knows either of them accepts every delivery (D40).
 *
 * ```ts
 * import { verifyWebhook } from "designwire/receiver"
 *
 * export const receive = async (request: Request, secret: string): Promise<Response> => {
 *   const result = await verifyWebhook({ secret, headers: request.headers, body: await request.arrayBuffer() })
 *   if (!result.ok) return new Response(result.message, { status: 401 })
 *   console.log(result.event.id, result.event.event)
 *   return new Response(null, { status: 204 })
 * }
 * ```
 */
export const verifyWebhook = async (options: VerifyOptions): Promise<Verified | Rejected> => {
  const signed = await verifySignature(options)
  if (!signed.ok) return signed
  const event = parsed(signed.body)
  return isEnvelope(event)
    ? { ok: true, event, deliveryId: header(options.headers, "x-service-delivery"), timestamp: signed.timestamp }
    : reject("bad_body", "The body is not a webhook envelope in JSON")
}

/** A notice that the service sent, and not long ago. */
export interface VerifiedNotice {
  readonly ok: true
  /**
   * Sent at least once: drop notices that you have seen, by their `id`. Of a kind that this version does not know, it
   * has `id`, `notice`, `createdAt` and `shop`, and fields of its own.
   */
  readonly notice: Notice
  /** `notice.notice` as it was sent: also a kind of a later version, so have a branch for unknown ones. */
  readonly kind: string
  /** When it was signed, Unix time in seconds. */
  readonly timestamp: number
}

/**
 * Verifies a notice to `DESIGNWIRE_NOTICE_URL` as {@link verifyWebhook} does a delivery; `designwire notice-secret`
 * prints the secret.
 */
export const verifyNotice = async (options: VerifyOptions): Promise<VerifiedNotice | Rejected> => {
  const signed = await verifySignature(options)
  if (!signed.ok) return signed
  const notice = parsed(signed.body)
  return isNotice(notice)
    ? { ok: true, notice, kind: notice.notice, timestamp: signed.timestamp }
    : reject("bad_body", "The body is not a notice in JSON")
}

/** A body whose signature matches. */
interface Signed {
  readonly ok: true
  readonly body: Uint8Array
  readonly timestamp: number
}

/** One matching signature of either kind is enough: both need the secret, and each covers its own timestamp. */
const verifySignature = async (options: VerifyOptions): Promise<Signed | Rejected> => {
  const isStandard = header(options.headers, standard.signature) !== null
  if (isStandard && header(options.headers, own.signature) === null) return verifyScheme(standard, options)
  const signed = await verifyScheme(own, options)
  if (signed.ok || !isStandard) return signed
  const byStandard = await verifyScheme(standard, options)
  return byStandard.ok ? byStandard : signed
}

/** A way to sign a delivery: its headers, the text that they sign, and the key that a secret stands for. */
interface Scheme {
  readonly timestamp: string
  readonly signature: string
  /** A further header, which is signed before the timestamp. */
  readonly id: string | undefined
  /** The bytes of each signature in the header's text, 32 each; none if the text is malformed. */
  readonly signatures: (text: string) => ReadonlyArray<Uint8Array>
  /** A description of a well-formed header. */
  readonly form: string
  /** The key's bytes; `undefined` if the secret has none. */
  readonly key: (secret: string) => Uint8Array<ArrayBuffer> | undefined
}

const own: Scheme = {
  timestamp: "X-Service-Timestamp",
  signature: "X-Service-Signature",
  id: undefined,
  signatures: (text) =>
    signatureShape.test(text)
      ? [Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16))]
      : [],
  form: "64 lower-case hexadecimal digits",
  key: (secret) => utf8.encode(secret),
}

const standard: Scheme = {
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
  id: "webhook-id",
  signatures: (text) =>
    text.split(" ").flatMap((one) => (standardShape.test(one) ? (fromBase64(one.slice("v1,".length)) ?? []) : [])),
  form: "a signature of version v1",
  key: (secret) => fromBase64(secret.replace(/^whsec_/, "")),
}

const verifyScheme = async (scheme: Scheme, options: VerifyOptions): Promise<Signed | Rejected> => {
  const timestampText = header(options.headers, scheme.timestamp)
  const signatureText = header(options.headers, scheme.signature)
  const id = scheme.id === undefined ? undefined : header(options.headers, scheme.id)
  if (timestampText === null) return reject("missing_header", `The header ${scheme.timestamp} is missing`)
  if (signatureText === null) return reject("missing_header", `The header ${scheme.signature} is missing`)
  if (id === null) return reject("missing_header", `The header ${scheme.id} is missing`)

  if (!timestampShape.test(timestampText)) {
    return reject("bad_timestamp", `${scheme.timestamp} is not Unix time in whole seconds`)
  }
  const timestamp = Number(timestampText)
  const now = orElse(() => Number(options.now ?? Date.now()), Number.NaN)
  const distance = Math.abs(now - timestamp * 1000)
  // Written so that the delivery is stale if `now` is not a number.
  if (!(distance <= tolerance * 1000)) {
    return reject("stale", `${scheme.timestamp} is more than ${tolerance} seconds away from now`)
  }

  const signatures = scheme.signatures(signatureText)
  if (signatures.length === 0) return reject("bad_signature", `${scheme.signature} is not ${scheme.form}`)
  const body = orElse(() => bytesOf(options.body), undefined)
  if (body === undefined) return reject("bad_body", notRaw)
  const keys = orElse(() => [options.secret].flat(), []).flatMap((secret) =>
    typeof secret === "string" && secret !== "" ? (scheme.key(secret) ?? []) : [],
  )
  if (keys.length === 0) return reject("bad_signature", "There is no signing secret to check with")
  const signed = concat(utf8.encode(`${id === undefined ? "" : `${id}.`}${timestampText}.`), body)
  const macs = await Promise.all(keys.map((key) => hmac(key, signed)))
  const matches = macs.flatMap((mac) => signatures.map((signature) => equal(mac, signature)))
  return matches.includes(true)
    ? { ok: true, body, timestamp }
    : reject("bad_signature", `${scheme.signature} does not match the body`)
}

const notRaw =
  "The body must be given raw, text or bytes: it was parsed before. Mount the receiver before express.json() and " +
  "other body parsers"

const reject = (reason: RejectionReason, message: string): Rejected => ({ ok: false, reason, message })

const utf8 = new TextEncoder()

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Treats values that can't be read, such as wrong types from callers without types, as missing. */
const orElse = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** A header's value. Several are joined as `Headers` joins them, which no header here accepts. */
const header = (headers: WebhookHeaders, name: string): string | null => {
  const lower = name.toLowerCase()
  const value: unknown = orElse(() => (isHeaders(headers) ? headers.get(lower) : fromRecord(headers, lower)), null)
  return typeof value === "string" ? value : null
}

const isHeaders = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

const fromRecord = (headers: Exclude<WebhookHeaders, { readonly get: unknown }>, name: string): string | null => {
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  )
  return values.length === 0 ? null : values.join(", ")
}

const bytesOf = (body: unknown): Uint8Array | undefined => {
  if (typeof body === "string") return utf8.encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  // Not `instanceof`: it may come from another realm.
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]"
    ? new Uint8Array(body as ArrayBuffer)
    : undefined
}

const concat = (head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

/** The bytes of a base64 text; `undefined` for any other text, and for an empty one. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = orElse(() => atob(text), "")
  return bytes === "" ? undefined : Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}

const hmac = async (bytes: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data))
}

/** Whether 32 bytes are the same, without stopping at the first difference. */
const equal = (left: Uint8Array, right: Uint8Array): boolean =>
  left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? ~byte)), 0) === 0

const parsed = (body: Uint8Array): unknown => orElse(() => JSON.parse(strictUtf8.decode(body)) as unknown, undefined)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Checks the envelope only: the signature vouches for the content of `data`. */
const isEnvelope = (value: unknown): value is WebhookEvent =>
  isObject(value) &&
  ["id", "event", "apiVersion", "createdAt", "shop"].every((key) => typeof value[key] === "string") &&
  isObject(value["data"]) &&
  typeof value["test"] === "boolean"

/** Checks the fields that every kind has, also a kind of a later version. */
const isNotice = (value: unknown): value is Notice =>
  isObject(value) && ["id", "notice", "createdAt", "shop"].every((key) => typeof value[key] === "string")
