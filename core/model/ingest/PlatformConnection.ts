/** A shop's connection to a platform (D87). */
import { Schema } from "effect"
import { format, type Instant, Timestamp } from "../Instant.ts"
import { named, noted } from "../Means.ts"
import { storable } from "../Text.ts"
import type { IngestSource } from "./InboxItem.ts"
import { platformDomain } from "./PlatformDomain.ts"
import type { PlatformSettings } from "./PlatformSettings.ts"

/** The platforms that a shop may be connected to. */
export const platforms: ReadonlyArray<IngestSource> = ["shopify", "woocommerce"]

/** The choices of a connection; `null` for what the service's configuration says. */
export interface GivenSettings {
  /** The name of the line items' property that has the design's id. */
  readonly property: string | null
  /** States with which an order is placed: of payment at Shopify, of the order at WooCommerce. */
  readonly placed: ReadonlyArray<string> | null
  /** Names of Shopify's payment gateways that need no payment before production, in lower case. */
  readonly payLater: ReadonlyArray<string> | null
  /** Whether Shopify's test orders are placed. */
  readonly tests: boolean | null
  /** States of WooCommerce of an order that was made and shipped. */
  readonly done: ReadonlyArray<string> | null
  /** Whether a reorder gets copies of its designs (D84). */
  readonly reorderCopies: boolean | null
}

export const nothingGiven: GivenSettings = {
  ...{ property: null, placed: null, payLater: null, tests: null, done: null, reorderCopies: null },
}

/** How a platform's API is asked for what has changed (D88), as it is kept. */
export interface Reconciling {
  /** When the last whole look at the platform began; `null` before the first. */
  readonly askedAt: Instant | null
  /** The look under way, or one that was interrupted: when it began, and the time from which it continues. */
  readonly run: { readonly startedAt: Instant; readonly from: Instant } | null
  /** Why the platform does not answer, and since when; `null` while it does. */
  readonly trouble: { readonly kind: "key" | "outage"; readonly reason: string; readonly since: Instant } | null
  /** Topics of webhooks that were seen at the platform. */
  readonly webhooks: ReadonlyArray<string>
  /** Those of them that are gone or switched off. */
  readonly missing: ReadonlyArray<string>
  /** The order after which the look for orders that are gone continues; `null` at the beginning. */
  readonly checked: string | null
}

export const neverAsked: Reconciling = {
  ...{ askedAt: null, run: null, trouble: null, webhooks: [], missing: [], checked: null },
}

/** A connection as it is kept. Secrets are sealed for {@link ownerOf} (D20). */
export interface PlatformRecord {
  readonly shop: string
  readonly platform: IngestSource
  /** As `platformDomain` gives it. No other shop's connection to the platform has it. */
  readonly domain: string
  /** The sealed secret that signs its webhooks; `null` without one of its own. */
  readonly secret: string | null
  /** The sealed secret before this one, and until when it is good as well; `null` if there is none. */
  readonly former: { readonly secret: string; readonly until: Instant } | null
  /** The sealed key of the platform's API; `null` without one. */
  readonly accessKey: string | null
  readonly settings: GivenSettings
  readonly createdAt: Instant
  /** When a person changed it last. */
  readonly changedAt: Instant
  /** Since when the platform sends nothing more, as it has said; `null` while it sends. */
  readonly disconnectedAt: Instant | null
  /** When the platform's API is asked next; `null` for now. A worker that asks it moves this on meanwhile. */
  readonly dueAt: Instant | null
  readonly reconciling: Reconciling
}

/** Whether somebody has to do something about a connection: its key is lost, or webhooks are. */
export const isInTrouble = ({ reconciling: { missing, trouble } }: PlatformRecord): boolean =>
  missing.length > 0 || trouble?.kind === "key"

/** The owner that the secrets of a connection are sealed for. */
export const ownerOf = ({ platform, shop }: Pick<PlatformRecord, "shop" | "platform">): string => `${shop}/${platform}`

