import { Context, type Effect } from "effect"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Stores } from "./Stores.ts"

/** Returns the shop of a call, for a method that concerns one shop. */
type ShopOf<Method> = Method extends (...parameters: infer P) => Effect.Effect<infer _, infer E>
  ? StorageError extends E
    ? (...parameters: P) => string
    : never
  : never

/** The shop of a call whose first parameter is the shop's id. */
export const byId = (shop: string): string => shop

/** The shop of a call whose first parameter is a record or a query with a shop. */
export const byShop = ({ shop }: { readonly shop: string }): string => shop

/** Any method, as seen by a function that only passes calls on. */
type Passed = (...parameters: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/**
 * Returns methods of a port that pass each call on to the bucket of its shop, and touch no other. `shopsOf` has, for
 * each method, a function that finds the shop.
 *
 * The result has only the methods that are named: an adapter that lacks a new method of a port does not compile.
 *
 * @example
 * CustomizerStore.of(routed(stores)(CustomizerStore, { find: byId, summary: byId, definition: byId, put: byShop,
 * publish: byId }))
 */
export const routed =
  (stores: Stores) =>
  <I extends StoragePorts, S extends object, M extends keyof S>(
    port: Context.Key<I, S>,
    shopsOf: { readonly [K in M]: ShopOf<S[K]> },
  ): Pick<S, M> => {
    const passing = ([method, shopOf]: [string, (...parameters: ReadonlyArray<unknown>) => string]): [
      string,
      Passed,
    ] => {
      const key = method as M
      return [
        method,
        (...parameters) => {
          return stores.atShop(shopOf(...parameters), (ports) =>
            (Context.get(ports, port)[key] as Passed)(...parameters),
          )
        },
      ]
    }
    return Object.fromEntries(
      Object.entries<(...parameters: ReadonlyArray<unknown>) => string>(shopsOf).map(passing),
    ) as Pick<S, M>
  }
