import { Effect, Exit, Redacted } from "effect"
import { type Aead, type Kdf, Mac } from "effect/crypto"
import { logged } from "../model/log/LogEvent.ts"
import type { Claim } from "../ports/DeliveryQueue.ts"
import type { KeyRing } from "../ports/KeyRing.ts"
import { keyBytes, standardKeyBytes } from "../rules/webhooks/Signature.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { open, type UnopenedSecret } from "./SealedSecret.ts"

/** Number of keys of each kind that are remembered. */
const maximumKeys = 10_000

type Endpoint = Pick<Claim, "shop" | "endpointId">

/** Returns the key that a sealed secret of an endpoint stands for. */
type KeyOf = (endpoint: Endpoint, sealed: string) => Effect.Effect<Mac.Key, UnopenedSecret>

/**
 * The key that an opened secret stands for: of `X-Service-Signature` (D20), or with `standardKeyBytes` of
 * `webhook-signature` (D41).
 */
export const keyFrom = (secret: Redacted.Redacted<string>, bytesOf: (secret: string) => Uint8Array = keyBytes) =>
  Effect.orDie(Effect.suspend(() => Mac.key(Mac.hmacSha256, bytesOf(Redacted.value(secret)))))

/**
 * Makes functions that return the key that signs an endpoint's deliveries, by its sealed secret. Keys are remembered:
 * opening a secret costs more than signing with it, and a secret that is replaced has another sealed text.
 *
 * The functions fail with `UnopenedSecret`, and log that once for each endpoint.
 */
export const makeSigningKeys = Effect.gen(function* () {
  const services = yield* Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>()
  const told = new Set<string>()

  const makeKeyOf = (bytesOf: (secret: string) => Uint8Array): KeyOf => {
    const keys = new BoundedMap<string, { readonly endpointId: string; readonly key: Exit.Exit<Mac.Key> }>(maximumKeys)
    return ({ endpointId, shop }, sealed) => {
      const known = keys.get(sealed)
      if (known?.endpointId === endpointId) return known.key
      return open(sealed, endpointId).pipe(
        Effect.flatMap((secret) => keyFrom(secret, bytesOf)),
        Effect.provideContext(services),
        Effect.tap((key) => Effect.sync(() => keys.set(sealed, { endpointId, key: Exit.succeed(key) }))),
        Effect.tapError(({ message }) => {
          const endpoint = `${shop}/${endpointId}`
          if (told.has(endpoint)) return Effect.void
          told.add(endpoint)
          return Effect.logError(
            `Deliveries to the endpoint ${endpointId} of the shop ${shop} can't be signed, and wait: ${message}`,
          ).pipe(logged("deliveries.unsigned", { shop, endpoint: endpointId }))
        }),
      )
    }
  }

  return { keyOf: makeKeyOf(keyBytes), standardKeyOf: makeKeyOf(standardKeyBytes) }
})
