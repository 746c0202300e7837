/** Requests to the APIs of platforms, sent the way webhooks go: only to approved addresses, bounded (D88). */
import { Data, Effect, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { ownerOf, type PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import { parsePayload } from "../../model/json/ParseJson.ts"
import { HostLookup } from "../../ports/HostLookup.ts"
import { WebhookPolicy } from "../../ports/WebhookPolicy.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { type ApiFault, type ApiRequest, faultOfStatus, unreadable } from "../../rules/ingest/ApiAnswer.ts"
import { shopifyFault, waitAfter } from "../../rules/ingest/ShopifyApi.ts"
import { makeApprove } from "../../support/Approval.ts"
import { ServiceName } from "../../support/DeliveryHeaders.ts"
import { open } from "../../support/SealedSecret.ts"

/** A platform has not answered. */
export class NotAnswered extends Data.TaggedError("NotAnswered")<ApiFault> {}

/** Milliseconds that an answer may take, and connecting. A page of orders takes WooCommerce some seconds. */
const [timeout, connectTimeout] = [60_000, 5_000]

/** The most bytes of an answer. */
const responseLimit = 32 * 1024 ** 2

/** How often a request is repeated that was throttled, and the longest wait before it is, in milliseconds. */
const [mostRepeats, longestWait] = [5, 60_000]

/** The most requests of one look: a platform may answer with another page for ever. */
const mostRequests = 5_000

/** How long to wait if a throttled answer does not say, in milliseconds. */
const usualWait = 2_000

const outage = (message: string) => new NotAnswered({ kind: "outage", message, wait: null })

/** The header that shows the access key. */
const authorization = ({ platform }: PlatformRecord, key: string) =>
  platform === "shopify" ? { "X-Shopify-Access-Token": key } : { Authorization: `Basic ${Base64.encode(key)}` }

/** A sender of requests to the API of a connection's platform. */
export type Ask = Effect.Success<ReturnType<typeof makeAsk>>

/**
 * Makes the function that asks the API of a connection's platform, and returns the answer as JSON. A request that was
 * throttled is repeated after the wait that the platform asks for. The functions fail with {@link NotAnswered}.
 *
 * Platforms are asked over https. A domain with a port is asked over http if the policy allows that, for tests.
 */
export const makeAsk = Effect.fnUntraced(function* (record: PlatformRecord) {
  const policy = yield* WebhookPolicy
  const approve = makeApprove(policy, (yield* HostLookup).lookup)
  const { send } = yield* WebhookSender
  const agent = `${yield* ServiceName}/1.0`
  const { accessKey, domain, shop } = record
  if (accessKey === null)
    return yield* new NotAnswered({ kind: "key", message: "The connection has no access key", wait: null })
  const key = Redacted.value(
    yield* open(accessKey, ownerOf(record)).pipe(
      Effect.mapError(({ message }) => new NotAnswered({ kind: "key", message, wait: null })),
    ),
  )
  const scheme = policy.allowHttp && /:\d+(?:\/|$)/.test(domain) ? "http" : "https"
  let requests = 0
  const once = Effect.fnUntraced(function* ({ body, method, path }: ApiRequest) {
    requests += 1
    if (requests > mostRequests) return yield* outage(`It was asked ${mostRequests} times, and has not come to an end`)
    const { addresses, destination } = yield* approve({ shop, url: `${scheme}://${domain}${path}` }).pipe(
      Effect.catchTags({
        NotApproved: ({ message }) => outage(`The domain of the connection is refused: ${message}`),
        LookupFailed: () => outage("The domain of the connection was not found"),
      }),
    )
    const content = body === undefined ? {} : { "Content-Type": "application/json" }
    const { error, responseStart, retryAfter, statusCode } = yield* send({
      ...{ url: destination.href, addresses, method, timeout, connectTimeout, responseLimit },
      headers: { "User-Agent": agent, Accept: "application/json", ...content, ...authorization(record, key) },
      body: body === undefined ? "" : JSON.stringify(body),
    })
    if (statusCode === null) return yield* outage(`The platform has not answered: ${error}`)
    const fault = faultOfStatus(statusCode, retryAfter)
    if (fault !== undefined) return yield* new NotAnswered(fault)
    const json = Result.mapError(parsePayload(responseStart ?? ""), (problem) =>
      unreadable(problem ?? "The body is not JSON, or ends in the middle"),
    )
    if (Result.isFailure(json)) return yield* new NotAnswered(json.failure)
    const said = record.platform === "shopify" ? shopifyFault(json.success) : undefined
    return said === undefined ? json.success : yield* new NotAnswered(said)
  })
  const patiently = (request: ApiRequest, repeats = 0): Effect.Effect<unknown, NotAnswered> =>
    Effect.catchTag(once(request), "NotAnswered", (fault) => {
      const wait = fault.wait ?? usualWait * 2 ** repeats
      if (fault.kind !== "throttled" || repeats >= mostRepeats || wait > longestWait) return Effect.fail(fault)
      return Effect.andThen(Effect.sleep(wait), patiently(request, repeats + 1))
    })
  return <A>(request: ApiRequest, read: (answer: unknown) => Result.Result<A, ApiFault>) =>
    Effect.gen(function* () {
      const answer = yield* patiently(request)
      const wait = record.platform === "shopify" ? waitAfter(answer) : 0
      // The next request likely costs as much as this one.
      if (wait > 0) yield* Effect.sleep(wait)
      return yield* Effect.mapError(Effect.fromResult(read(answer)), (fault) => new NotAnswered(fault))
    })
})
