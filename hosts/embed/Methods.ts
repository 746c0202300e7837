import { Effect } from "effect"
import type { InTransaction } from "./Designwire.ts"
import { callSite, type Failure, invalidTransaction } from "./Failures.ts"
import type { Runtime, Services } from "./Runtime.ts"

/** A use case with its arguments. */
type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, Failure, Services>

/** Turns use cases into methods that return promises. */
export const makeMethods = (runtime: Runtime) => ({
  /** A method that takes the arguments of the use case. */
  reading: <Args extends ReadonlyArray<unknown>, A>(call: Call<Args, A>) => {
    const method = (...args: Args): Promise<A> =>
      runtime.run(
        Effect.suspend(() => call(...args)),
        callSite(method),
      )
    return method
  },

  /** A method that takes the caller's transaction, if any, in options after the arguments of the use case. */
  changing: <Args extends ReadonlyArray<unknown>, A>(call: Call<Args, A>) => {
    const method = (...args: [...Args, options?: InTransaction | undefined]): Promise<A> => {
      const [options] = args.slice(call.length) as [InTransaction | undefined]
      // A bare transaction would be ignored, and the change made outside of it.
      const effect =
        typeof (options ?? {}) === "object"
          ? Effect.suspend(() => call(...(args.slice(0, call.length) as ReadonlyArray<unknown> as Args)))
          : invalidTransaction("the last argument must be { tx }, not your transaction itself")
      return runtime.run(effect, callSite(method), { tx: options?.tx })
    }
    return method
  },
})

export type Methods = ReturnType<typeof makeMethods>
