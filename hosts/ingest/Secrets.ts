/** The secrets with which platforms sign webhooks, and the verification of a signature. */
import { Effect, Redacted, Result, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { ShopId } from "../../core/model/Ids.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"

/** Secrets that are valid at the same time: while one is replaced, a platform may sign with either. */
export type ValidSecrets = ReadonlyArray<Redacted.Redacted<string>>

/** The secrets of a platform: the same for all shops, or a function of the shop, none for an unknown one. */
export type Secrets<R = never> = ValidSecrets | ((shop: string) => Effect.Effect<ValidSecrets, StorageError, R>)

/** Returns the keys with which webhooks for a shop may be signed; without a shop, those of all shops. */
type KeysOf<R> = (shop: string | undefined) => Effect.Effect<ReadonlyArray<Mac.Key>, StorageError, R>

const utf8 = new TextEncoder()

const keyOf = (secret: string) => Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(secret)))

// An empty secret is none: anyone could sign with it.
const keysFrom = (secrets: ValidSecrets) =>
  Effect.forEach(
    secrets.map(Redacted.value).filter((secret) => secret !== ""),
    keyOf,
  )

const isShopId = Schema.is(ShopId)

/** Makes the function that returns a shop's keys. Only ids of shops have keys. */
const makeKeysOf = <R>(secrets: Secrets<R>): Effect.Effect<KeysOf<R>> =>
  typeof secrets === "function"
    ? Effect.succeed((shop) => (isShopId(shop) ? Effect.flatMap(secrets(shop), keysFrom) : Effect.succeed([])))
    : Effect.map(keysFrom(secrets), (keys) => () => Effect.succeed(keys))

/** The most secrets of a connection that are good at the same time. */
const mostOwn = 2

/** The bytes of a signature; `undefined` for a text that is none. */
export const tagOf = (signature: string | undefined): Uint8Array | undefined => {
  const tag = Result.getOrUndefined(Base64.decode(signature ?? ""))
  return tag?.length === 32 ? tag : undefined
}

/** What a signature may be of. */
interface Signed {
  /** The shop, as far as it is known. */
  readonly shop: string | undefined
  /** The secrets of its connection. */
  readonly own: ValidSecrets
  /** Whether the secrets of the service count for it as well. */
  readonly orService: boolean
}

/**
 * Makes the check of whether a tag fits a body under one of the secrets. It compares with as many keys for a shop that
 * has no secrets, and for one that does not exist: how long a wrong tag takes does not tell them apart.
 */
export const makeVerification = Effect.fnUntraced(function* <R>(secrets: Secrets<R>) {
  const mac = yield* Mac.Mac
  const keysOf = yield* makeKeysOf(secrets)
  const decoy = yield* keyOf("a key that signs nothing")
  return Effect.fnUntraced(function* ({ orService, own, shop }: Signed, tag: Uint8Array, body: Uint8Array) {
    const ownKeys = yield* keysFrom(own)
    const keys = [
      ...(yield* keysOf(shop)).map((key) => ({ key, counts: orService })),
      ...ownKeys.map((key) => ({ key, counts: true })),
      ...Array.from({ length: Math.max(0, mostOwn - ownKeys.length) }, () => ({ key: decoy, counts: false })),
    ]
    for (const { counts, key } of keys) {
      if ((yield* Effect.orDie(mac.verify(key, tag, body))) && counts) return true
    }
    return false
  })
})
