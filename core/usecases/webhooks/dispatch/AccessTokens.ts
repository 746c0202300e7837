/** The access tokens of endpoints (D55), each kept while it lasts. */
import { Cache, Clock, Context, Data, Effect, Exit, Option } from "effect"
import type { Aead, Kdf } from "effect/crypto"
import type { Instant } from "../../../model/Instant.ts"
import type { SealedCredentials } from "../../../model/webhooks/ClientCredentials.ts"
import type { OwnHeaders } from "../../../model/webhooks/OwnHeaders.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"
import { HostLookup } from "../../../ports/HostLookup.ts"
import type { KeyRing } from "../../../ports/KeyRing.ts"
import { WebhookPolicy } from "../../../ports/WebhookPolicy.ts"
import { WebhookSender } from "../../../ports/WebhookSender.ts"
import { type AccessToken, authorizedBy, tokenIn, tokenRequest } from "../../../rules/webhooks/AccessToken.ts"
import { makeApprove } from "../../../support/Approval.ts"
import { ServiceName } from "../../../support/DeliveryHeaders.ts"
import { open, type UnopenedSecret } from "../../../support/SealedSecret.ts"
import { attemptTimeout, connectTimeout } from "./WorkerOptions.ts"

/** The token endpoint gave no token, for a reason that the endpoint's owner can do something about. */
export class NoToken extends Data.TaggedError("NoToken")<{ readonly message: string }> {}

/** Whose token it is. Another secret has another sealed text, so that a token belongs to the settings at present. */
interface Client extends SealedCredentials {
  readonly shop: string
  readonly endpointId: string
}

/** How many endpoints' tokens are remembered. */
const capacity = 10_000

/** The most bytes of an answer that are read. A token has at most 8 KiB. */
const responseLimit = 16_384

/** Requests a token the way webhooks go: only from an approved address, without following a redirect. */
const request = Effect.fnUntraced(
  function* ({ endpointId, sealed, shop, tokenUrl, ...client }: Client) {
    const secret = yield* open(sealed, endpointId)
    const { addresses, destination } = yield* makeApprove(
      yield* WebhookPolicy,
      (yield* HostLookup).lookup,
    )({ shop, url: tokenUrl })
    const { body, headers } = tokenRequest(client, secret)
    const { error, responseStart, statusCode } = yield* (yield* WebhookSender).send({
      ...{ url: destination.href, addresses, body, responseLimit, timeout: attemptTimeout, connectTimeout },
      headers: { "User-Agent": `${yield* ServiceName}-Webhooks/1.0`, ...headers },
    })
    if (statusCode === null) {
      const why = error === "tls" && responseStart !== null ? `${error}. ${responseStart}` : error
      return yield* new NoToken({ message: `The token endpoint gave no answer: ${why}` })
    }
    return yield* Effect.mapError(
      Effect.fromResult(tokenIn(statusCode, responseStart ?? "")),
      (message) => new NoToken({ message }),
    )
  },
  Effect.catchTags({
    NotApproved: () => new NoToken({ message: "The token URL leads to an address that nothing may be sent to" }),
    LookupFailed: () => new NoToken({ message: "The host of the token URL was not found" }),
  }),
)

type Services = KeyRing | Aead.Aead | Kdf.Kdf | HostLookup | WebhookSender

/** The tokens of this process, which outlive a drain. Failures are not kept. */
const Tokens = Context.Reference<Cache.Cache<Client, AccessToken, NoToken | UnopenedSecret, Services>>(
  "designwire/AccessTokens",
  {
    defaultValue: () =>
      Effect.runSync(
        Cache.makeWith(request, {
          capacity,
          timeToLive: Exit.match({ onFailure: () => 0, onSuccess: ({ lasts }) => lasts }),
          requireServicesAt: "lookup",
        }),
      ),
  },
)

/**
 * Makes a function that adds the access token of an endpoint, if it has an OAuth client, to the headers of an attempt
 * that ends at the instant `until`. If the receiver answers 401, `drop` drops the token, unless it was replaced
 * meanwhile. Attempts that need a token of one endpoint at the same time share a request for it. The function fails
 * with {@link NoToken} and `UnopenedSecret`.
 */
export const makeAuthorize = Effect.gen(function* () {
  const services = yield* Effect.context<Services>()
  const tokens = yield* Tokens
  return Effect.fnUntraced(function* (claim: Claim, headers: OwnHeaders, until: Instant) {
    const { oauth } = claim.options
    if (oauth === null) return { headers, drop: Effect.void }
    const client = { ...oauth, shop: claim.shop, endpointId: claim.endpointId }
    const token = yield* Cache.get(tokens, client).pipe(
      Effect.timeoutOrElse({
        duration: until - (yield* Clock.currentTimeMillis),
        orElse: () => new NoToken({ message: "The token endpoint gave no answer: timeout" }),
      }),
      Effect.provideContext(services),
    )
    const drop = Effect.flatMap(Cache.getSuccess(tokens, client), (kept) =>
      Option.contains(kept, token) ? Cache.invalidate(tokens, client) : Effect.void,
    )
    return { headers: authorizedBy(token, headers), drop: Effect.provideContext(drop, services) }
  })
})
