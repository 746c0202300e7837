import { Console, Effect } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { orBrokenOff } from "./BrokenOff.ts"
import { openedDatabases } from "./OpenBuckets.ts"
import { showLine } from "./Progress.ts"

/** `designwire bucket adopt`: spreads the shops of a deployment without buckets over buckets. */
export const adoptBuckets = Effect.fn("bucket.adopt")(function* () {
  const { deployment, moves } = yield* openedDatabases
  const { buckets } = deployment
  const adopted = Console.log(
    `The deployment has ${buckets} buckets now. Hosts and workers without DESIGNWIRE_BUCKETS find nothing any more ` +
      "and stop: start them again with these settings",
  )
  const moved = yield* orBrokenOff(
    Buckets.adopt({
      ...moves,
      buckets,
      onAdopted: adopted,
      onProgress: (done, all) => showLine(`${done} of ${all} shops`),
    }),
  )
  yield* Console.log(
    moved === 0 ? "No shop has to move" : moved === 1 ? "1 shop has moved" : `${moved} shops have moved`,
  )
}, Effect.scoped)
