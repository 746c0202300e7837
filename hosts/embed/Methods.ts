import { Effect, Schema } from "effect"
import { application, maximumActorName, person } from "../../core/model/audit/Actor.ts"
import type { InvalidInput } from "../../core/model/Errors.ts"
import { isPlainObject } from "../../core/model/json/Json.ts"
import { unknownField } from "../../core/model/Nearest.ts"
import { storable } from "../../core/model/Text.ts"
import { CurrentActor } from "../../core/support/Auditing.ts"
import { callSite, type Failure, invalidArgument, invalidTransaction } from "./Failures.ts"
import type { InTransaction } from "./InTransaction.ts"
import type { Runtime, Services } from "./Runtime.ts"

/** A use case with its arguments. */
type Call<A> = (...args: ReadonlyArray<unknown>) => Effect.Effect<A, Failure, Services>

/** Turns use cases into methods that return promises. */
export const makeMethods = (runtime: Runtime) => ({
  /** A method that takes the arguments of the use case. */
  reading: <A>(call: Call<A>) => {
    const method = (...args: ReadonlyArray<unknown>): Promise<A> =>
      runtime.run(
        Effect.suspend(() => call(...args)),
        callSite(method),
      )
    return method
  },

  /** A method that takes the caller's transaction and actor, if any, in options after this number of arguments. */
  changing: <A>(call: Call<A>, count: number) => {
    const method = (...args: ReadonlyArray<unknown>): Promise<A> => {
      const [options] = args.slice(count) as [InTransaction | undefined]
      const effect =
        optionsProblem(options) ??
        Effect.suspend(() => call(...args.slice(0, count))).pipe(
          Effect.provideService(CurrentActor, options?.actor === undefined ? application : person(options.actor)),
        )
      return runtime.run(effect, callSite(method), { tx: options?.tx })
    }
    return method
  },
})

const isActorName = Schema.is(storable(1, maximumActorName))

/** The problem of the last argument. A transaction that is overlooked would not hold the change. */
const optionsProblem = (options: unknown): InvalidInput | undefined => {
  if (options === undefined) return undefined
  if (!isPlainObject(options))
    return invalidTransaction("the last argument must be { tx }, not your transaction itself")
  for (const name of Object.keys(options)) {
    if (name !== "tx" && name !== "actor") return invalidArgument(name, unknownField(name, ["tx", "actor"]))
  }
  if ("actor" in options && !isActorName(options["actor"])) {
    return invalidArgument(
      "actor",
      `must be a text of 1 to ${maximumActorName} characters: leave it out if you know none`,
    )
  }
  return "tx" in options && options["tx"] === undefined
    ? invalidArgument("tx", "is undefined: leave it out to make the change outside of a transaction")
    : undefined
}
