import { createHmac } from "node:crypto"
import { createClient, type FeedEvent } from "../../client/index.ts"
import { envelopesIn } from "./Envelopes.ts"
import type { Following } from "./ListenOptions.ts"
import { secretOf } from "./ListenSecret.ts"
import { reasonOf, type Send } from "./Outgoing.ts"

/** What it runs with. */
export interface FollowWorld {
  readonly send: Send
  /** Prints a line. */
  readonly print: (line: string) => void
  /** Milliseconds between two looks at the end of the feed. */
  readonly interval: number
  readonly now: () => number
}

/** As an endpoint has (§6). */
const timeout = 5_000

/** Follows the feed and forwards its events, one after the other, until the signal is aborted or the service refuses. */
export const follow = async (
  { forwardTo, since, token, types, url }: Following,
  { interval, now, print, send }: FollowWorld,
  signal: AbortSignal,
): Promise<void> => {
  const stamp = () => new Date(now()).toISOString().slice(0, 19).replace("T", " ")
  let page = ""
  let isReady = false
  let isDown = false
  const say = (trouble: string | undefined) => {
    if (!isReady) return
    if (trouble !== undefined && !isDown) print(`${stamp()}  !!  The service can't be asked: ${trouble}; trying on`)
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
        if (!signal.aborted) say(reasonOf(error))
        throw new Error(reasonOf(error), { cause: error })
      }
    },
  })
  const start = since === undefined ? (await client.events.list({ after: "latest" }, { signal })).pagination : undefined
  isReady = true
  const from = since === undefined ? "from now on" : `since ${new Date(since).toISOString()}`
  print(`Ready: following ${url} ${from}${forwardTo === undefined ? "" : `, forwarding to ${forwardTo}`}`)
  if (forwardTo !== undefined) print(`Deliveries are signed with ${secretOf(token)}`)
  for await (const { events } of client.events.follow({ after: start?.nextCursor, types, interval, signal })) {
    const bodies = envelopesIn(page)
    for (const [index, event] of events.entries()) {
      if (since !== undefined && Date.parse(event.createdAt) < since) continue
      print(`${stamp()}  -->  ${event.event}  ${event.id}`)
      if (forwardTo === undefined) continue
      const body = bodies[index] ?? JSON.stringify(event)
      const outcome = await deliver({ forwardTo, token, event, body }, { send, now }, signal)
      print(`${stamp()}  <--  ${outcome}  ${event.id}`)
    }
  }
}

/** Sends a delivery as the service would (§6), and tells what came of it and how long it took. */
const deliver = async (
  { body, event, forwardTo, token }: { forwardTo: string; token: string; event: FeedEvent; body: string },
  { now, send }: Pick<FollowWorld, "send" | "now">,
  signal: AbortSignal,
): Promise<string> => {
  const timestamp = String(Math.floor(now() / 1_000))
  const signature = createHmac("sha256", secretOf(token)).update(`${timestamp}.${body}`).digest("hex")
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Designwire-Webhooks/1.0",
    "X-Service-Event": event.event,
    "X-Service-Delivery": `dlv_${event.id.slice(4)}`,
    "X-Service-Timestamp": timestamp,
    "X-Service-Signature": signature,
  }
  const begin = performance.now()
  const took = () => `${Math.round(performance.now() - begin)} ms`
  try {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    const answer = await send(forwardTo, { method: "POST", headers, body, signal: ending })
    await answer.text()
    return `${answer.status}  ${took()}`
  } catch (error) {
    signal.throwIfAborted()
    return `failed: ${reasonOf(error)}  ${took()}`
  }
}
