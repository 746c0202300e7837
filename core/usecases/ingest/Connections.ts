/** The connections of shops to platforms, as events are received and applied by them (D80, D87). */

import type { Redacted } from "effect"
import { Clock, Context, Effect } from "effect"
import type { Aead, Kdf } from "effect/crypto"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { goodSecrets, ownerOf, type PlatformRecord, settingsOver } from "../../model/ingest/PlatformConnection.ts"
import { platformDomain } from "../../model/ingest/PlatformDomain.ts"
import { defaultSettings, type PlatformSettings } from "../../model/ingest/PlatformSettings.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { Inbox } from "../../ports/Inbox.ts"
import type { KeyRing } from "../../ports/KeyRing.ts"
import { BoundedMap } from "../../support/BoundedMap.ts"
import { open } from "../../support/SealedSecret.ts"

/**
 * The settings of the service, for all that a connection does not say. Hosts give the settings of their configuration.
 */
export const ServiceSettings = Context.Reference<PlatformSettings>("designwire/ServiceSettings", {
  defaultValue: () => defaultSettings,
})

/** A shop's connection to a platform. */
export const findConnection = Effect.fnUntraced(function* (shop: string, source: IngestSource) {
  const records = yield* Inbox.use((inbox) => inbox.platforms({ shop }))
  return records.find(({ platform }) => platform === source)
})

/** The connection to a platform with the domain that a header names; none if that is no domain. */
export const findConnectionAt = Effect.fnUntraced(function* (source: IngestSource, named: string | undefined) {
  const domain = platformDomain(named ?? "")
  if (domain === undefined) return undefined
  const [found] = yield* Inbox.use((inbox) => inbox.platforms({ platform: source, domain }))
  return found
})

/** The settings of a connection, or the service's without one. */
export const settingsFor = (connection: PlatformRecord | undefined) =>
  Effect.map(ServiceSettings, (base) => (connection === undefined ? base : settingsOver(base, connection)))

/** The settings with which an event of a shop's platform is applied. */
export const settingsOf = (shop: string, source: IngestSource) =>
  Effect.flatMap(findConnection(shop, source), settingsFor)

/** How many secrets are remembered. */
const capacity = 10_000

/**
 * Makes the function that opens the secrets with which a connection's webhooks may be signed now. They are remembered.
 * One that no key opens is left out, with a line of the log.
 */
export const makeSecretsOf = Effect.map(Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>(), (services) => {
  const known = new BoundedMap<string, Redacted.Redacted<string>>(capacity)
  const opened = Effect.fnUntraced(function* (record: PlatformRecord, sealed: string) {
    const owner = ownerOf(record)
    const key = `${owner} ${sealed}`
    const found = known.get(key)
    if (found !== undefined) return [found]
    return yield* open(sealed, owner).pipe(
      Effect.map((secret) => {
        known.set(key, secret)
        return [secret]
      }),
      Effect.catch((error) =>
        Effect.logError(`Webhooks of the shop ${record.shop} can't be verified. ${error.message}`).pipe(
          logged("platform.secret_unopened", { shop: record.shop, source: record.platform }),
          Effect.as([]),
        ),
      ),
    )
  })
  return (record: PlatformRecord | undefined): Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>> =>
    record === undefined
      ? Effect.succeed([])
      : Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(
            Effect.forEach(goodSecrets(record, now), (sealed) => opened(record, sealed)),
            (secrets) => secrets.flat(),
          ),
        ).pipe(Effect.provideContext(services))
})
