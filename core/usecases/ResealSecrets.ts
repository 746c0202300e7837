import { Clock, Effect, Option } from "effect"
import { type SealedSecret, SealedSecrets } from "../ports/SealedSecrets.ts"
import { signingSecret, validSecrets } from "../rules/SecretRotation.ts"
import { endpointOf } from "../support/EndpointOf.ts"
import { open, sealAnew, type UnopenedSecret } from "../support/SealedSecret.ts"

/** Secrets that no key opens. */
export interface Unopened {
  readonly count: number
  /** Whose they are: the first of them. */
  readonly first: ReadonlyArray<Pick<SealedSecret, "shop" | "endpointId">>
}

/** How the signing secrets stand. */
export interface Resealed {
  /** How many there are. */
  readonly total: number
  /** How many of them were sealed anew. */
  readonly resealed: number
  readonly unopened: Unopened
}

/** So many are named. */
const named = 10

/** So many are read at once. */
const pageSize = 200

/** So many are worked on at once: each replacement waits for the store. */
const concurrency = 8

/** Does something with every sealed secret, which answers whether it was sealed anew; counts what no key opens. */
const forAll = Effect.fnUntraced(function* <E, R>(
  each: (secret: SealedSecret) => Effect.Effect<boolean, UnopenedSecret | E, R>,
) {
  const secrets = yield* SealedSecrets
  const first: Array<Unopened["first"][number]> = []
  let [total, resealed, unopened] = [0, 0, 0]
  let page: ReadonlyArray<SealedSecret> = []
  do {
    page = yield* secrets.list(page.at(-1) ?? null, pageSize)
    yield* Effect.forEach(
      page,
      (secret) =>
        each(secret).pipe(
          Effect.tap((anew) => Effect.sync(() => anew && resealed++)),
          Effect.catchTag("UnopenedSecret", () =>
            Effect.sync(() => {
              unopened++
              if (first.length < named) first.push({ shop: secret.shop, endpointId: secret.endpointId })
            }),
          ),
        ),
      { concurrency, discard: true },
    )
    total += page.length
  } while (page.length > 0)
  const result: Resealed = { total, resealed, unopened: { count: unopened, first } }
  return result
})

/**
 * Seals the signing secrets of all endpoints with the newest key that are not sealed with it, so that the older keys can go (D20). May be run while hosts work on the store,
 * and again after it was interrupted. A secret that no key opens is left as it is. Fails with `StorageError`.
 */
export const resealSecrets = forAll(
  Effect.fnUntraced(function* (secret: SealedSecret) {
    const anew = yield* sealAnew(secret.sealed, secret.endpointId)
    // One that was replaced meanwhile was sealed by a host just now.
    return Option.isSome(anew) && (yield* SealedSecrets.use((secrets) => secrets.replace(secret, anew.value)))
  }),
).pipe(Effect.withSpan("ResealSecrets.reseal"))

/** Whether keys open the signing secrets that deliveries to an endpoint need now: otherwise nothing can be sent to it. Fails with `NotFound`. */
export const opensSecret = Effect.fn("ResealSecrets.opens")(function* (shopId: string, endpointId: string) {
  const { endpoint } = yield* endpointOf(shopId, endpointId)
  const now = yield* Clock.currentTimeMillis
  const needed = endpoint.standardWebhooks ? validSecrets(endpoint, now) : [signingSecret(endpoint, now)]
  return Option.isSome(yield* Effect.option(Effect.forEach(needed, (sealed) => open(sealed, endpoint.id))))
})

/** Tries whether every signing secret opens, and changes nothing. Fails with `StorageError`. */
export const checkSecrets = forAll(({ endpointId, sealed }) => Effect.as(open(sealed, endpointId), false)).pipe(
  Effect.withSpan("ResealSecrets.check"),
)
