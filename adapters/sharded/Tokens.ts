import { Context, Effect, Option } from "effect"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { type FoundToken, TokenStore } from "../../core/ports/TokenStore.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"
import { byId, byShop, routed } from "./Routing.ts"
import type { Store, Stores } from "./Stores.ts"

/** The number of tokens whose store is remembered. */
const capacity = 100_000

/**
 * Tokens in several stores.
 *
 * The shop of a token is unknown before the token is found: the first time, all stores are asked at once, and
 * afterwards the store that has it. While a store is down, finding a token that no other store has fails: the failing
 * store may have it.
 */
export const make = (stores: Stores): TokenStore["Service"] => {
  const owners = new BoundedMap<string, Store>(capacity)

  const findIn = (store: Store, digest: string) =>
    Effect.tap(Context.get(store.ports, TokenStore).find(digest), (found) => {
      if (Option.isSome(found)) owners.set(digest, store)
      return Effect.void
    })

  /** Returns as soon as one store has the token; returns none once all stores lack it. */
  const findAnywhere = (digest: string): Effect.Effect<Option.Option<FoundToken>, StorageError> =>
    Effect.suspend(() => {
      const failures: Array<StorageError> = []
      const asked = stores.all.map((store) =>
        findIn(store, digest).pipe(
          Effect.tapError((error) => Effect.sync(() => failures.push(error))),
          Effect.flatMap((found) => Effect.fromOption(found)),
          Effect.asSome,
        ),
      )
      return Effect.catch(Effect.raceAll(asked), () => {
        const [failed] = failures
        return failed === undefined ? Effect.succeedNone : Effect.fail(failed)
      })
    })

  return TokenStore.of({
    ...routed(stores)(TokenStore, { add: byShop, list: byId, revoke: byId, touch: byId }),

    find: (digest) => {
      const owner = owners.get(digest)
      return owner === undefined
        ? findAnywhere(digest)
        : Effect.flatMap(findIn(owner, digest), (found) =>
            Option.isSome(found) ? Effect.succeed(found) : findAnywhere(digest),
          )
    },

    onChanged: (listener) =>
      Effect.forEach(stores.all, ({ ports }) => Context.get(ports, TokenStore).onChanged(listener), { discard: true }),

    caughtUp: Effect.map(
      Effect.forEach(stores.all, ({ ports }) => Context.get(ports, TokenStore).caughtUp, { concurrency: "unbounded" }),
      (known) => known.every(Boolean),
    ),
  })
}
