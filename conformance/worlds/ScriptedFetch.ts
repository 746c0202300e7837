/** A `fetch` that answers what a test says, and tells what it was asked. */
import type { Fetch } from "../../hosts/client/index.ts"

/** What comes of a request: an answer, an error, nothing until its signal is aborted, or nothing whatever its signal says. */
export type Outcome = Response | Error | "hangs" | "ignores its signal" | (() => Promise<Response>)

/** A request as it was made. */
export interface Requested {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: string
  readonly signal: AbortSignal
  /** When, in milliseconds since the first one. */
  readonly at: number
}

/** Answers requests with outcomes, one after the other. One more is an error, which a client may well take for one of the network. */
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
