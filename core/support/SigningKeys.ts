import { Cache, Duration, Effect, Redacted } from "effect"
import { type Aead, type Kdf, Mac } from "effect/crypto"
import type { Claim } from "../ports/DeliveryQueue.ts"
import type { KeyRing } from "../ports/KeyRing.ts"
import { keyBytes } from "../rules/Signature.ts"
import { open } from "./SealedSecret.ts"

/**
 * Makes what answers the key to sign a claim's delivery with. Keys are remembered by endpoint and sealed secret: opening one costs more than signing with it, and
 * a secret that is replaced has another sealed text.
 *
 * Fails with `UnopenedSecret`, and says so in the log once for each endpoint.
 */
export const makeSigningKeys = Effect.gen(function* () {
  const services = yield* Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>()
  const cache = yield* Cache.makeWith(
    (key: string) => {
      const [endpointId, secret] = JSON.parse(key) as [string, string]
      return Effect.flatMap(Effect.provideContext(open(secret, endpointId), services), (opened) =>
        Effect.orDie(Mac.key(Mac.hmacSha256, keyBytes(Redacted.value(opened)))),
      )
    },
    { capacity: 10_000, timeToLive: (exit) => (exit._tag === "Success" ? Duration.minutes(10) : Duration.zero) },
  )
  const told = new Set<string>()

  return ({ endpointId, secret, shop }: Pick<Claim, "shop" | "endpointId" | "secret">) =>
    Cache.get(cache, JSON.stringify([endpointId, secret])).pipe(
      Effect.tapError(({ message }) => {
        const endpoint = `${shop}/${endpointId}`
        if (told.has(endpoint)) return Effect.void
        told.add(endpoint)
        return Effect.logError(
          `Deliveries to the endpoint ${endpointId} of the shop ${shop} can't be signed, and wait: ${message}`,
        )
      }),
    )
})
