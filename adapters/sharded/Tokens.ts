import { Context, Effect, Option } from "effect"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { type FoundToken, TokenStore } from "../../core/ports/TokenStore.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"
import { byId, byShop, routed } from "./Routing.ts"
import type { Store, Stores } from "./Stores.ts"

/** Of so many tokens it is remembered which store has them. */
const capacity = 100_000

/**
 * Tokens in several stores.
 *
 * Whose a token is nobody knows before it is found: the first time all stores are asked at once, and from then on the one that has it. While a store is down, a
 * token that no other has can't be told from one that is there: finding it fails.
 */
export const make = (stores: Stores): TokenStore["Service"] => {
  const owners = new BoundedMap<string, Store>(capacity)

  const findIn = (store: Store, digest: string) =>
    Effect.tap(Context.get(store.ports, TokenStore).find(digest), (found) => {
      if (Option.isSome(found)) owners.set(digest, store)
      return Effect.void
    })

  /** Answers as soon as one has it; that it is nowhere, when all have said so. */
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
