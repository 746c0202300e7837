import { Console, Effect, Option } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { configError } from "../ReadConfig.ts"
import { orBrokenOff } from "./BrokenOff.ts"
import { opened } from "./OpenBuckets.ts"
import { planOf } from "./Plan.ts"
import { mapWriter } from "./PoolerConfig.ts"
import { progressLine, showLine } from "./Progress.ts"

/** What to move. */
export interface MoveBucketsOptions {
  readonly bucket: Option.Option<string>
  readonly to: Option.Option<string>
  readonly rebalance: boolean
  /** A PgDog in front gets the new map after each move, in this file. */
  readonly pgdog: boolean
  readonly write: Option.Option<string>
}

/** `designwire bucket move`: moves a bucket, or one after the other until all databases have as many. */
export const moveBuckets = Effect.fn("bucket.move")(function* ({
  bucket,
  pgdog,
  rebalance,
  to,
  write,
}: MoveBucketsOptions) {
  if (pgdog !== Option.isSome(write)) {
    return yield* configError("A PgDog gets the new map by both --pgdog and --write pgdog.toml")
  }
  const databases = yield* opened
  const { buckets, deployment, moves, nameOf } = databases
  // Before anything moves: an unfit file ends the command here.
  const toPooler = Option.isSome(write)
    ? yield* mapWriter(databases, "pgdog", write.value)
    : Effect.log(poolers).pipe(logged("bucket.adapt_pooler"))
  const moveTo = Effect.fnUntraced(function* (number: number, database: string) {
    const { epoch, moved } = yield* orBrokenOff(
      Buckets.move({ ...moves, bucket: number, to: database, onProgress: show }),
      "with --to its old database",
    )
    yield* Console.log(
      moved
        ? `${nameOf(number)} is in ${database} now`
        : `${nameOf(number)} is in ${database}: ${epoch === 0 ? "it never moved" : "there was nothing to move"}`,
    )
    // Also if an earlier command moved it and was killed before it came to this.
    if (moved || pgdog) yield* toPooler
  })
  if (rebalance) {
    if (Option.isSome(bucket) || Option.isSome(to)) {
      return yield* configError("--rebalance chooses buckets and databases itself: leave them out")
    }
    const plan = planOf(buckets, Object.keys(deployment.databases))
    yield* Console.log(plan.length === 0 ? "The databases have as many buckets each" : `${plan.length} buckets move`)
    if (plan.length === 0 && pgdog) return yield* toPooler
    return yield* Effect.forEach(plan, ([number, database]) => moveTo(number, database), { discard: true })
  }
  if (Option.isNone(bucket) || Option.isNone(to)) {
    return yield* configError("Say what to move: designwire bucket move 07 --to second, or --rebalance")
  }
  const found = buckets.find(({ number }) => nameOf(number) === bucket.value)
  if (found === undefined) {
    return yield* configError(
      `The bucket ${bucket.value} does not exist: they go from ${nameOf(0)} to ${nameOf(buckets.length - 1)}`,
    )
  }
  yield* moveTo(found.number, to.value)
}, Effect.scoped)

const poolers =
  "A PgDog in front still has the old place: print its map with `designwire bucket config --pgdog`, then RELOAD it, " +
  "or let this command do both by --pgdog --write pgdog.toml. A PgBouncer needs no change"

const show = (progress: Buckets.MoveProgress) => showLine(progressLine(progress))
