import { Effect } from "effect"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"

/** Reads the clock until it shows a later time; a clock that stands still is read for a while. */
const goesOn = Effect.fnUntraced(function* ({ time }: Pick<Upkeep["Service"], "time">) {
  const first = yield* time
  const later = yield* Effect.repeat(time, { until: (now) => now !== first, times: 10_000 })
  yield* holds(`the clock continues after ${first}, not ${later}`, later > first)
})

/** The contracts of `Upkeep.time` and `Upkeep.probe`. */
export const timeCases = calling(Upkeep)([
  {
    id: "time.hosts",
    title: "MUST show all hosts the same clock, in whole milliseconds, which continues",
    requirements: ["D33a"],
    run: Effect.gen(function* () {
      const both = [yield* Upkeep, yield* onOtherHost(Upkeep)] as const
      let last = 0
      for (let turn = 0; turn < 20; turn++) {
        const now = yield* both[turn % 2 === 0 ? 0 : 1].time
        yield* equal("a whole number", Number.isSafeInteger(now), true)
        yield* holds(`${now} is no earlier than what the other host has read, ${last}`, now >= last)
        last = now
      }
      for (const host of both) yield* goesOn(host)
    }),
  },
  {
    id: "probe.well",
    title: "MUST find a store well that carries out calls, also by many hosts at the same time",
    requirements: ["D33b"],
    run: Effect.gen(function* () {
      const both = [yield* Upkeep, yield* onOtherHost(Upkeep)] as const
      yield* Effect.all(
        Array.from({ length: 10 }, (_, turn) => both[turn % 2 === 0 ? 0 : 1].probe),
        { concurrency: "unbounded" },
      )
    }),
  },
  {
    id: "time.transaction",
    title: "MUST show the present time within a transaction too, not the time of its beginning",
    requirements: ["D33a"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const transaction = yield* outerTransaction
      yield* transaction.run(goesOn(yield* Upkeep))
    }),
  },
])
