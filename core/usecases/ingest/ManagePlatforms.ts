/** Connections of shops to platforms (D87): made, read and removed by the operator or the owner of a shop. */
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { Conflict, NotFound, Refused } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import type { Instant } from "../../model/Instant.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import {
  defaultOverlap,
  type GivenSettings,
  neverAsked,
  nothingGiven,
  ownerOf,
  PlatformInput,
  type PlatformRecord,
  platforms,
  settingsOfOne,
  viewPlatform,
} from "../../model/ingest/PlatformConnection.ts"
import { platformDomain } from "../../model/ingest/PlatformDomain.ts"
import { quoteId } from "../../model/json/Json.ts"
import { Inbox } from "../../ports/Inbox.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { auditing } from "../../support/Auditing.ts"
import { open, seal } from "../../support/SealedSecret.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { findConnection } from "./Connections.ts"

const readInput = reader(PlatformInput)

/** A platform by its name, which may be any text. Fails with `NotFound`. */
const named = (text: string): Effect.Effect<IngestSource, NotFound> => {
  const found = platforms.find((name) => name === text)
  const message = `There is no platform ${quoteId(text)}, only ${platforms.join(" and ")}`
  return found === undefined ? Effect.fail(new NotFound({ message })) : Effect.succeed(found)
}

const noConnection = (platform: IngestSource) => new NotFound({ message: `The shop has no connection to ${platform}` })

/** Lists a shop's connections to platforms, by the platform's name. Fails with `NotFound` for an unknown shop. */
export const listPlatforms = Effect.fn("ManagePlatforms.list")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  const now = yield* Clock.currentTimeMillis
  const records = yield* Inbox.use((inbox) => inbox.platforms({ shop: shop.id }))
  return records.map((record) => viewPlatform(record, now))
})

/** Reads a shop's connection to a platform. Fails with `NotFound`. */
export const readPlatform = Effect.fn("ManagePlatforms.read")(function* (shopId: string, name: IngestSource) {
  const shop = yield* shopOf(shopId)
  const platform = yield* named(name)
  const record = yield* findConnection(shop.id, platform)
  if (record === undefined) return yield* noConnection(platform)
  return viewPlatform(record, yield* Clock.currentTimeMillis)
})

/**
 * Connects a shop to a platform, or replaces the settings of its connection. A secret and an access key that are left
 * out stay as they are; a secret that is replaced is good for `overlap` seconds more. Fails with `NotFound` for an
 * unknown shop, `InvalidInput`, `Refused` for a setting that the platform does not have or an access key in another
 * form, and `Conflict` if another shop has the domain.
 */
export const putPlatform = Effect.fn("ManagePlatforms.put")(function* (
  shopId: string,
  name: IngestSource,
  given: PlatformInput,
) {
  const shop = yield* shopOf(shopId)
  const platform = yield* named(name)
  const input = yield* Effect.fromResult(readInput(given))
  yield* refuseOthers(platform, input)
  const owner = ownerOf({ shop: shop.id, platform })
  const seen = yield* findConnection(shop.id, platform)
  const secret = yield* sealedNow(input.secret, seen?.secret ?? null, owner)
  const accessKey = yield* sealedNow(input.accessKey, seen?.accessKey ?? null, owner)
  const now = Math.trunc(yield* Clock.currentTimeMillis)
  const change = (before: PlatformRecord | null): Result.Result<PlatformRecord> =>
    Result.succeed({
      ...{ shop: shop.id, platform, domain: platformDomain(input.domain) ?? input.domain },
      ...secretsAfter(before, secret, { now, overlap: input.overlap ?? defaultOverlap }),
      accessKey: accessKey === undefined ? (before?.accessKey ?? null) : accessKey,
      settings: settingsIn(input),
      createdAt: before?.createdAt ?? now,
      changedAt: now,
      // Somebody has connected it again.
      ...{ disconnectedAt: null, dueAt: null },
      reconciling: askedBefore(before, input),
    })
  const stored = yield* auditing(AuditRules.platform, (audited) =>
    Inbox.use((inbox) => inbox.updatePlatform(shop.id, platform, change, audited)),
  ).pipe(
    Effect.catchTag("DomainTaken", () => {
      const message = `The connection of another shop to ${platform} has the domain ${JSON.stringify(input.domain)}`
      return Effect.fail(new Conflict({ message }))
    }),
  )
  return viewPlatform(Option.getOrThrow(stored), now)
})

