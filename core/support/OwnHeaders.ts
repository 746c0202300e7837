/** The headers of an endpoint's owner (D55), which are kept sealed as signing secrets are (D20). */
import { Effect, Redacted } from "effect"
import type { Aead, Kdf } from "effect/crypto"
import type { OwnHeaders, SealedHeaders } from "../model/deliveries/OwnHeaders.ts"
import type { KeyRing } from "../ports/KeyRing.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { open, seal, type UnopenedSecret } from "./SealedSecret.ts"

/** Seals headers for an endpoint; `null` if there are none. */
export const sealHeaders = Effect.fnUntraced(function* (headers: OwnHeaders | null, endpointId: string) {
  const names = Object.keys(headers ?? {})
  if (names.length === 0) return null
  return { names, sealed: yield* seal(Redacted.make(JSON.stringify(headers)), endpointId) }
})

/** How many endpoints' headers are remembered. */
const capacity = 10_000

/** Makes a function that opens the headers of an endpoint. They are remembered, as signing keys are. */
export const makeOwnHeaders = Effect.map(Effect.context<KeyRing | Aead.Aead | Kdf.Kdf>(), (services) => {
  const known = new BoundedMap<string, { readonly endpointId: string; readonly headers: OwnHeaders }>(capacity)
  return (endpointId: string, { sealed }: SealedHeaders): Effect.Effect<OwnHeaders, UnopenedSecret> => {
    const found = known.get(sealed)
    if (found?.endpointId === endpointId) return Effect.succeed(found.headers)
    return open(sealed, endpointId).pipe(
      Effect.map((secret) => JSON.parse(Redacted.value(secret)) as OwnHeaders),
      Effect.tap((headers) => Effect.sync(() => known.set(sealed, { endpointId, headers }))),
      Effect.provideContext(services),
    )
  }
})
