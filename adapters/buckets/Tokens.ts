import { Context, Effect, Option } from "effect"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { type FoundToken, TokenStore } from "../../core/ports/TokenStore.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"
import { TokenChanges } from "../sql/index.ts"
import { inTransaction } from "../sql/statements/Transaction.ts"
import { byId, routed } from "./Routing.ts"
import type { Call, Stores } from "./Stores.ts"

/** The number of tokens whose shop is remembered. */
const capacity = 100_000

/**
 * Tokens of all buckets. A token comes before its shop is known: the directory names the shop, once for each host.
 * Whether the token is good, its shop's bucket decides.
 */
export const make = (stores: Stores): TokenStore["Service"] => {
  const { directory } = stores
  const owners = new BoundedMap<string, string>(capacity)

  const finding =
    (digest: string): Call<Option.Option<FoundToken>> =>
    (ports) =>
      Context.get(ports, TokenStore).find(digest)

  const look = Effect.fnUntraced(function* (digest: string): Effect.fn.Return<Option.Option<FoundToken>, StorageError> {
    const shop = Option.getOrUndefined(yield* directory.shopOf(digest))
    if (shop === undefined) return Option.none()
    owners.set(digest, shop)
    return yield* stores.findAtShop(shop, finding(digest))
  })

  return TokenStore.of({
    ...routed(stores)(TokenStore, { list: byId, touch: byId }),

    // The directory comes first, outside of the transaction: what it has too much leads nowhere.
    add: (token, maximum, audited) =>
      Effect.andThen(
        directory.enter(token.digest, token.shop),
        stores.atShop(token.shop, (ports) => Context.get(ports, TokenStore).add(token, maximum, audited)),
      ),

    find: (digest) => {
      const owner = owners.get(digest)
      return owner === undefined
        ? look(digest)
        : Effect.flatMap(stores.atShop(owner, finding(digest)), (found) =>
            Option.isSome(found) ? Effect.succeed(found) : look(digest),
          )
    },

    revoke: (shop, id, audited) =>
      forgetting(stores, shop, (ports) => Context.get(ports, TokenStore).revoke(shop, id, audited)),

    onChanged: (listener) =>
      Effect.forEach(stores.databases, ({ services }) => Context.get(services, TokenChanges).subscribe(listener), {
        discard: true,
      }),

    caughtUp: Effect.map(
      Effect.forEach(stores.databases, ({ services, sql }) => Context.get(services, TokenChanges).caughtUp(sql), {
        concurrency: "unbounded",
      }),
      (known) => known.every(Boolean),
    ),
  })
}

/** Makes a change that may remove tokens of a shop, and lets the directory forget those that are gone. */
export const forgetting = <A>(stores: Stores, shop: string, change: Call<A>): Effect.Effect<A, StorageError> =>
  Effect.gen(function* () {
    const { database } = yield* stores.ofShop(shop)
    // Until the transaction is committed, others still use its tokens.
    if (yield* inTransaction(database.sql)) return yield* stores.atShop(shop, change)
    const digests = stores.atShop(shop, (ports) =>
      Effect.map(Context.get(ports, TokenStore).list(shop), (tokens) => tokens.map(({ digest }) => digest)),
    )
    const before = yield* digests
    const changed = yield* stores.atShop(shop, change)
    const after = new Set(yield* digests)
    yield* stores.directory.forget(before.filter((digest) => !after.has(digest)))
    return changed
  })
