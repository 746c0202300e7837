import { Clock, Effect, Option } from "effect"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { type SealedSecret, secretsOf } from "../../model/webhooks/SealedTexts.ts"
import { type EndpointPlace, EndpointStore } from "../../ports/EndpointStore.ts"
import { resealing } from "../../rules/webhooks/EndpointUpdates.ts"
import { signingSecret, validSecrets } from "../../rules/webhooks/SecretRotation.ts"
import { open, reseal, type UnopenedSecret } from "../../support/SealedSecret.ts"
import { endpointOf } from "../../support/ShopRecords.ts"

/** Secrets that no key opens. */
export interface Unopened {
  readonly count: number
  /** The endpoints that they belong to: the first few. */
  readonly first: ReadonlyArray<Pick<SealedSecret, "shop" | "endpointId">>
}

/** The state of all signing secrets. */
export interface Resealed {
  /** The number of secrets. */
  readonly total: number
  /** How many of them were resealed. */
  readonly resealed: number
  readonly unopened: Unopened
}

/** The most secrets that are named. */
const named = 10

/** The endpoints that are read in one call. */
const pageSize = 200

/** The secrets that are processed concurrently: each replacement waits for the store. */
const concurrency = 8

/** Runs a function on every sealed secret, which returns whether it resealed it. Counts secrets that no key opens. */
const forAll = Effect.fnUntraced(function* <E, R>(
  each: (secret: SealedSecret) => Effect.Effect<boolean, UnopenedSecret | E, R>,
) {
  const endpoints = yield* EndpointStore
  const first: Array<Unopened["first"][number]> = []
  let [total, resealed, unopened] = [0, 0, 0]
  let after: EndpointPlace | null = null
  for (;;) {
    const page: ReadonlyArray<EndpointRecord> = yield* endpoints.all(after, pageSize)
    const secrets = page.flatMap(secretsOf)
    yield* Effect.forEach(
      secrets,
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
    total += secrets.length
    after = page.at(-1) ?? null
    if (after === null) break
  }
  const result: Resealed = { total, resealed, unopened: { count: unopened, first } }
  return result
})

/**
 * Reseals the signing secrets of all endpoints that are not sealed with the newest key, so that older keys can go
 * (D20). It may run while hosts use the store, and again after an interruption. Secrets that no key opens stay as they
 * are. Fails with `StorageError`.
 */
export const resealSecrets = forAll(
  Effect.fnUntraced(function* (secret: SealedSecret) {
    const anew = yield* reseal(secret.sealed, secret.endpointId)
    if (Option.isNone(anew)) return false
    const update = resealing(secret.sealed, anew.value)
    return yield* EndpointStore.use((endpoints) => endpoints.update(secret.shop, secret.endpointId, update)).pipe(
      Effect.map(Option.isSome),
      // A host has sealed it just now.
      Effect.catchTag("SealedTextGone", () => Effect.succeed(false)),
    )
  }),
).pipe(Effect.withSpan("ResealSecrets.reseal"))

/**
 * Whether keys open the signing secrets that an endpoint's deliveries need: otherwise nothing can be sent to it. Fails
 * with `NotFound`.
 */
export const opensSecret = Effect.fn("ResealSecrets.opens")(function* (shopId: string, endpointId: string) {
  const { endpoint } = yield* endpointOf(shopId, endpointId)
  const now = yield* Clock.currentTimeMillis
  const needed = endpoint.standardWebhooks ? validSecrets(endpoint, now) : [signingSecret(endpoint, now)]
  return Option.isSome(yield* Effect.option(Effect.forEach(needed, (sealed) => open(sealed, endpoint.id))))
})

/** Checks that every signing secret opens, and changes nothing. Fails with `StorageError`. */
export const checkSecrets = forAll(({ endpointId, sealed }) => Effect.as(open(sealed, endpointId), false)).pipe(
  Effect.withSpan("ResealSecrets.check"),
)
