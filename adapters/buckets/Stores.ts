/** The stores of all buckets, and the way from a shop to its own. */
import { Context, Effect, type Fiber, Layer, Option, Result, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { ChannelPrefix, layerStores, SchemaName } from "../sql/index.ts"
import { type Bucket, type BucketMap, bucketSchema } from "./BucketMap.ts"
import type { Database } from "./Databases.ts"
import type { Directory } from "./Directory.ts"
import { elsewhere, isRefusal, movedWithin, noDirectory, unknownDatabase } from "./Refusals.ts"

/** The stores of a bucket. */
export interface Store {
  readonly bucket: Bucket
  readonly database: Database
  readonly ports: Context.Context<StoragePorts>
}

/** How often a call is made whose bucket refuses it, though its shop is there. */
const mostTries = 20

/** Shops of a bucket that are called at the same time after it has refused a call for all of them. */
const atOnce = 8

/** A call to the stores of a bucket. */
export type Call<A> = (ports: Context.Context<StoragePorts>) => Effect.Effect<A, StorageError>

/** The stores of all buckets. Those of a bucket are made when they are first needed. */
export class Stores {
  readonly databases: ReadonlyArray<Database>
  readonly directory: Directory
  readonly #schema: string
  readonly #scope: Scope.Scope
  readonly #stores = new Map<number, Store>()

  constructor(databases: ReadonlyArray<Database>, directory: Directory, schema: string, scope: Scope.Scope) {
    this.databases = databases
    this.directory = directory
    this.#schema = schema
    this.#scope = scope
  }

  /** The stores of a bucket. */
  of(bucket: Bucket): Effect.Effect<Store, StorageError> {
    return Effect.suspend(() => {
      const known = this.#stores.get(bucket.number)
      if (known?.bucket === bucket) return Effect.succeed(known)
      if (known?.bucket.database === bucket.database) return this.#keep({ ...known, bucket })
      const database = this.databases.find(({ name }) => name === bucket.database)
      return database === undefined ? unknownDatabase(bucket, this.databases) : this.#make(bucket, database)
    })
  }

  /** The store of a shop. */
  ofShop(shop: string): Effect.Effect<Store, StorageError> {
    return Effect.flatMap(this.bucketOf(shop), (bucket) => this.of(bucket))
  }

  /** The bucket of a shop: by the map, or by the directory itself while the shop is being moved. */
  bucketOf(shop: string): Effect.Effect<Bucket, StorageError> {
    return Effect.flatMap(this.map, (map) =>
      map.moveOf(shop) === undefined ? Effect.succeed(map.of(shop) as Bucket) : this.directory.bucketOf(shop),
    )
  }

  /** The map. Fails if the directory could not be read yet. */
  readonly map: Effect.Effect<BucketMap, StorageError> = Effect.suspend(() => {
    const map = this.directory.map()
    return map.all.length > 0 ? Effect.succeed(map) : this.currentMap
  })

  /** The map as the directory has it now, for lists: an old map would leave out shops that have moved. */
  readonly currentMap: Effect.Effect<BucketMap, StorageError> = Effect.suspend(() => {
    const refreshed = Effect.catch(this.directory.refresh, (error) =>
      isRefusal(error) ? noDirectory : Effect.fail(error),
    )
    return Effect.flatMap(refreshed, () => {
      const read = this.directory.map()
      return read.all.length > 0 ? Effect.succeed(read) : noDirectory
    })
  })

  /** Whether a shop is in a bucket, by the map: one that moves may have rows in two of them. */
  isIn({ number }: Bucket, shop: string): boolean {
    return this.directory.map().of(shop)?.number === number
  }

  /** All buckets of a database, in order. */
  bucketsOf(database: Database): ReadonlyArray<Bucket> {
    return this.directory.map().all.filter((bucket) => bucket.database === database.name)
  }

  /**
   * Calls the stores of a shop. If it has moved, alone or with its bucket, the old place refuses every change and
   * nothing has happened there: the call is made again at the new place.
   */
  atShop<A, E, R>(
    shop: string,
    call: (ports: Context.Context<StoragePorts>) => Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | StorageError, R> {
    return Effect.clockWith((clock): Effect.Effect<A, E | StorageError, R> => {
      if (this.directory.wasStopped(clock.currentTimeMillisUnsafe())) {
        return Effect.andThen(this.directory.resume, this.atShop(shop, call))
      }
      const map = this.directory.map()
      const bucket = map.moveOf(shop) === undefined ? map.of(shop) : undefined
      const store = bucket === undefined ? undefined : this.#stores.get(bucket.number)
      return store !== undefined && store.bucket === bucket
        ? this.#call(shop, store, call)
        : Effect.flatMap(this.ofShop(shop), (found) => this.#call(shop, found, call))
    })
  }

  /**
   * Calls the stores of a shop for something that every shop has. A bucket that the shop has left does not have it, so
   * the directory must confirm the place if nothing is found: fails if it can't be read.
   */
  findAtShop<A>(shop: string, call: Call<Option.Option<A>>): Effect.Effect<Option.Option<A>, StorageError> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const [found, asked] = yield* this.atShop(shop, (ports) =>
          Effect.map(call(ports), (all) => [all, ports] as const),
        )
        if (Option.isSome(found)) return found
        const { ports } = yield* Effect.flatMap(this.directory.bucketOf(shop), (bucket) => this.of(bucket))
        if (ports === asked) return found
        yield* this.directory.refresh
      }
    })
  }

  #call<A, E, R>(
    shop: string,
    store: Store,
    call: (ports: Context.Context<StoragePorts>) => Effect.Effect<A, E, R>,
    triesLeft = mostTries,
  ): Effect.Effect<A, E | StorageError, R> {
    return Effect.withFiber((fiber) => {
      const isWithin = isOpen(fiber, store.database.sql)
      if (!isWithin) {
        const open = this.databases.find(({ sql }) => isOpen(fiber, sql))
        if (open !== undefined) return elsewhere(store.database, open)
      }
      return Effect.catch(call(store.ports), (error): Effect.Effect<A, E | StorageError, R> => {
        if (!isRefusal(error)) return Effect.fail(error)
        if (isWithin) return movedWithin(store.database, error)
        // The move of a shop may have been undone meanwhile: the first refusal never counts.
        return Effect.flatMap(this.directory.hasShopMoved(shop, store.bucket), (moved) =>
          (moved && triesLeft > 1) || triesLeft === mostTries
            ? Effect.flatMap(this.ofShop(shop), (found) => this.#call(shop, found, call, triesLeft - 1))
            : Effect.fail(error),
        )
      })
    })
  }

  /** Calls the stores of a bucket, at its new place if it has moved. */
  inBucket<A>(bucket: Bucket | undefined, call: Call<A>): Effect.Effect<A, StorageError> {
    if (bucket === undefined) return noDirectory
    return Effect.flatMap(this.of(this.#now(bucket)), (store) =>
      Effect.catch(call(store.ports), (error) =>
        isRefusal(error)
          ? Effect.flatMap(this.directory.hasMoved(store.bucket), (moved) =>
              moved ? this.inBucket(bucket, call) : Effect.fail(error),
            )
          : Effect.fail(error),
      ),
    )
  }

  /** Calls the stores of a bucket unless it is being moved, or has moved: returns `undefined` then, without waiting. */
  atBucket<A>(bucket: Bucket, call: Call<A>): Effect.Effect<A | undefined, StorageError> {
    return Effect.flatMap(this.of(bucket), (store) =>
      Effect.catch(call(store.ports), (error): Effect.Effect<undefined, StorageError> => {
        if (!isRefusal(error)) return Effect.fail(error)
        return Effect.flatMap(this.directory.refresh, () =>
          this.directory.hasLeft(bucket) ? Effect.succeed(undefined) : Effect.fail(error),
        )
      }),
    )
  }

  /** {@link atBucket} as a part of a call that concerns all shops: others go on if the bucket's database fails. */
  tried<A>(bucket: Bucket, call: Call<A>): Effect.Effect<Result.Result<A | undefined, StorageError>> {
    return Effect.result(this.of(bucket)).pipe(
      Effect.flatMap((store) =>
        Result.isFailure(store)
          ? Effect.succeed(Result.fail(store.failure))
          : store.success.database.tried(this.atBucket(bucket, call)),
      ),
    )
  }

  /**
   * Gives each bucket the items of its shops, all buckets at once, and returns the results in the order of the items.
   * If a bucket fails, fails once all have ended: the work of the other buckets stays done.
   */
  eachItsOwn<Item, A>(
    items: ReadonlyArray<Item>,
    shopOf: (item: Item) => string,
    give: (
      ports: Context.Context<StoragePorts>,
      items: ReadonlyArray<Item>,
    ) => Effect.Effect<ReadonlyArray<A>, StorageError>,
  ): Effect.Effect<ReadonlyArray<A>, StorageError> {
    return Effect.gen({ self: this }, function* () {
      const shops = [...new Set(items.map(shopOf))]
      const places = new Map(
        yield* Effect.forEach(shops, (shop) => Effect.map(this.bucketOf(shop), (bucket) => [shop, bucket] as const), {
          concurrency: "unbounded",
        }),
      )
      const groups = Map.groupBy(items.keys(), (index) => places.get(shopOf(items[index] as Item)) as Bucket)
      const giveTo =
        (own: ReadonlyArray<number>): Call<ReadonlyArray<readonly [number, A]>> =>
        (ports) =>
          Effect.map(
            give(
              ports,
              own.map((index) => items[index] as Item),
            ),
            (answers) => own.map((index, at) => [index, answers[at] as A] as const),
          )
      // A bucket that refuses has done nothing. One of its shops may have moved: each then goes its own way.
      const giveEach = (own: ReadonlyArray<number>) =>
        Effect.map(
          Effect.forEach(
            Map.groupBy(own, (index) => shopOf(items[index] as Item)),
            ([shop, some]) => Effect.result(this.atShop(shop, giveTo(some))),
            { concurrency: atOnce },
          ),
          (results) => Result.map(Result.all(results), (given) => given.flat()),
        )
      const giveOwn = ([bucket, own]: [Bucket, ReadonlyArray<number>]) =>
        Effect.flatMap(this.of(bucket), (store) => giveTo(own)(store.ports)).pipe(
          Effect.result,
          Effect.flatMap((result) =>
            Result.isFailure(result) && isRefusal(result.failure) ? giveEach(own) : Effect.succeed(result),
          ),
        )
      const results = yield* Effect.forEach(groups, giveOwn, { concurrency: "unbounded" })
      const answers = new Map((yield* Effect.fromResult(Result.all(results))).flat())
      return items.map((_, index) => answers.get(index) as A)
    })
  }

  #now({ number }: Bucket): Bucket {
    return this.directory.map().all[number] as Bucket
  }

  #make(bucket: Bucket, database: Database): Effect.Effect<Store> {
    const name = bucketSchema(this.#schema, bucket.number, this.directory.map().all.length)
    const services = database.services.pipe(Context.add(SchemaName, name), Context.add(ChannelPrefix, this.#schema))
    const layer = Layer.provideMerge(layerStores, Layer.succeedContext(services))
    return Effect.flatMap(Layer.buildWithScope(Layer.fresh(layer), this.#scope), (ports) =>
      this.#keep({ bucket, database, ports }),
    )
  }

  #keep(store: Store): Effect.Effect<Store> {
    this.#stores.set(store.bucket.number, store)
    return Effect.succeed(store)
  }
}

const isOpen = (fiber: Fiber.Fiber<unknown, unknown>, sql: SqlClient.SqlClient): boolean =>
  Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined
