import { hkdfSync } from "node:crypto"
import { Effect, Redacted } from "effect"
import { bodiesOf } from "../../../core/model/events/EventPage.ts"
import { printable } from "../../../core/model/log/Printable.ts"
import { makeDeliveryHeaders } from "../../../core/support/DeliveryHeaders.ts"
import { keyFrom } from "../../../core/support/SigningKeys.ts"
import { layerCrypto } from "../../../core/support/WebCrypto.ts"
import { attemptTimeout } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { createClient, type FeedEvent } from "../../client/index.ts"
import type { Following } from "./ListenOptions.ts"
import { innermostMessage, type Send } from "./Outgoing.ts"

/**
 * The secret that forwarded deliveries are signed with: always the same for a token, on every machine. It is derived
 * from the token, so that its holders can't read the store.
 */
export const secretOf = (token: string): string =>
  `whsec_${Buffer.from(hkdfSync("sha256", token, "", "designwire listen", 32)).toString("base64")}`

/** The surroundings of {@link follow}. */
export interface FollowWorld {
  readonly send: Send
  /** Prints a line. */
  readonly print: (line: string) => void
  /** Milliseconds between two requests at the end of the feed. */
  readonly interval: number
  readonly now: () => number
}

/**
 * Follows the feed and forwards its events, one after the other, until the signal is aborted or the service refuses.
 */
export const follow = async (
  { forwardTo, since, token, types, url }: Following,
  { interval, now, print: printLine, send }: FollowWorld,
  signal: AbortSignal,
): Promise<void> => {
  const print = (line: string) => printLine(printable(line))
  const stamp = () => new Date(now()).toISOString().slice(0, 19).replace("T", " ")
  let page = ""
  let isReady = false
  let isDown = false
  const say = (trouble: string | undefined) => {
    if (!isReady) return
    if (trouble !== undefined && !isDown)
      print(`${stamp()}  !!  The service can't be reached: ${trouble}; trying again`)
    if (trouble === undefined && isDown) print(`${stamp()}  ok  The service answers again`)
    isDown = trouble !== undefined
  }
  const client = createClient({
    url,
    token,
    maxRetries: 0,
    fetch: async (address, init) => {
      try {
        const answer = await send(address, init)
        page = await answer.text()
        say(answer.status >= 500 || answer.status === 429 ? `it answered ${answer.status}` : undefined)
        const text = page
        return { status: answer.status, headers: answer.headers, text: async () => text }
      } catch (error) {
        if (!signal.aborted) say(innermostMessage(error))
        throw new Error(innermostMessage(error), { cause: error })
      }
    },
  })
  const start = since === undefined ? (await client.events.list({ after: "latest" }, { signal })).pagination : undefined
  isReady = true
  const from = since === undefined ? "from now on" : `since ${new Date(since).toISOString()}`
  print(`Ready: following ${url} ${from}${forwardTo === undefined ? "" : `, forwarding to ${forwardTo}`}`)
  if (forwardTo !== undefined) print(`Deliveries are signed with ${secretOf(token)}`)
  const headersOf = await Effect.runPromise(makeHeaders(token))
  for await (const { events } of client.events.follow({ after: start?.nextCursor, types, interval, signal })) {
    const bodies = bodiesOf(page)
    for (const [index, event] of events.entries()) {
      if (since !== undefined && Date.parse(event.createdAt) < since) continue
      print(`${stamp()}  -->  ${event.event}  ${event.id}`)
      if (forwardTo === undefined) continue
      const body = bodies[index] ?? JSON.stringify(event)
      const headers = await Effect.runPromise(headersOf(event, body, now()))
      const outcome = await deliver({ forwardTo, headers, body }, send, signal)
      print(`${stamp()}  <--  ${outcome}  ${event.id}`)
    }
  }
}

/** Returns a function that makes the headers of a delivery (§6), signed with the secret of a token. */
const makeHeaders = Effect.fnUntraced(function* (token: string) {
  const headersOf = yield* makeDeliveryHeaders
  const key = yield* keyFrom(Redacted.make(secretOf(token)))
  return ({ event, id }: FeedEvent, body: string, at: number) =>
    headersOf({ id: `dlv_${id.slice(4)}`, event, body }, at, key)
}, Effect.provide(layerCrypto))

/** Sends a delivery, and returns its outcome and how long it took. */
const deliver = async (
  { body, forwardTo, headers }: { forwardTo: string; headers: Readonly<Record<string, string>>; body: string },
  send: Send,
  signal: AbortSignal,
): Promise<string> => {
  const begin = performance.now()
  const took = () => `${Math.round(performance.now() - begin)} ms`
  try {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeout)])
    const answer = await send(forwardTo, { method: "POST", headers, body, signal: ending })
    await answer.text()
    return `${answer.status}  ${took()}`
  } catch (error) {
    signal.throwIfAborted()
    return `failed: ${innermostMessage(error)}  ${took()}`
  }
}
