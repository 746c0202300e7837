import { Console, Effect } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { opened } from "./OpenBuckets.ts"
import { progressLine } from "./Progress.ts"

/** `designwire bucket status`: the moves that have not ended, and what moves have left behind. */
export const showStatus = Effect.fn("bucket.status")(function* () {
  const { moves, nameOf } = yield* opened
  const underWay = yield* Buckets.status(moves)
  const left = yield* Buckets.leftovers(moves)
  const shops = yield* Buckets.shopStatus(moves)
  if (underWay.length + left.length + shops.length === 0) yield* Console.log("No bucket is being moved")
  for (const { begunAt, bucket, isClosed, phase, progress, source, target } of underWay) {
    const state = progress === undefined ? "nothing is copied yet" : progressLine(progress)
    yield* Console.log(
      `${nameOf(bucket)}  from ${source} to ${target}  ${phase} since ${begunAt.toISOString()}: ${state}` +
        `${isClosed ? ". Hosts wait for it: if no command runs, run the move again" : ""}`,
    )
  }
  for (const { begunAt, phase, shop, source, target } of shops) {
    yield* Console.log(
      `${shop}  from ${nameOf(source)} to ${nameOf(target)}  ${phase} since ${begunAt.toISOString()}` +
        `${phase === "switching" ? ". Hosts wait for it: if no command runs, run the move again" : ""}`,
    )
  }
  for (const { database, schema } of left) {
    yield* Console.log(`${schema} in ${database} is left from a move: run that move again, it drops it`)
  }
}, Effect.scoped)
