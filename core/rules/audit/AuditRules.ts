/** The entries for changes (D59): the changed fields, and no entry if none has changed. No field is a secret. */

import type { TokenRecord } from "../../model/access/Token.ts"
import type { Actor } from "../../model/audit/Actor.ts"
import type { AuditAction, AuditEntry, Audited, AuditFields, AuditValue } from "../../model/audit/AuditEntry.ts"
import type { CustomizerRecord } from "../../model/catalog/Customizer.ts"
import { format, type Instant } from "../../model/Instant.ts"
import type { PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import {
  type EndpointOptions,
  type OptionName,
  optionNames,
  sealedOptionNames,
  usualOptions,
} from "../../model/webhooks/EndpointOptions.ts"
import { validSecrets } from "../webhooks/SecretRotation.ts"
import { recordedUrl } from "./RecordedUrl.ts"

/** When a change is made, by whom, and the id of its entry. */
export interface Occasion {
  readonly id: string
  readonly at: Instant
  readonly actor: Actor
}

/** An entry without fields: something was done to a thing. */
export const done = (
  { actor, at, id }: Occasion,
  shop: string,
  action: AuditAction,
  subject: AuditEntry["subject"],
): AuditEntry => ({ shop, id, at, actor, action, subject, before: null, after: null })

const shopFields = ({ currency, domain, imageBase, plan, roundingStep }: Shop): AuditFields => ({
  domain,
  currency,
  plan,
  roundingStep,
  imageBase,
})

const tokenFields = ({ expiresAt, hint, name, scopes }: TokenRecord): AuditFields => ({
  name,
  hint,
  expiresAt: expiresAt === null ? null : format(expiresAt),
  scopes,
})

/** The options that are recorded also if they are as usual. */
const alwaysRecorded: ReadonlyArray<OptionName> = ["heedRetryAfter", "payload", "headers"]

/** An option as entries compare it: the last part of one with a secret is its sealed text. */
const optionField = (name: OptionName, options: EndpointOptions): AuditValue => {
  const { clientCertificate, headers, oauth } = options
  if (name === "headers") return headers && [...headers.names, headers.sealed]
  if (name === "oauth") return oauth && [recordedUrl(oauth.tokenUrl), oauth.clientId, JSON.stringify(oauth)]
  if (name === "clientCertificate")
    return clientCertificate && [clientCertificate.subject, clientCertificate.endsAt, clientCertificate.sealed]
  const value = options[name]
  return typeof value === "number" ? String(value) : Array.isArray(value) ? value.map(String) : (value as AuditValue)
}

/** Most options are a field of endpoints in which they are not as usual. */
const endpointFields = ({
  description,
  kinds,
  options,
  standardWebhooks,
  status,
  url,
}: EndpointRecord): AuditFields => ({
  url,
  events: kinds,
  description,
  standardWebhooks,
  ...Object.fromEntries(
    optionNames
      .filter((name) => alwaysRecorded.includes(name) || options[name] !== usualOptions[name])
      .map((name) => [name, optionField(name, options)]),
  ),
  status,
})

type Description = Pick<CustomizerRecord, "shop" | "id" | "title" | "platformProductId" | "assetBase">

const customizerFields = ({ assetBase, platformProductId, title }: Description): AuditFields => ({
  title,
  platformProductId,
  assetBase,
})

const isSame = (one: AuditValue | undefined, other: AuditValue | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The entry of a change with the fields that differ; `null` if none does. */
const changeOf = <A>(
  occasion: Occasion,
  { after, before }: { readonly before: A | null; readonly after: A | null },
  about: (record: A) => {
    readonly shop: string
    readonly subject: AuditEntry["subject"]
    readonly fields: AuditFields
  },
  actions: { readonly created: AuditAction; readonly changed: AuditAction; readonly deleted: AuditAction },
): AuditEntry | null => {
  const [was, is] = [before === null ? null : about(before), after === null ? null : about(after)]
  const thing = is ?? was
  if (thing === null) return null
  const action = was === null ? actions.created : is === null ? actions.deleted : actions.changed
  const names = Object.keys({ ...was?.fields, ...is?.fields }).filter(
    (name) => !isSame(was?.fields[name], is?.fields[name]),
  )
  if (names.length === 0) return null
  return {
    ...done(occasion, thing.shop, action, thing.subject),
    before: was && picked(was.fields, names),
    after: is && picked(is.fields, names),
  }
}

const picked = (fields: AuditFields, names: ReadonlyArray<string>): AuditFields =>
  Object.fromEntries(names.map((name) => [name, recorded(name, fields[name])]))

/** The fields of a connection to a platform that are sealed texts. */
const sealedPlatformFields = ["secret", "accessKey"]

/**
 * URLs, headers, OAuth clients and certificates are compared in full, so that a new secret in one is a change too, and
 * recorded without their secrets: of headers the names, of an OAuth client the token URL and its id, of a certificate
 * its subject and end.
 */
const recorded = (name: string, value: AuditValue | undefined): AuditValue => {
  if (sealedPlatformFields.includes(name)) return typeof value === "string" ? "set" : null
  if (sealedOptionNames.some((sealed) => sealed === name) && Array.isArray(value)) return value.slice(0, -1)
  return name === "url" && typeof value === "string" ? recordedUrl(value) : (value ?? null)
}

/** A shop is created or changed. Its deletion takes its entries with it. */
export const shop =
  (occasion: Occasion): Audited<Shop> =>
  (before, after) =>
    changeOf(
      occasion,
      { before, after },
      (record) => ({ shop: record.id, subject: { type: "shop", id: record.id }, fields: shopFields(record) }),
      { created: "shop.created", changed: "shop.changed", deleted: "shop.changed" },
    )

/** A token is created or deleted. Using it changes nothing. */
export const token =
  (occasion: Occasion): Audited<TokenRecord> =>
  (before, after) =>
    changeOf(
      occasion,
      { before, after },
      (record) => ({ shop: record.shop, subject: { type: "token", id: record.id }, fields: tokenFields(record) }),
      { created: "token.created", changed: "token.created", deleted: "token.deleted" },
    )

const endpointWith =
  (changed: AuditAction) =>
  (occasion: Occasion): Audited<EndpointRecord> =>
  (before, after) =>
    changeOf(
      occasion,
      { before, after },
      (record) => ({ shop: record.shop, subject: { type: "endpoint", id: record.id }, fields: endpointFields(record) }),
      { created: "endpoint.created", changed, deleted: "endpoint.deleted" },
    )

/** An endpoint is created, changed or deleted. */
export const endpoint = endpointWith("endpoint.changed")

/** An endpoint is paused, unless it is paused or off already. */
export const pausing = endpointWith("endpoint.paused")

/** An endpoint is enabled, unless it is on. */
export const enabling = endpointWith("endpoint.enabled")

/** An endpoint gets a new signing secret. The entry says until when the old one signs; neither secret is in it. */
export const rotation =
  (occasion: Occasion): Audited<EndpointRecord> =>
  (before, after) =>
    before === null || after === null
      ? null
      : {
          ...done(occasion, after.shop, "endpoint.secret_rotated", { type: "endpoint", id: after.id }),
          after: {
            secret: "rotated",
            oldSecretSignsUntil: after.rotation === null ? null : format(after.rotation.until),
          },
        }

/** The new signing secret of an endpoint takes the place of the old one, if a rotation was running. */
export const promotion =
  (occasion: Occasion): Audited<EndpointRecord> =>
  (before, after) =>
    before === null || after === null || validSecrets(before, occasion.at).length === 1
      ? null
      : {
          ...done(occasion, after.shop, "endpoint.secret_promoted", { type: "endpoint", id: after.id }),
          after: { secret: "promoted" },
        }

/** Settings that are not given are left out. A secret and an access key are compared by their sealed texts. */
const platformFields = ({
  accessKey,
  disconnectedAt,
  domain,
  former,
  secret,
  settings,
}: PlatformRecord): AuditFields => ({
  domain,
  ...(secret === null ? {} : { secret }),
  ...(former === null ? {} : { formerSecretUntil: format(former.until) }),
  ...(accessKey === null ? {} : { accessKey }),
  ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
  ...(disconnectedAt === null ? {} : { disconnectedAt: format(disconnectedAt) }),
})

const platformWith =
  (changed: AuditAction) =>
  (occasion: Occasion): Audited<PlatformRecord> =>
  (before, after) =>
    changeOf(
      occasion,
      { before, after },
      (record) => ({
        shop: record.shop,
        subject: { type: "platform", id: record.platform },
        fields: platformFields(record),
      }),
      { created: "platform.connected", changed, deleted: "platform.removed" },
    )

/** A connection to a platform is added, changed or removed (D87). */
export const platform = platformWith("platform.changed")

/** The platform ends its connection. */
export const disconnection = platformWith("platform.disconnected")

/** The platform sends again. */
export const reconnection = platformWith("platform.reconnected")

const aboutCustomizer = (record: Description) => ({
  shop: record.shop,
  subject: { type: "customizer" as const, id: String(record.id) },
  fields: customizerFields(record),
})

/** A customizer is created, or its description changes. */
export const customizer =
  (occasion: Occasion): Audited<Description> =>
  (before, after) =>
    changeOf(occasion, { before, after }, aboutCustomizer, {
      created: "customizer.created",
      changed: "customizer.changed",
      deleted: "customizer.changed",
    })

/** A version of a customizer's definition is published. */
export const publication =
  (occasion: Occasion): Audited<Pick<CustomizerRecord, "shop" | "id" | "version">> =>
  (before, after) =>
    after === null
      ? null
      : {
          ...done(occasion, after.shop, "customizer.published", { type: "customizer", id: String(after.id) }),
          before: { version: before?.version ?? null },
          after: { version: after.version },
        }

/** Deliveries of an endpoint's log are sent again, and how many were added. */
export const resending =
  (occasion: Occasion, { id, shop }: Pick<EndpointRecord, "shop" | "id">) =>
  (added: number): AuditEntry => ({
    ...done(occasion, shop, "endpoint.resent", { type: "endpoint", id }),
    after: { deliveries: added },
  })

/** Missed events are delivered to an endpoint: those since an instant, and how many they are. */
export const recovery =
  (occasion: Occasion, { id, shop }: Pick<EndpointRecord, "shop" | "id">, since: Instant) =>
  (added: number): AuditEntry => ({
    ...done(occasion, shop, "endpoint.recovered", { type: "endpoint", id }),
    after: { since: format(since), deliveries: added },
  })
