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

/** Returns the keys with which webhooks for a shop may be signed. */
type KeysOf<R> = (shop: string) => Effect.Effect<ReadonlyArray<Mac.Key>, StorageError, R>

const utf8 = new TextEncoder()

// An empty secret is none: anyone could sign with it.
const keysFrom = (secrets: ValidSecrets) =>
  Effect.forEach(
    secrets.map(Redacted.value).filter((secret) => secret !== ""),
    (secret) => Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(secret))),
  )

const isShopId = Schema.is(ShopId)

/** Makes the function that returns a shop's keys. Only ids of shops have keys. */
const makeKeysOf = <R>(secrets: Secrets<R>): Effect.Effect<KeysOf<R>> =>
  typeof secrets === "function"
    ? Effect.succeed((shop) => (isShopId(shop) ? Effect.flatMap(secrets(shop), keysFrom) : Effect.succeed([])))
    : Effect.map(keysFrom(secrets), (keys) => () => Effect.succeed(keys))

/**
 * Makes the check of whether a signature fits a body under one of a shop's secrets. It takes the same time for each
 * wrong signature of the right length.
 */
export const makeVerification = Effect.fnUntraced(function* <R>(secrets: Secrets<R>) {
  const mac = yield* Mac.Mac
  const keysOf = yield* makeKeysOf(secrets)
  return Effect.fnUntraced(function* (shop: string, signature: string | undefined, body: Uint8Array) {
    const tag = Result.getOrUndefined(Base64.decode(signature ?? ""))
    if (tag?.length !== 32) return false
    for (const key of yield* keysOf(shop)) {
      if (yield* Effect.orDie(mac.verify(key, tag, body))) return true
    }
    return false
  })
})
