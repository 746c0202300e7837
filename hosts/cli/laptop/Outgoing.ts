/**
 * Requests from a laptop: through the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, unless they go to this
 * machine.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch } from "undici"

/** Whether an address leads to this machine, by its text. */
export const isLocal = (url: string | URL): boolean =>
  /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** A request; the body is text. */
export interface Outgoing {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** The response. */
export interface Incoming {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
}

/** Sends a request, and follows no redirect. */
export type Send = (url: string, outgoing: Outgoing) => Promise<Incoming>

/** A way to send requests. */
export const makeSend = (): Send => {
  const direct: Dispatcher = new Agent()
  const proxied: Dispatcher = new EnvHttpProxyAgent()
  return (url, outgoing) => fetch(url, { ...outgoing, redirect: "manual", dispatcher: isLocal(url) ? direct : proxied })
}

/** The reason why a request failed, in a few words. It is in the cause of `fetch`'s error. */
export const innermostMessage = (error: unknown): string => {
  const { cause, code, message } = error as {
    readonly cause?: unknown
    readonly code?: string
    readonly message?: string
  }
  if (cause !== undefined) return innermostMessage(cause)
  return message || code || String(error)
}
