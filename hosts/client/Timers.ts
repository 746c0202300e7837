/** A timer with a longer wait would end at once. */
const longest = 2 ** 31 - 1

/**
 * Runs a function for at most some milliseconds, with a signal that ends it. Fails as soon as the time is over, with
 * the result of `late`, or as soon as the caller's signal is aborted, with its reason, even if the function ignores its
 * own signal.
 */
export const withTimeout = <A>(
  milliseconds: number,
  late: () => unknown,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<A>,
): Promise<A> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
    }
    const stop = (reason: unknown) => {
      end()
      reject(reason)
      controller.abort(reason)
    }
    const abort = () => stop(signal?.reason)
    const timer = setTimeout(() => stop(late()), Math.min(milliseconds, longest))
    signal?.addEventListener("abort", abort)
    if (signal?.aborted) return abort()
    run(controller.signal).finally(end).then(resolve, reject)
  })

/** Ends after some milliseconds. Fails as soon as the signal is aborted, with its reason. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const nothing = new Promise<never>(() => undefined)
    withTimeout(milliseconds, resolve, signal, () => nothing).catch(reject)
  })
