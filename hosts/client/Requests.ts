import { DesignwireRequestError, type RequestErrorCode } from "./DesignwireRequestError.ts"
import { wait, withTimeout } from "./Timers.ts"

/** The part of an answer to {@link Fetch} that is read. */
export interface FetchedAnswer {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
}

/** `fetch`, or any function that can be called in the same way. */
export type Fetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly redirect: "manual"; readonly signal: AbortSignal },
) => Promise<FetchedAnswer>

/** An answer as a cache keeps it: plain data that JSON can express. */
export interface CachedAnswer {
  readonly etag: string
  readonly body: string
}

/** Keeps answers by their address: a `Map`, an LRU cache, or a store that returns promises. */
export interface ClientCache {
  readonly get: (url: string) => CachedAnswer | null | undefined | PromiseLike<CachedAnswer | null | undefined>
  readonly set: (url: string, answer: CachedAnswer) => unknown
}

/** The common parts of all requests of a client. */
export interface RequestOptions {
  /** The REST API's address, without a slash at its end. */
  readonly base: string
  readonly token: string
  readonly fetch: Fetch
  readonly cache: ClientCache | undefined
  readonly maxRetries: number
  /** Milliseconds for a try. */
  readonly timeout: number
  /** Milliseconds for all tries and the waits between them. */
  readonly totalTimeout: number
}

/**
 * Reads the resource at a path. Fails with `DesignwireRequestError`, also if `isExpected` refuses the answer; with the
 * signal's reason once it is aborted.
 */
export type Get = <A>(
  path: string,
  isExpected: (value: unknown) => value is A,
  signal: AbortSignal | undefined,
) => Promise<A>

/** The API version that this client is written for (§9, D19). */
const apiVersion = "2026-10"

/**
 * The meaning of a status in an answer of the API itself. The 404 of a proxy, or of another address of the host, says
 * nothing about the store.
 */
const ownCodes: Readonly<Record<number, RequestErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "plan_required",
  404: "not_found",
  410: "gone",
}

/** A 403 that says in its challenge that the token lacks a scope (RFC 6750 §3.1). */
const lacksScope = ({ headers, status }: FetchedAnswer): boolean =>
  status === 403 && /\berror="insufficient_scope"/.test(headers.get("www-authenticate") ?? "")

/** Whether the next try may succeed after this error. */
export const isPassing = (error: unknown): error is DesignwireRequestError =>
  error instanceof DesignwireRequestError && error.retryable

/** GET requests with a token: tried again if that may help, and conditional if there is a cache. */
export const makeGet = (options: RequestOptions): Get => {
  const { base, cache, fetch, maxRetries, timeout, token, totalTimeout } = options
  const common = { accept: "application/json", authorization: `Bearer ${token}`, "x-api-version": apiVersion }

  /** Messages of others may repeat the request, including the token. */
  const clean = (message: string) => message.replaceAll(token, "…")

  const refusal = (answer: FetchedAnswer, body: string) => {
    const { headers, status } = answer
    const message = messageOf(parse(body))
    const own = headers.get("x-api-version") === null ? undefined : message
    const code =
      codeOf(status) ?? (own === undefined ? undefined : lacksScope(answer) ? "scope_required" : ownCodes[status])
    const type = headers.get("content-type") ?? "no content type"
    const foreign = `This is not an answer of the REST API (${status}, ${type}): check that url is its address, without redirects`
    const words = code === undefined ? (own ?? foreign) : (message ?? `The service answered ${status}`)
    const retryAfter = secondsOf(headers.get("retry-after"))
    return new DesignwireRequestError(code ?? "unexpected_answer", clean(words), { status, retryAfter })
  }

  const attempt = async (url: string, known: CachedAnswer | null | undefined, signal: AbortSignal) => {
    const headers = known ? { ...common, "if-none-match": known.etag } : common
    let answer: FetchedAnswer
    let body: string
    try {
      answer = await fetch(url, { headers, redirect: "manual", signal })
      body = await answer.text()
    } catch (cause) {
      throw new DesignwireRequestError("network", clean(`The request failed: ${reasonOf(cause)}`), { cause })
    }
    const same = answer.status === 304 && known
    if (!same && answer.status !== 200) throw refusal(answer, body)
    return same ? { ...known, answer } : { etag: answer.headers.get("etag"), body, answer }
  }

  const persist = async (url: string, known: CachedAnswer | null | undefined, signal: AbortSignal | undefined) => {
    const end = performance.now() + totalTimeout
    for (let retries = 0; ; retries++) {
      const limit = Math.min(timeout, end - performance.now())
      const late = () => new DesignwireRequestError("timeout", `No complete answer within ${Math.round(limit)} ms`)
      try {
        return await withTimeout(limit, late, signal, (signal) => attempt(url, known, signal))
      } catch (error) {
        if (!isPassing(error) || retries >= maxRetries) throw error
        const pause = pauseAfter(error, retries)
        if (performance.now() + pause >= end) throw error
        await wait(pause, signal)
      }
    }
  }

  return async (path, isExpected, signal) => {
    const url = base + path
    const known = await cache?.get(url)
    const { answer, body, etag } = await persist(url, known, signal)
    const value = parse(body)
    if (!isExpected(value)) throw refusal(answer, "")
    if (etag !== null && etag !== known?.etag) await cache?.set(url, { etag, body })
    return value
  }
}

/** An error in words. `fetch` has the reason in its error's cause, which may have only a code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error as Error & { readonly cause?: { message?: unknown; code?: unknown } | null }
  const reason = cause?.message || cause?.code
  return typeof reason === "string" ? `${message} (${reason})` : message
}

const codeOf = (status: number): RequestErrorCode | undefined => {
  if (status === 429) return "rate_limited"
  if (status < 500) return undefined
  return status >= 502 && status <= 504 ? "unavailable" : "server_error"
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The message of an error answer of the API (§7). */
const messageOf = (value: unknown): string | undefined => {
  const message = (value as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === "string" ? message : undefined
}

/** Milliseconds before the next try: from the answer, or {@link backoff}. */
export const pauseAfter = ({ retryAfter }: DesignwireRequestError, retries: number): number =>
  retryAfter === undefined ? backoff(retries) : retryAfter * 1000

/**
 * Milliseconds before the next try if no answer names them: half to all of 0.5 seconds, which doubles each time up to
 * 8 seconds. Random, so that many clients do not come back at once.
 */
const backoff = (retries: number): number => Math.min(500 * 2 ** retries, 8000) * (0.5 + Math.random() / 2)

/** `Retry-After` in seconds: it is a number of seconds or a date (RFC 9110 §10.2.3). */
const secondsOf = (text: string | null): number | undefined => {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
