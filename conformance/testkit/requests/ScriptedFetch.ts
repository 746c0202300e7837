/** A scripted `fetch` that records its requests. */
import type { Fetch } from "../../../hosts/client/index.ts"

/** Outcome of a request: a response, an error, silence until its signal aborts, or silence despite its signal. */
export type Outcome = Response | Error | "hangs" | "ignores its signal" | (() => Promise<Response>)

/** A recorded request. */
export interface Requested {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: string
  readonly signal: AbortSignal
  /** Milliseconds since the first request. */
  readonly at: number
}

/**
 * Answers requests with the given outcomes in turn. Any further request is an error, which a client may treat as a
 * network error.
 */
export const scriptedFetch = (...outcomes: ReadonlyArray<Outcome>) => {
  const requests: Array<Requested> = []
  let start: number | undefined
  const fetch: Fetch = async (url, init) => {
    start ??= performance.now()
    const outcome = outcomes[requests.length] ?? new Error(`No outcome for request ${requests.length + 1}`)
    requests.push({ url, ...init, at: Math.round(performance.now() - start) })
    if (outcome instanceof Error) throw outcome
    if (outcome === "ignores its signal") return new Promise<never>(() => undefined)
    if (outcome === "hangs") {
      return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)))
    }
    return typeof outcome === "function" ? outcome() : outcome
  }
  return { fetch, requests }
}
