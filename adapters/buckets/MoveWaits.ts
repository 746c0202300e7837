/** How calls wait for a bucket or a shop that is on its way. */
import { Clock, Effect } from "effect"
import { StorageError } from "../../core/ports/StorageError.ts"
import { type Bucket, type BucketMap, bucketName } from "./BucketMap.ts"

/** How long a call waits for what is being switched, and how often it looks. */
const longestSwitch = 5_000
const lookEvery = "50 millis"

/** The places of buckets and shops, as a host knows them. */
export interface Known {
  readonly map: BucketMap
  /** The buckets that are being moved to another database. */
  readonly moving: ReadonlySet<number>
}

/** Answers whether a refused call must be made again, by the result of `known` after each `refresh`. */
export const moveWaits = (known: () => Known, refresh: Effect.Effect<void, StorageError>) => {
  /** Reads the map until there is an answer, at most five seconds, and fails while something is on its way. */
  const awaited = Effect.fnUntraced(function* (
    look: () => boolean | "wait",
    onItsWay: () => StorageError,
  ): Effect.fn.Return<boolean, StorageError> {
    const until = (yield* Clock.currentTimeMillis) + longestSwitch
    while (true) {
      yield* refresh
      const answer = look()
      if (answer !== "wait") return answer
      if ((yield* Clock.currentTimeMillis) >= until) return yield* onItsWay()
      yield* Effect.sleep(lookEvery)
    }
  })

  const isElsewhere = (from: Bucket) => {
    const now = known().map.all[from.number]
    return now !== undefined && (now.database !== from.database || now.epoch !== from.epoch)
  }

  const lookAtBucket = (from: Bucket) => isElsewhere(from) || (known().moving.has(from.number) && "wait")

  const lookAtShop = (shop: string, from: Bucket) => {
    const { map } = known()
    if (map.of(shop)?.number !== from.number) return true
    const move = map.moveOf(shop)
    return move === undefined ? lookAtBucket(from) : move.isSwitching ? "wait" : true
  }

  return {
    hasLeft: (from: Bucket): boolean =>
      isElsewhere(from) || known().moving.has(from.number) || known().map.isSource(from),
    hasMoved: (from: Bucket) =>
      awaited(
        () => lookAtBucket(from),
        () => bucketOnItsWay(from, known().map),
      ),
    hasShopMoved: (shop: string, from: Bucket) =>
      awaited(
        () => lookAtShop(shop, from),
        () => (known().map.moveOf(shop) === undefined ? bucketOnItsWay(from, known().map) : shopOnItsWay(shop)),
      ),
  }
}

const bucketOnItsWay = ({ database, number }: Bucket, { all }: BucketMap) =>
  onItsWay(`Bucket ${bucketName(number, all.length)} is being moved from the database ${database}`, "move")

const shopOnItsWay = (shop: string) => onItsWay(`The shop ${shop} is being moved to another bucket`, "move-shop")

const onItsWay = (what: string, command: string) =>
  new StorageError({
    message: `${what}: try again. If its move was broken off, run \`designwire bucket ${command}\` again`,
    cause: undefined,
    isRetryable: true,
  })
