/** The webhooks that a shop needs, registered at its platform with the access key (D88). */
import { Effect, Redacted, Result } from "effect"
import { NotFound, refusedAt } from "../../model/Errors.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { ownerOf, type PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { type ExistingWebhook, neededTopics, webhooksNow } from "../../rules/ingest/ApiAnswer.ts"
import { open } from "../../support/SealedSecret.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { makeAsk } from "./AskPlatform.ts"
import { findConnection } from "./Connections.ts"
import { pagesOf } from "./PlatformPages.ts"

/** What to register. */
export interface Registration {
  readonly shop: string
  readonly platform: IngestSource
  /** The address of the webhooks: `https://…/ingest/shopify/acme`. */
  readonly address: string
  /** The service's secret, for a connection without one of its own. Shopify signs with the app's. */
  readonly secret: Redacted.Redacted<string> | undefined
}

/** A webhook that a shop needs, and what was done about it. */
export interface Registered {
  readonly topic: string
  readonly did: "registered" | "turned on" | "kept" | "kept, with its secret set"
}

const refused = (message: string) => refusedAt("", message)

/** The secret that the webhooks are signed with. */
const secretOf = (record: PlatformRecord, { secret }: Registration) => {
  if (record.secret !== null) return open(record.secret, ownerOf(record))
  // Shopify signs with the secret of the app, and takes none.
  if (record.platform === "shopify") return Effect.succeed(Redacted.make(""))
  return secret === undefined
    ? Effect.fail(refused("The connection has no secret to sign webhooks with, nor has the service: set one of them"))
    : Effect.succeed(secret)
}

/** What is done about an active webhook: WooCommerce does not show its secret, and Shopify's is the app's. */
const keeping = { shopify: "kept", woocommerce: "kept, with its secret set" } as const

/**
 * Registers the webhooks that a shop needs and that its platform does not have at the address, and turns on those that
 * are switched off. What exists stays, at WooCommerce with this secret. Fails with `NotFound`, `Refused`,
 * `UnopenedSecret`, and `NotAnswered`: what was registered until then stays, and a further call continues.
 */
export const registerWebhooks = Effect.fn("RegisterWebhooks.register")(function* (given: Registration) {
  const { address, platform } = given
  const shop = yield* shopOf(given.shop)
  const record = yield* findConnection(shop.id, platform)
  if (record === undefined || record.accessKey === null) {
    const message = `The shop has no connection to ${platform} with an access key`
    return yield* new NotFound({ message })
  }
  const secret = Redacted.value(yield* secretOf(record, given))
  const pages = pagesOf[platform](yield* makeAsk(record))
  const existing = yield* pages.webhooks
  const done: Array<Registered> = []
  for (const topic of neededTopics[platform]) {
    const found = existing.filter((each) => each.topic === topic && each.address === address)
    const active = found.filter(({ isActive }) => isActive)
    const kept = active.length === 0 ? undefined : keeping[platform]
    for (const each of kept === "kept" ? [] : kept ? active : [found[0]])
      yield* pages.register({ topic, address, secret }, each)
    done.push({ topic, did: kept ?? (found.length === 0 ? "registered" : "turned on") })
  }
  yield* keep(record, yield* pages.webhooks)
  return done
})

/** Keeps which webhooks exist, so that one that goes later is missed. */
const keep = ({ platform, shop }: PlatformRecord, existing: ReadonlyArray<ExistingWebhook>) =>
  Inbox.use((inbox) =>
    inbox.updatePlatform(shop, platform, (record) =>
      Result.succeed(record && { ...record, reconciling: { ...record.reconciling, ...webhooksNow(record, existing) } }),
    ),
  ).pipe(Effect.catchTag("DomainTaken", Effect.die))
