import { type Context, Effect, Result } from "effect"
import { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"

/** One of several stores. */
export interface Store {
  readonly name: string
  readonly ports: Context.Context<StoragePorts>
}

/** Returns the name of the store of a shop. */
export type StoreOf = (shop: string) => Effect.Effect<string, StorageError>

/** The number of shops whose store is remembered. */
const capacity = 100_000

/** Several stores, and the store of each shop. */
export class Stores {
  readonly all: ReadonlyArray<Store>
  readonly #byName: ReadonlyMap<string, Store>
  readonly #storeOf: StoreOf
  readonly #places = new BoundedMap<string, Store>(capacity)
  readonly #failing = new Set<Store>()

  constructor(all: ReadonlyArray<Store>, storeOf: StoreOf) {
    this.all = all
    this.#byName = new Map(all.map((store) => [store.name, store]))
    this.#storeOf = storeOf
  }

  /** The store of a shop, if it was found before: shops don't move. */
  remembered(shop: string): Store | undefined {
    return this.#places.get(shop)
  }

  /** The store of a shop. */
  find(shop: string): Effect.Effect<Store, StorageError> {
    return Effect.suspend(() => {
      const place = this.#places.get(shop)
      if (place !== undefined) return Effect.succeed(place)
      return Effect.flatMap(this.#storeOf(shop), (name) => {
        const found = this.#byName.get(name)
        if (found === undefined) return Effect.fail(this.#unknown(name))
        this.#places.set(shop, found)
        return Effect.succeed(found)
      })
    })
  }

  #unknown(name: string): StorageError {
    const store = JSON.stringify(name)
    const known = [...this.#byName.keys()].join(", ")
    return new StorageError({
      message: `Add the store ${store} to this host: storeOf answers it for a shop, and the host has ${known}`,
      cause: undefined,
      isRetryable: false,
    })
  }

  /** Asks all stores at once, and returns their results in order. If a store fails, fails once all have ended. */
  askAll<A>(ask: (store: Store) => Effect.Effect<A, StorageError>): Effect.Effect<ReadonlyArray<A>, StorageError> {
    return Effect.flatMap(
      Effect.forEach(this.all, (store) => Effect.result(ask(store)), { concurrency: "unbounded" }),
      (results) => Effect.fromResult(Result.all(results)),
    )
  }

  /** Asks all stores at once, and returns the results of the stores that succeed. Fails if all stores fail. */
  askEach<A>(ask: (store: Store) => Effect.Effect<A, StorageError>): Effect.Effect<ReadonlyArray<A>, StorageError> {
    return Effect.flatMap(
      Effect.forEach(this.all, (store) => this.tried(store, ask(store)), { concurrency: "unbounded" }),
      answersOf,
    )
  }

  /** Asks one store; if it fails, others can go on. Logs when the store begins to fail, and when it answers again. */
  tried<A>(store: Store, asked: Effect.Effect<A, StorageError>): Effect.Effect<Result.Result<A, StorageError>> {
    return Effect.tap(Effect.result(asked), (result) => {
      if (Result.isSuccess(result)) {
        return this.#failing.delete(store) ? Effect.log(`The store ${store.name} answers again`) : Effect.void
      }
      if (this.#failing.has(store)) return Effect.void
      this.#failing.add(store)
      return Effect.logWarning(`The store ${store.name} fails; the others go on without it`, result.failure)
    })
  }

  /**
   * Gives each store the items of its shops, all stores at once, and returns the results in the order of the items. If
   * a store fails, or can't be found, fails once all have ended: the work of the other stores stays done.
   */
  eachItsOwn<Item, A>(
    items: ReadonlyArray<Item>,
    shopOf: (item: Item) => string,
    give: (store: Store, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, StorageError>,
  ): Effect.Effect<ReadonlyArray<A>, StorageError> {
    const place = (item: Item) => Effect.result(this.find(shopOf(item)))
    return Effect.gen(function* () {
      const places = yield* Effect.forEach(items, place, { concurrency: "unbounded" })
      const answers = new Map<number, A>()
      const giveOwn = (store: Store) => {
        const own = [...items.entries()].filter(([index]) => isAt(places[index], store))
        const given = give(
          store,
          own.map(([, item]) => item),
        )
        return Effect.map(given, (answered) => {
          for (const [at, [index]] of own.entries()) answers.set(index, answered[at] as A)
        })
      }
      const stores = new Set(places.filter(Result.isSuccess).map(({ success }) => success))
      const results = yield* Effect.forEach(stores, (store) => Effect.result(giveOwn(store)), {
        concurrency: "unbounded",
      })
      yield* Effect.fromResult(Result.all([...places, ...results]))
      return items.map((_, index) => answers.get(index) as A)
    })
  }
}

const isAt = (place: Result.Result<Store, StorageError> | undefined, store: Store): boolean =>
  place !== undefined && Result.isSuccess(place) && place.success === store

/** The results that succeeded. Fails if all of them failed. */
export const answersOf = <A>(
  results: ReadonlyArray<Result.Result<A, StorageError>>,
): Effect.Effect<ReadonlyArray<A>, StorageError> => {
  const answers = results.filter(Result.isSuccess).map(({ success }) => success)
  const [failed] = results.filter(Result.isFailure)
  return answers.length === 0 && failed !== undefined ? Effect.fail(failed.failure) : Effect.succeed(answers)
}
