import { createHmac, hkdfSync } from "node:crypto"
import { Console, Effect, Option } from "effect"
import { createClient, type FeedEvent } from "../../client/index.ts"
import { SettingsError } from "../Settings.ts"
import { tokenVariable } from "../UnknownSettings.ts"
import { envelopesIn } from "./Envelopes.ts"
import { makeSend, reasonOf, type Send } from "./Outgoing.ts"

/** What `designwire listen` was asked for. */
export interface ListenOptions {
  readonly url: string
  readonly token: Option.Option<string>
  readonly forwardTo: Option.Option<string>
  readonly types: Option.Option<string>
  readonly since: Option.Option<string>
  readonly printSecret: boolean
}

/** What it runs with. */
export interface ListenWorld {
  readonly send: Send
  /** Prints a line. */
  readonly print: (line: string) => void
  /** Milliseconds between two looks at the end of the feed. */
  readonly interval: number
  readonly now: () => number
}

/** A second: 60 requests a minute, half of what a token has. */
const interval = 1_000

/** As an endpoint has (§6). */
const timeout = 5_000

/** `designwire listen`: follows the feed and forwards what happens, until it is stopped. */
export const listen = Effect.fn("listen")(function* (options: ListenOptions) {
  const token = yield* tokenOf(options)
  if (options.printSecret) return yield* Console.log(secretOf(token))
  const following = yield* prepare({ ...options, token })
  const world = { send: makeSend(), print: (line: string) => console.log(line), interval, now: Date.now }
  yield* Effect.tryPromise({ try: (signal) => follow(following, world, signal), catch: (error) => error as Error })
})

const tokenOf = ({ token }: ListenOptions) => {
  const given = Option.getOrElse(token, () => process.env[tokenVariable] ?? "")
  return given === "" ? refused(`Give an API token: --token cmz_…, or ${tokenVariable}`) : Effect.succeed(given)
}

/**
 * The secret that forwarded deliveries are signed with: always the same for a token, on every machine. It is derived, so that whoever has it can't read
 * the store with it.
 */
export const secretOf = (token: string): string =>
  `whsec_${Buffer.from(hkdfSync("sha256", token, "", "designwire listen", 32)).toString("base64")}`

/** What to follow, once the options were found to be fine. */
export interface Following {
  readonly url: string
  readonly token: string
  readonly forwardTo: string | undefined
  readonly types: ReadonlyArray<FeedEvent["event"]> | undefined
  /** In milliseconds; `undefined` for what happens from now on. */
  readonly since: number | undefined
}

const kinds: ReadonlyArray<string> = ["design.ordered", "order.cancelled", "design.created"]

export const prepare = Effect.fnUntraced(function* (
  options: Omit<ListenOptions, "token"> & { readonly token: string },
  now: number = Date.now(),
): Effect.fn.Return<Following, SettingsError> {
  const url = addressOf(options.url)
  if (url === undefined) return yield* refused(`--url must be the service's address, e.g. https://designs.example.com`)
  if (url.pathname === "/") url.pathname = "/api/v1"
  const forwardTo = Option.map(options.forwardTo, addressOf)
  if (Option.isSome(forwardTo) && forwardTo.value === undefined) {
    return yield* refused("--forward-to must be an http(s) address, e.g. http://localhost:3000/hooks")
  }
  const types = Option.map(options.types, (text) => text.split(","))
  if (Option.isSome(types) && !types.value.every((type) => kinds.includes(type))) {
    return yield* refused(`--types must be one or more of ${kinds.join(", ")}, separated by commas`)
  }
  const since = Option.map(options.since, (text) => timeOf(text, now))
  if (Option.isSome(since) && since.value === undefined) {
    return yield* refused("--since must be a time, e.g. 2026-11-20T12:00:00Z, or how long ago, e.g. 10m, 2h or 3d")
  }
  return {
    url: url.href,
    token: options.token,
    forwardTo: Option.getOrUndefined(forwardTo)?.href,
    types: Option.getOrUndefined(types) as Following["types"],
    since: Option.getOrUndefined(since),
  }
})

const addressOf = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const timeOf = (text: string, now: number): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0)
  const time = /^\d{4}-\d\d-\d\d(?:T.+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Follows the feed and forwards its events, one after the other, until the signal is aborted or the service refuses. */
export const follow = async (
  { forwardTo, since, token, types, url }: Following,
  { interval, now, print, send }: ListenWorld,
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
  { now, send }: Pick<ListenWorld, "send" | "now">,
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

const refused = (message: string) => Effect.fail(new SettingsError({ message, problems: [message] }))
