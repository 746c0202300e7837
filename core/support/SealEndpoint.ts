/** Checks and seals an endpoint's input before it is stored. */
import { Clock, Effect, Redacted } from "effect"
import { type RefusalReason, refusedAt } from "../model/Errors.ts"
import { format } from "../model/Instant.ts"
import { logged } from "../model/log/LogEvent.ts"
import type { ClientCertificate } from "../model/webhooks/ClientCertificate.ts"
import type { ClientCredentials } from "../model/webhooks/ClientCredentials.ts"
import type { EndpointOptions, OptionInput } from "../model/webhooks/EndpointOptions.ts"
import type { UrlOfShop } from "../model/webhooks/HostPolicy.ts"
import type { OwnHeaders } from "../model/webhooks/OwnHeaders.ts"
import { CertificateReader } from "../ports/CertificateReader.ts"
import { HostLookup } from "../ports/HostLookup.ts"
import { WebhookPolicy } from "../ports/WebhookPolicy.ts"
import { makeApprove } from "./Approval.ts"
import { seal, sealValue } from "./SealedSecret.ts"

/** How long adding an endpoint waits for the look-up of its host. */
const lookupPatience = "5 seconds"

/** Fails with `Refused` if an endpoint would have a header `Authorization` of its owner's and access tokens (D55). */
export const requireOneAuthorization = (kept: EndpointOptions, given: OptionInput) => {
  const names = given.headers === undefined ? (kept.headers?.names ?? []) : Object.keys(given.headers ?? {})
  const oauth = given.oauth === undefined ? kept.oauth : given.oauth
  if (oauth === null || !names.some((name) => name.toLowerCase() === "authorization")) return Effect.void
  const message = "An endpoint has a header Authorization of its own or oauth, which sets that header, but not both"
  return refusedAt("oauth", message, { code: "oneAuthorization" })
}

/** The endpoint for which secrets are sealed. */
interface SealedFor {
  readonly shop: string
  readonly endpointId: string
}

/** The options that were given, as they are kept. Fails with `Refused`. */
export const sealOptions = Effect.fnUntraced(function* (
  { clientCertificate, headers, oauth, ...open }: OptionInput,
  owner: SealedFor,
) {
  const options: Partial<EndpointOptions> = {
    ...open,
    ...(headers === undefined ? {} : { headers: yield* sealHeaders(headers, owner) }),
    ...(oauth === undefined ? {} : { oauth: yield* sealCredentials(oauth, owner) }),
    ...(clientCertificate === undefined ? {} : { clientCertificate: yield* sealCertificate(clientCertificate, owner) }),
  }
  return options
})

/** Seals the secret of an endpoint's OAuth client; `null` if there is none. Fails with `Refused` (D34–D36, D55). */
const sealCredentials = Effect.fnUntraced(function* (
  credentials: ClientCredentials | null,
  { endpointId, shop }: SealedFor,
) {
  if (credentials === null) return null
  const { audience = null, clientId, clientSecret, scope = null, tokenUrl } = credentials
  return {
    tokenUrl: yield* approvedUrl({ shop, url: tokenUrl }, "oauth.tokenUrl"),
    ...{ clientId, scope, audience },
    sealed: yield* seal(Redacted.make(clientSecret), endpointId),
  }
})

/** Seals headers for an endpoint; `null` if there are none. */
const sealHeaders = Effect.fnUntraced(function* (headers: OwnHeaders | null, { endpointId }: SealedFor) {
  const names = Object.keys(headers ?? {})
  return names.length === 0 ? null : { names, sealed: yield* sealValue(headers, endpointId) }
})

/** Seals a client certificate; `null` if there is none. Fails with `Refused` if it can't be used or is over (D55). */
const sealCertificate = Effect.fnUntraced(function* (given: ClientCertificate | null, { endpointId }: SealedFor) {
  if (given === null) return null
  const refuse = (message: string, code: RefusalReason["code"]) => refusedAt("clientCertificate", message, { code })
  const reader = yield* CertificateReader
  const { endsAt, subject } = yield* Effect.mapError(
    reader.read(given.certificate, Redacted.make(given.key)),
    ({ code = "certificate", message }) => refuse(message, code),
  )
  if (endsAt <= (yield* Clock.currentTimeMillis)) return yield* refuse("The certificate has ended", "ended")
  return { subject, endsAt: format(endsAt), sealed: yield* sealValue(given, endpointId) }
})

/** The URL in the form that is connected to, if that is allowed. `path` is the field that it is in. */
export const approvedUrl = Effect.fnUntraced(function* (url: UrlOfShop, path = "url") {
  const hosts = yield* HostLookup
  const policy = yield* WebhookPolicy
  const { destination } = yield* makeApprove(
    policy,
    hosts.lookup,
  )(url).pipe(
    Effect.timeoutOrElse({
      duration: lookupPatience,
      orElse: () => Effect.fail({ message: "The URL's host was not found in time" }),
    }),
    Effect.tapError((error) =>
      "found" in error
        ? Effect.logWarning(`A webhook URL of the shop ${url.shop} is refused: ${error.found}`).pipe(
            logged("webhooks.url_refused", { shop: url.shop }),
          )
        : Effect.void,
    ),
    Effect.mapError((error) => refusedAt(path, error.message, "reason" in error ? error.reason : { code: "notFound" })),
  )
  return destination.href
})