/** The sealed texts of a connection. */
export const sealedTextsOf = ({ accessKey, former, secret }: PlatformRecord): ReadonlyArray<string> =>
  [secret, former?.secret ?? null, accessKey].filter((text) => text !== null)

/** The connection with another text in the place of a sealed one; `undefined` if it does not have that one. */
export const withResealed = (record: PlatformRecord, sealed: string, anew: string): PlatformRecord | undefined => {
  if (record.secret === sealed) return { ...record, secret: anew }
  if (record.former?.secret === sealed) return { ...record, former: { ...record.former, secret: anew } }
  return record.accessKey === sealed ? { ...record, accessKey: anew } : undefined
}

/** The sealed secrets with which webhooks may be signed at an instant. */
export const goodSecrets = ({ former, secret }: PlatformRecord, now: Instant): ReadonlyArray<string> => [
  ...(secret === null ? [] : [secret]),
  ...(former === null || former.until <= now ? [] : [former.secret]),
]

/** The settings of a connection, over the service's. */
export const settingsOver = (
  { copies, doneStates, laterGateways, paidStates, placedStates, takesTests }: PlatformSettings,
  { platform, settings }: Pick<PlatformRecord, "platform" | "settings">,
): PlatformSettings => ({
  paidStates: (platform === "shopify" ? settings.placed : null) ?? paidStates,
  laterGateways: settings.payLater ?? laterGateways,
  takesTests: settings.tests ?? takesTests,
  placedStates: (platform === "woocommerce" ? settings.placed : null) ?? placedStates,
  doneStates: settings.done ?? doneStates,
  copies: settings.reorderCopies ?? copies,
})

/** The settings that only one platform has. */
export const settingsOfOne: Readonly<Partial<Record<keyof GivenSettings, IngestSource>>> = {
  payLater: "shopify",
  tests: "shopify",
  done: "woocommerce",
}

/** The most names in a list of states. */
const mostStates = 50

const States = Schema.Array(
  Schema.String.check(
    Schema.isPattern(/^\s*[^\p{Cc}\p{Cs}]{1,255}\s*$/u, { expected: "a name of 1 to 255 characters" }),
  ),
).check(Schema.isMaxLength(mostStates, { expected: `at most ${mostStates} names` }))

/** The longest overlap of two secrets in seconds: 7 days, as of endpoints (D40). */
const maximumOverlap = 604_800

const seconds = { expected: `whole seconds, 0 to ${maximumOverlap} (7 days)` }

/** How long a former secret is good by default, in seconds: a day. */
export const defaultOverlap = 86_400

const orService = <S extends Schema.Top>(documentation: string, schema: S) =>
  noted(`${documentation} Default: \`null\`, as the service is configured.`, Schema.optionalKey(Schema.NullOr(schema)))

const Domain = Schema.String.check(
  Schema.makeFilter((text: string) => platformDomain(text) !== undefined || "a host name, e.g. acme.myshopify.com", {
    toJsonSchema: () => ({ maxLength: 255 }),
  }),
)

/** What a message about the input must not have in it. */
const unrepeated = { unrepeated: true }

