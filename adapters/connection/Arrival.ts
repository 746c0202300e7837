import { Effect } from "effect"

/**
 * Waits for what somebody lends. Where nobody waits any more when it comes, it is given back: a pool that has no connection to lend must keep nobody from
 * stopping.
 */
export const arrival = <A>(lend: () => Promise<A>, giveBack: (lent: A) => void): Effect.Effect<A, unknown> =>
  Effect.callback((resume) => {
    let isWaiting = true
    const lent = async () => lend()
    lent().then(
      (lent) => (isWaiting ? resume(Effect.succeed(lent)) : giveBack(lent)),
      (reason) => resume(Effect.fail(reason)),
    )
    return Effect.sync(() => {
      isWaiting = false
    })
  })
