import { Console, Effect, Option } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { configError } from "../ReadConfig.ts"
import { opened } from "./OpenBuckets.ts"
import { planOf } from "./Plan.ts"
import { progressLine, showLine } from "./Progress.ts"

/** What to move. */
export interface MoveBucketsOptions {
  readonly bucket: Option.Option<string>
  readonly to: Option.Option<string>
  readonly rebalance: boolean
}

/** `designwire bucket move`: moves a bucket, or one after the other until all databases have as many. */
export const moveBuckets = Effect.fn("bucket.move")(function* ({ bucket, rebalance, to }: MoveBucketsOptions) {
  const { buckets, deployment, moves, nameOf } = yield* opened
  const moveTo = Effect.fnUntraced(function* (number: number, database: string) {
    const { epoch, moved } = yield* Buckets.move({ ...moves, bucket: number, to: database, onProgress: show })
    yield* Console.log(
      moved
        ? `${nameOf(number)} is in ${database} now`
        : `${nameOf(number)} is in ${database}: ${epoch === 0 ? "it never moved" : "there was nothing to move"}`,
    )
    if (moved) yield* Effect.log(poolers)
  })
  if (rebalance) {
    if (Option.isSome(bucket) || Option.isSome(to)) {
      return yield* configError("--rebalance chooses buckets and databases itself: leave them out")
    }
    const plan = planOf(buckets, Object.keys(deployment.databases))
    yield* Console.log(plan.length === 0 ? "The databases have as many buckets each" : `${plan.length} buckets move`)
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
  "A PgDog in front still has the old place: print its map with `designwire bucket config --pgdog`, then RELOAD it. " +
  "A PgBouncer needs no change"

const show = (progress: Buckets.MoveProgress) => showLine(progressLine(progress))