/** The input of connecting a shop to a platform. A secret that is left out stays as it is. */
export const PlatformInput = Schema.Struct({
  domain: noted(
    "Shopify: the domain that the shop was created with, `….myshopify.com`. WooCommerce: the address of the site, with " +
      "its path if it has one. No other shop may have it.",
    Domain,
  ),
  secret: noted(
    "The secret that signs the webhooks, 16 to 255 characters. It is never shown again. Left out: the one it has, or " +
      "else the service's. `null`: only the service's.",
    Schema.optionalKey(Schema.NullOr(storable(16, 255).annotate(unrepeated))),
  ),
  overlap: noted(
    "If `secret` replaces another one: the whole seconds for which the former one is good as well, 0 to 604800 (7 " +
      "days). Default: 86400, a day.",
    Schema.optionalKey(
      Schema.Number.check(Schema.isInt(seconds), Schema.isBetween({ minimum: 0, maximum: maximumOverlap }, seconds)),
    ),
  ),
  accessKey: noted(
    "The key of the platform's API: Shopify's access token, or `key:secret` of WooCommerce's REST API. It is never " +
      "shown again. Left out: the one it has. `null`: none.",
    Schema.optionalKey(
      Schema.NullOr(
        Schema.String.check(
          Schema.isPattern(/^[\x21-\x7e]{16,512}$/, { expected: "16 to 512 visible ASCII characters without spaces" }),
        ).annotate(unrepeated),
      ),
    ),
  ),
  property: orService("The name of the line items' property that has the design's id.", storable(1, 255)),
  placed: orService(
    "States with which an order is placed: Shopify's states of payment, WooCommerce's states of orders.",
    States,
  ),
  payLater: orService("Shopify: payment gateways that need no payment before production.", States),
  tests: orService("Shopify: whether test orders are placed.", Schema.Boolean),
  done: orService("WooCommerce: states of orders that were made.", States),
  reorderCopies: orService("Whether a reorder gets copies of its designs.", Schema.Boolean),
}).annotate({ typeName: "PlatformInput", documentation: "The input of connecting a shop to a platform." })
export type PlatformInput = typeof PlatformInput.Type

const StatesView = Schema.NullOr(Schema.Array(Schema.String))

/** A connection as its readers see it: without its secrets. */
export const PlatformView = Schema.Struct({
  platform: named(
    "PlatformName",
    "A platform that a shop may be connected to.",
    Schema.Literals(["shopify", "woocommerce"]) satisfies Schema.Schema<IngestSource>,
  ),
  domain: Schema.String,
  hasSecret: noted("Whether it has a secret of its own.", Schema.Boolean),
  formerSecretUntil: noted(
    "Until when its former secret is good as well; `null` without one.",
    Schema.NullOr(Timestamp),
  ),
  hasAccessKey: noted("Whether it has a key of the platform's API.", Schema.Boolean),
  property: noted("`null`, here and below: as the service is configured.", Schema.NullOr(Schema.String)),
  placed: StatesView,
  payLater: StatesView,
  tests: Schema.NullOr(Schema.Boolean),
  done: StatesView,
  reorderCopies: Schema.NullOr(Schema.Boolean),
  createdAt: Timestamp,
  changedAt: Timestamp,
  disconnectedAt: noted(
    "Since when the platform sends nothing more, e.g. because the app was uninstalled; `null` while it sends.",
    Schema.NullOr(Timestamp),
  ),
  askedAt: noted(
    "When the platform's API was last asked for orders that were changed; `null` before the first time.",
    Schema.NullOr(Timestamp),
  ),
  trouble: noted("Why the platform's API does not answer; `null` while it does.", Schema.NullOr(Schema.String)),
  missingWebhooks: noted(
    "Topics of webhooks that the platform had, and that are gone or switched off.",
    Schema.Array(Schema.String),
  ),
}).annotate({ identifier: "Platform", documentation: "A shop's connection to a platform, without its secrets." })
export type PlatformView = typeof PlatformView.Type

/** A connection as its readers see it at an instant. */
export const viewPlatform = (record: PlatformRecord, now: Instant): PlatformView => {
  const { accessKey, changedAt, createdAt, disconnectedAt, domain, former, platform, secret, settings } = record
  const { askedAt, missing, trouble } = record.reconciling
  return {
    ...{ platform, domain, hasSecret: secret !== null, hasAccessKey: accessKey !== null, ...settings },
    formerSecretUntil: former === null || former.until <= now ? null : format(former.until),
    createdAt: format(createdAt),
    changedAt: format(changedAt),
    disconnectedAt: disconnectedAt === null ? null : format(disconnectedAt),
    askedAt: askedAt === null ? null : format(askedAt),
    ...{ trouble: trouble?.reason ?? null, missingWebhooks: missing },
  }
}
