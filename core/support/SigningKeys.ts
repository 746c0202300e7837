import { Effect, Exit, Redacted } from "effect"
import { type Aead, type Kdf, Mac } from "effect/crypto"
import type { Claim } from "../ports/DeliveryQueue.ts"
import type { KeyRing } from "../ports/KeyRing.ts"
import { keyBytes } from "../rules/Signature.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { open, type UnopenedSecret } from "./SealedSecret.ts"

/** Keys that are remembered. */
const maximumKeys = 10_000

/**
 * Makes what answers the key to sign a delivery to an endpoint with, by its sealed secret. Keys are remembered: opening one costs more than signing with it, and
 * a secret that is replaced has another sealed text.
 *
 * Fails with `UnopenedSecret`, and says so in the log once for each endpoint.
 */
export const makeSigningKeys = Effect.gen(function* () {
  const services = yield* Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>()
  const keys = new BoundedMap<string, { readonly endpointId: string; readonly key: Exit.Exit<Mac.Key> }>(maximumKeys)
  const told = new Set<string>()

  const openKey = Effect.fnUntraced(function* (sealed: string, endpointId: string) {
    const opened = yield* open(sealed, endpointId)
    return yield* Effect.orDie(Mac.key(Mac.hmacSha256, keyBytes(Redacted.value(opened))))
  }, Effect.provideContext(services))

  return (
    { endpointId, shop }: Pick<Claim, "shop" | "endpointId">,
    sealed: string,
  ): Effect.Effect<Mac.Key, UnopenedSecret> => {
    const known = keys.get(sealed)
    if (known?.endpointId === endpointId) return known.key
    return openKey(sealed, endpointId).pipe(
      Effect.tap((key) => Effect.sync(() => keys.set(sealed, { endpointId, key: Exit.succeed(key) }))),
      Effect.tapError(({ message }) => {
        const endpoint = `${shop}/${endpointId}`
        if (told.has(endpoint)) return Effect.void
        told.add(endpoint)
        return Effect.logError(
          `Deliveries to the endpoint ${endpointId} of the shop ${shop} can't be signed, and wait: ${message}`,
        )
      }),
    )
  }
})
