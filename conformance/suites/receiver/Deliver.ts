/** Signs and sends deliveries to a receiver under test, for Node. */
import { createHmac } from "node:crypto"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { Clock, Context, Effect } from "effect"
import examples from "../../../core/api/examples.json" with { type: "json" }
import { AssertionFailed, holds } from "../Assertion.ts"
import { unique } from "../storage/support/Fixtures.ts"

/** A request to the receiver. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds over which the body is sent in pieces. Default: 0. */
  readonly over?: number
}

/** The answer of the receiver. */
export interface Answer {
  readonly status: number
  /** The beginning of the body. */
  readonly text: string
  readonly durationMs: number
}

/** The receiver under test. */
export class Deliver extends Context.Service<
  Deliver,
  {
    readonly send: (delivery: Delivery) => Effect.Effect<Answer, AssertionFailed>
    /** Headers of a delivery that is signed with the receiver's secret, or another one. */
    readonly sign: (what: Signing) => Readonly<Record<string, string>>
  }
>()("designwire/Deliver") {}

/** The input of a signature. */
export interface Signing {
  readonly body: string
  /** Unix time in seconds. */
  readonly timestamp: number
  /** Default: the receiver's. */
  readonly secret?: string
}

/** A secret that the receiver does not know. */
export const otherSecret = "whsec_QSBzZWNyZXQgdGhhdCBub2JvZHkga25vd3M="

/** The headers of this specification, and those of Standard Webhooks if the receiver is to have them (§5-7, D41). */
export const signing =
  (own: string, isStandard: boolean) =>
  ({ body, secret = own, timestamp }: Signing): Readonly<Record<string, string>> => {
    const { event, id } = JSON.parse(body) as { readonly id: string; readonly event: string }
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
    const standard = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
    return {
      "Content-Type": "application/json",
      "User-Agent": "Conformance-Webhooks/1.0",
      "X-Service-Event": event,
      "X-Service-Delivery": `dlv_${unique()}`,
      "X-Service-Timestamp": String(timestamp),
      "X-Service-Signature": createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"),
      ...(isStandard
        ? { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${standard}` }
        : {}),
    }
  }

/** Milliseconds that a receiver has to answer (§8), and after which the case gives up. */
const [allowed, patience] = [5_000, 15_000]

/** Of an answer this much is kept. */
const keptLength = 1_024

/** Sends a delivery over a connection of its own. */
export const sending =
  (url: string) =>
  ({ body, headers, over = 0 }: Delivery): Effect.Effect<Answer, AssertionFailed> =>
    Effect.callback<Answer, AssertionFailed>((resume) => {
      const began = performance.now()
      const bytes = Buffer.from(body)
      const open = url.startsWith("https:") ? requestHttps : requestHttp
      const lengths = { "Content-Length": bytes.length }
      const outgoing = open(url, { method: "POST", agent: false, headers: { ...headers, ...lengths } })
      const failed = (why: string) => resume(Effect.fail(new AssertionFailed({ message: `got no answer: ${why}` })))
      outgoing.setTimeout(patience, () => outgoing.destroy(new Error(`none within ${patience} ms`)))
      outgoing.on("error", ({ message }) => failed(message))
      outgoing.on("response", (response) => {
        let text = ""
        const done = () =>
          resume(Effect.succeed({ status: response.statusCode ?? 0, text, durationMs: performance.now() - began }))
        response.setEncoding("utf8").on("end", done).on("error", done)
        response.on("data", (part: string) => {
          text = (text + part).slice(0, keptLength)
          // An answer without an end has been given all the same.
          if (text.length === keptLength) response.destroy()
        })
        response.on("close", done)
      })
      const pieces = over === 0 ? 1 : 8
      const size = Math.ceil(bytes.length / pieces)
      const write = (index: number) => {
        if (index === pieces) {
          outgoing.end()
          return
        }
        outgoing.write(bytes.subarray(index * size, (index + 1) * size))
        timer = setTimeout(() => write(index + 1), over / pieces)
      }
      let timer: NodeJS.Timeout | undefined
      write(0)
      return Effect.sync(() => {
        clearTimeout(timer)
        outgoing.destroy()
      })
    })

/** A kind of event of the specification. */
export type Kind = keyof typeof examples.webhooks

/** The kinds of events. */
export const kinds = Object.keys(examples.webhooks) as ReadonlyArray<Kind>

/** An event of the examples as it happens now, with other fields. */
export const eventOf = Effect.fnUntraced(function* (kind: Kind, fields: Readonly<Record<string, unknown>> = {}) {
  const createdAt = new Date(yield* Clock.currentTimeMillis).toISOString().replace("Z", "+00:00")
  return { ...examples.webhooks[kind].body, id: `evt_${unique()}`, createdAt, ...fields }
})

/** A change of a delivery before it is sent, or of its signing. */
export interface Change {
  /** Seconds by which the timestamp is off. */
  readonly off?: number
  readonly secret?: string
  readonly over?: number
  readonly headers?: (signed: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  readonly body?: (signed: string) => string
}

/** Signs an event and sends it. */
const deliver = Effect.fnUntraced(function* (text: string, change: Change = {}) {
  const { body = (signed: string) => signed, headers = (signed) => signed, off = 0, over = 0, secret } = change
  const { send, sign } = yield* Deliver
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + off
  const signed = sign({ body: text, timestamp, ...(secret === undefined ? {} : { secret }) })
  return yield* send({ headers: headers(signed), body: body(text), over })
})

/** Expects the receiver to accept: 2xx in time. */
export const accepts = Effect.fnUntraced(function* (what: string, text: string, change: Change = {}) {
  const { durationMs, status, text: answered } = yield* deliver(text, change)
  yield* holds(`${what} is answered with 2xx: got ${status} ${answered}`, status >= 200 && status < 300)
  const own = durationMs - (change.over ?? 0)
  yield* holds(`${what} is answered within ${allowed} ms: it took ${Math.round(own)} ms`, own <= allowed)
})

/** Expects the receiver to reject: any 4xx, since not all can choose 401. */
export const rejects = Effect.fnUntraced(function* (what: string, text: string, change: Change) {
  const { status, text: answered } = yield* deliver(text, change)
  yield* holds(`${what} is answered with 401 or another 4xx: got ${status} ${answered}`, status >= 400 && status < 500)
})
