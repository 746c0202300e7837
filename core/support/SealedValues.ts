/** Values of an endpoint that are kept sealed, as signing secrets are (D20, D55): its headers and its certificate. */
import { Effect, Redacted } from "effect"
import type { Aead, Kdf } from "effect/crypto"
import type { KeyRing } from "../ports/KeyRing.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { open, seal, type UnopenedSecret } from "./SealedSecret.ts"

/** Seals a value of JSON for an endpoint. */
export const sealValue = (value: unknown, endpointId: string) => seal(Redacted.make(JSON.stringify(value)), endpointId)

/** How many endpoints' values are remembered. */
const capacity = 10_000

/** Makes a function that opens the sealed values of endpoints. They are remembered, as signing keys are. */
export const makeOpenValue = <A>() =>
  Effect.map(Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>(), (services) => {
    const known = new BoundedMap<string, { readonly endpointId: string; readonly value: A }>(capacity)
    return (endpointId: string, sealed: string): Effect.Effect<A, UnopenedSecret> => {
      const found = known.get(sealed)
      if (found?.endpointId === endpointId) return Effect.succeed(found.value)
      return open(sealed, endpointId).pipe(
        Effect.map((secret) => JSON.parse(Redacted.value(secret)) as A),
        Effect.tap((value) => Effect.sync(() => known.set(sealed, { endpointId, value }))),
        Effect.provideContext(services),
      )
    }
  })
