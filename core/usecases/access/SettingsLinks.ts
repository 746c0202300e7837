import { Clock, Context, Data, Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import {
  longestLifetime,
  type SettingsLink,
  SettingsLinkInput,
  usualLifetime,
} from "../../model/access/SettingsLink.ts"
import { Conflict, InvalidInput } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import { format, parse } from "../../model/Instant.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { addressOf } from "../../model/webhooks/PublicAddress.ts"
import { SettingsSessions } from "../../ports/SettingsSessions.ts"
import { CurrentActor } from "../../support/Auditing.ts"
import { open, seal } from "../../support/SealedSecret.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { tolerance } from "../../support/StoreClock.ts"

/** The settings app that links lead to. Default: none. */
export const SettingsApp = Context.Reference<{
  /** Its address, which may have `{shop}`, or its path on the host that people know; `null`: there is none. */
  readonly url: string | null
  /** Links are good only for an app with the same purpose, e.g. the digest of a key. */
  readonly purpose: string
}>("designwire/SettingsApp", { defaultValue: () => ({ url: null, purpose: "embedded" }) })

/** The parameter with the secret of a link. Effect leaves the value of this name out of the spans of requests. */
export const tokenParameter = "sig"

const LinkContent = Schema.Struct({
  /** Random. A used link is remembered by it. */
  id: Schema.String,
  actor: Schema.String,
  next: Schema.String,
  readOnly: Schema.Boolean,
  expires: Schema.Number,
})

/** The content of a link. */
export type LinkContent = typeof LinkContent.Type

/** A link can't be opened: it is not one of ours for this store, or its time has ended, or it was used. */
export class UnusableLink extends Data.TaggedError("UnusableLink")<{
  readonly reason: "invalid" | "expired" | "used"
}> {}

const read = reader(SettingsLinkInput)

const belongsTo = (shop: string) =>
  Effect.map(SettingsApp, ({ purpose }) => `settings link ${JSON.stringify([purpose, shop])}`)

/** Base64 as URLs need no escapes for. */
const forUrl = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
const fromUrl = (text: string): string => {
  // A sealed text begins with two characters of its own.
  const padding = "=".repeat((4 - ((text.length - 2) % 4)) % 4)
  return text.replaceAll("-", "+").replaceAll("_", "/") + padding
}

const wrongExpiry = (message: string) =>
  new InvalidInput({ message: `The input is not valid: expires: ${message}`, problems: [{ path: "expires", message }] })

/**
 * Makes a link that opens the settings app once, for one store and one person (D58). Fails with `NotFound` for an
 * unknown shop, with `InvalidInput`, and with `Conflict` without a settings app.
 */
export const createSettingsLink = Effect.fn("SettingsLinks.create")(function* (
  shopId: string,
  input: SettingsLinkInput,
) {
  const shop = yield* shopOf(shopId)
  const given = yield* Effect.fromResult(read(input))
  const { url } = yield* SettingsApp
  if (url === null) {
    return yield* new Conflict({ message: "There is no settings app: give createDesignwire the option settings" })
  }
  const now = yield* Clock.currentTimeMillis
  const asked = given.expires === undefined ? now + usualLifetime : (parse(given.expires) ?? now)
  if (asked <= now) return yield* wrongExpiry("must be later than now")
  // A caller adds the hours to the time of its own machine.
  if (asked > now + longestLifetime + tolerance) return yield* wrongExpiry("must be at most 24 hours from now")
  const expires = Math.min(asked, now + longestLifetime)
  const random = yield* SecureRandom.SecureRandom
  const { actor, next = "", readOnly = false } = given
  const content: LinkContent = { id: Base64Url.encode(yield* random.randomBytes(18)), actor, next, readOnly, expires }
  const sealed = yield* seal(Redacted.make(JSON.stringify(content)), yield* belongsTo(shop.id))
  const maker = yield* CurrentActor
  const name = maker.type === "person" ? JSON.stringify(maker.name) : `the ${maker.name}`
  const kind = readOnly ? "a read-only link" : "a link"
  yield* Effect.log(`Settings of the shop ${shop.id}: ${name} made ${kind} for ${JSON.stringify(actor)}`).pipe(
    logged("settings.link_made", { shop: shop.id }),
  )
  const link: SettingsLink = {
    url: `${addressOf(url, shop.id)}/${shop.id}/link?${tokenParameter}=${forUrl(sealed)}`,
    expires: format(expires),
  }
  return link
})

const decode = Option.liftThrowable((text: string) => Schema.decodeUnknownSync(LinkContent)(JSON.parse(text)))

/** The content of a link for a store, by its token. Changes nothing. Fails with `UnusableLink`. */
export const readSettingsLink = Effect.fn("SettingsLinks.read")(function* (shop: string, token: string) {
  const opened = yield* Effect.option(open(fromUrl(token), yield* belongsTo(shop)))
  const content = Option.flatMap(opened, (text) => decode(Redacted.value(text)))
  if (Option.isNone(content)) return yield* new UnusableLink({ reason: "invalid" })
  const isExpired = content.value.expires <= (yield* Clock.currentTimeMillis)
  return isExpired ? yield* new UnusableLink({ reason: "expired" }) : content.value
})

/** Uses a link up. Fails with `UnusableLink` if it was used: of any calls at the same time, one succeeds. */
export const useSettingsLink = Effect.fn("SettingsLinks.use")(function* (shop: string, token: string) {
  const content = yield* readSettingsLink(shop, token)
  const sessions = yield* SettingsSessions
  const isFirst = yield* sessions.spend({ shop, id: `link ${content.id}`, until: content.expires })
  return isFirst ? content : yield* new UnusableLink({ reason: "used" })
})
