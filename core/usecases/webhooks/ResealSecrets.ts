import { Clock, Effect, Option, Result, Stream } from "effect"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { ownerOf, type PlatformRecord, sealedTextsOf, withResealed } from "../../model/ingest/PlatformConnection.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { type SealedSecret, secretsOf } from "../../model/webhooks/SealedTexts.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { Inbox } from "../../ports/Inbox.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import { resealing, SealedTextGone } from "../../rules/webhooks/EndpointUpdates.ts"
import { signingSecret, validSecrets } from "../../rules/webhooks/SecretRotation.ts"
import { open, reseal, type UnopenedSecret } from "../../support/SealedSecret.ts"
import { endpointOf } from "../../support/ShopRecords.ts"

/** A holder of secrets: an endpoint, or a shop's connection to a platform. */
type Holder =
  | { readonly shop: string; readonly endpointId: string }
  | { readonly shop: string; readonly platform: IngestSource }

/** A sealed text, its owner, and its replacement in the store: `false` if a host has replaced it just now. */
interface Kept {
  readonly holder: Holder
  readonly sealed: string
  readonly owner: string
  readonly replace: (anew: string) => Effect.Effect<boolean, StorageError, EndpointStore | Inbox>
}

/** Secrets that no key opens. */
export interface Unopened {
  readonly count: number
  /** Their holders: the first few. */
  readonly first: ReadonlyArray<Holder>
}

/** The state of all secrets. */
export interface Resealed {
  /** The number of secrets. */
  readonly total: number
  /** How many of them were resealed. */
  readonly resealed: number
  readonly unopened: Unopened
}

/** The most secrets that are named. */
const named = 10

/** The endpoints, or connections, that are read in one call. */
const pageSize = 200

/** The secrets that are processed concurrently: each replacement waits for the store. */
const concurrency = 8

const keptOfEndpoint = ({ endpointId, sealed, shop }: SealedSecret): Kept => ({
  holder: { shop, endpointId },
  ...{ sealed, owner: endpointId },
  replace: (anew) =>
    EndpointStore.use((endpoints) => endpoints.update(shop, endpointId, resealing(sealed, anew))).pipe(
      Effect.map(Option.isSome),
      // A host has sealed it just now.
      Effect.catchTag("SealedTextGone", () => Effect.succeed(false)),
    ),
})

const keptOfPlatform = (record: PlatformRecord): ReadonlyArray<Kept> =>
  sealedTextsOf(record).map((sealed) => {
    const { platform, shop } = record
    const resealingIt = (anew: string) => (stored: PlatformRecord | null) =>
      Result.fromNullishOr(stored && withResealed(stored, sealed, anew), () => new SealedTextGone())
    return {
      holder: { shop, platform },
      ...{ sealed, owner: ownerOf(record) },
      replace: (anew) =>
        Inbox.use((inbox) => inbox.updatePlatform(shop, platform, resealingIt(anew))).pipe(
          Effect.map(Option.isSome),
          Effect.catchTag("SealedTextGone", () => Effect.succeed(false)),
          Effect.catchTag("DomainTaken", Effect.die),
        ),
    }
  })

/** All of a list that is read in pages. */
const paged = <A, R>(
  read: (after: A | null) => Effect.Effect<ReadonlyArray<A>, StorageError, R>,
): Stream.Stream<ReadonlyArray<A>, StorageError, R> =>
  Stream.paginate(null as A | null, (after) =>
    Effect.map(read(after), (page) => [[page], Option.fromUndefinedOr(page.at(-1))] as const),
  )

const everySecret: Stream.Stream<ReadonlyArray<Kept>, StorageError, EndpointStore | Inbox> = Stream.concat(
  paged((after: EndpointRecord | null) => EndpointStore.use((endpoints) => endpoints.all(after, pageSize))).pipe(
    Stream.map((page) => page.flatMap(secretsOf).map(keptOfEndpoint)),
  ),
  paged((after: PlatformRecord | null) => Inbox.use((inbox) => inbox.platforms({ after, limit: pageSize }))).pipe(
    Stream.map((page) => page.flatMap(keptOfPlatform)),
  ),
)

/** Runs a function on every sealed secret, which returns whether it resealed it. Counts secrets that no key opens. */
const forAll = Effect.fnUntraced(function* <E, R>(
  each: (secret: Kept) => Effect.Effect<boolean, UnopenedSecret | E, R>,
) {
  const first: Array<Holder> = []
  let [total, resealed, unopened] = [0, 0, 0]
  yield* Stream.runForEach(everySecret, (secrets) =>
    Effect.forEach(
      secrets,
      (secret) =>
        each(secret).pipe(
          Effect.tap((anew) => Effect.sync(() => anew && resealed++)),
          Effect.catchTag("UnopenedSecret", () =>
            Effect.sync(() => {
              unopened++
              if (first.length < named) first.push(secret.holder)
            }),
          ),
        ),
      { concurrency, discard: true },
    ).pipe(Effect.tap(() => Effect.sync(() => (total += secrets.length)))),
  )
  const result: Resealed = { total, resealed, unopened: { count: unopened, first } }
  return result
})

/**
 * Reseals the secrets of all endpoints and of all connections to platforms that are not sealed with the newest key, so
 * that older keys can go (D20). It may run while hosts use the store, and again after an interruption. Secrets that no
 * key opens stay as they are. Fails with `StorageError`.
 */
export const resealSecrets = forAll(({ owner, replace, sealed }) =>
  Effect.flatMap(reseal(sealed, owner), Option.match({ onNone: () => Effect.succeed(false), onSome: replace })),
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

/** Checks that every secret opens, and changes nothing. Fails with `StorageError`. */
export const checkSecrets = forAll(({ owner, sealed }) => Effect.as(open(sealed, owner), false)).pipe(
  Effect.withSpan("ResealSecrets.check"),
)