/** The facts about the platform's API: none of another site's, and without trouble, since it is asked again now. */
const askedBefore = (before: PlatformRecord | null, { domain }: PlatformInput) =>
  before === null || before.domain !== platformDomain(domain)
    ? neverAsked
    : { ...before.reconciling, trouble: null, missing: [] }

/** Removes a shop's connection to a platform. What came from it stays. Fails with `NotFound`. */
export const deletePlatform = Effect.fn("ManagePlatforms.delete")(function* (shopId: string, name: IngestSource) {
  const shop = yield* shopOf(shopId)
  const platform = yield* named(name)
  const removing = (before: PlatformRecord | null) =>
    before === null ? Result.fail(noConnection(platform)) : Result.succeed(null)
  yield* auditing(AuditRules.platform, (audited) =>
    Inbox.use((inbox) => inbox.updatePlatform(shop.id, platform, removing, audited)),
  ).pipe(Effect.catchTag("DomainTaken", Effect.die))
})

/** Fails with `Refused` if a field has something that the platform does not have. */
const refuseOthers = (platform: IngestSource, input: PlatformInput) => {
  const problems = Object.entries(settingsOfOne).flatMap(([path, only]) =>
    only === platform || (input[path as keyof PlatformInput] ?? null) === null
      ? []
      : [{ path, message: `only ${only} has it` }],
  )
  if (platform === "woocommerce" && (input.accessKey ?? ":").split(":").length !== 2) {
    problems.push({ path: "accessKey", message: "must be the key and the secret of WooCommerce's REST API: ck_…:cs_…" })
  }
  const [first] = problems
  if (first === undefined) return Effect.void
  const refused = new Refused({ message: `The input is refused: ${first.path}: ${first.message}`, problems })
  return Effect.fail(Object.assign(refused, { reason: { path: "accessKey", code: "keyAndSecret" } as const }))
}

/** The sealed text of a given secret: the kept one if it has the same secret, `undefined` if none is given. */
const sealedNow = Effect.fnUntraced(function* (given: string | null | undefined, kept: string | null, owner: string) {
  if (given === undefined || given === null) return given
  const same = kept === null ? Option.none() : yield* Effect.option(open(kept, owner))
  if (kept !== null && Option.isSome(same) && Redacted.value(same.value) === given) return kept
  return yield* seal(Redacted.make(given), owner)
})

/** The secrets of a connection after a change. */
const secretsAfter = (
  before: PlatformRecord | null,
  secret: string | null | undefined,
  { now, overlap }: { readonly now: Instant; readonly overlap: number },
): Pick<PlatformRecord, "secret" | "former"> => {
  const [kept, former] = [before?.secret ?? null, before?.former ?? null]
  const stillGood = former !== null && former.until > now ? former : null
  if (secret === undefined || secret === kept) return { secret: kept, former: stillGood }
  if (secret === null) return { secret, former: null }
  return { secret, former: kept === null || overlap === 0 ? null : { secret: kept, until: now + overlap * 1000 } }
}

const namesOf = (names: ReadonlyArray<string> | null | undefined) =>
  names === undefined || names === null ? null : [...new Set(names.map((name) => name.trim().toLowerCase()))]

/** The settings that an input has. States and gateways are compared in lower case. */
const settingsIn = ({ done, payLater, placed, property, reorderCopies, tests }: PlatformInput): GivenSettings => ({
  ...nothingGiven,
  ...{ property: property ?? null, tests: tests ?? null, reorderCopies: reorderCopies ?? null },
  ...{ placed: namesOf(placed), payLater: namesOf(payLater), done: namesOf(done) },
})
