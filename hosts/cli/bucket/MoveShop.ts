import { Console, Effect } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { configError } from "../ReadConfig.ts"
import { orBrokenOff } from "./BrokenOff.ts"
import { opened } from "./OpenBuckets.ts"
import { showLine } from "./Progress.ts"

/** Which shop to move where. */
export interface MoveShopOptions {
  readonly shop: string
  readonly to: string
}

/** `designwire bucket move-shop`: moves a shop into another bucket. */
export const moveOneShop = Effect.fn("bucket.move-shop")(function* ({ shop, to }: MoveShopOptions) {
  const { buckets, moves, nameOf } = yield* opened
  const found = buckets.find(({ number }) => nameOf(number) === to)
  if (found === undefined) {
    return yield* configError(
      `The bucket ${to} does not exist: they go from ${nameOf(0)} to ${nameOf(buckets.length - 1)}`,
    )
  }
  const { bucket, moved } = yield* orBrokenOff(
    Buckets.moveShop({
      ...moves,
      shop,
      to: found.number,
      onProgress: ({ copied, rows }) => showLine(`${copied} of ${Math.max(copied, rows)} rows`),
    }),
    "with --to its old bucket",
  )
  yield* Console.log(moved ? `${shop} is in ${nameOf(bucket)} now` : `${shop} is in ${nameOf(bucket)}`)
}, Effect.scoped)
