import { Effect } from "effect"

/**
 * Waits for something that is lent. If the caller stops waiting first, it is given back when it comes: a pool without a
 * free connection must not keep anyone from stopping.
 */
export const acquire = <A>(lend: () => Promise<A>, giveBack: (lent: A) => void): Effect.Effect<A, unknown> =>
  Effect.callback((resume) => {
    let isWanted = true
    const lent = async () => lend()
    lent().then(
      (lent) => (isWanted ? resume(Effect.succeed(lent)) : giveBack(lent)),
      (reason) => resume(Effect.fail(reason)),
    )
    return Effect.sync(() => {
      isWanted = false
    })
  })
