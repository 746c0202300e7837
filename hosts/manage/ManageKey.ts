import { Clock, Effect, Layer, Option, Redacted, Result } from "effect"
import { Digest, Mac } from "effect/crypto"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { IpNetwork, NetAddress } from "effect/net"
import { answerOf } from "../../core/api/ErrorAnswers.ts"
import { countRefusal } from "../../core/api/RateLimit.ts"
import { managementKey } from "../../core/model/audit/Actor.ts"
import { RateLimited, Unauthorized } from "../../core/model/Errors.ts"
import * as Errors from "../../core/operations/Errors.ts"
import { CurrentActor } from "../../core/support/Auditing.ts"
import { KeyLimit, makeFailedKeys } from "./FailedKeys.ts"

const bearer = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The manage key, as the environment variable DESIGNWIRE_MANAGE_KEY gives it",
  ),
)

/** Requires the manage key for every request to the management API. */
export class ManageKey extends HttpApiMiddleware.Service<ManageKey>()("designwire/manage/ManageKey", {
  error: [
    Errors.Unauthorized.annotate({ description: "The manage key is missing or wrong" }),
    Errors.RateLimited.annotate({ description: "Too many wrong manage keys came from this address: see Retry-After" }),
  ],
  security: { manageKey: bearer },
}) {}

const utf8 = new TextEncoder()

/**
 * Compares keys with the manage key, in constant time. After too many wrong keys from an address, no key from it is
 * compared for a while: the result is then the number of milliseconds that are left.
 */
export const makeKeyComparison = Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
  const digest = yield* Digest.Digest
  const sha256 = (text: string) => digest.digest(Digest.sha256, utf8.encode(text))
  const expected = yield* sha256(Redacted.value(key))
  const limit = yield* KeyLimit
  const failed = limit === null ? undefined : makeFailedKeys(limit)
  return Effect.fnUntraced(function* (credential: Redacted.Redacted<string>) {
    const text = Redacted.value(credential)
    if (text === "") return "wrong"
    const request = yield* HttpServerRequest.HttpServerRequest
    const from = network(Option.getOrElse(request.remoteAddress, () => ""))
    const now = yield* Clock.currentTimeMillis
    const wait = failed?.wait(from, now) ?? 0
    if (wait > 0) return yield* Effect.as(countRefusal("manage_key"), wait)
    if (Mac.timingSafeEqual(yield* sha256(text), expected)) return "right"
    failed?.add(from, now)
    return "wrong"
  })
})

type KeyComparison = Effect.Success<ReturnType<typeof makeKeyComparison>>

/** Adds headers to the answer to the current request, whatever it will be. */
const addHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers)),
  )

const refused = Effect.andThen(
  addHeaders({ "www-authenticate": "Bearer" }),
  Effect.fail(new Unauthorized({ message: "The manage key is needed: Authorization: Bearer …" })),
)

/** Returns a check that fails unless a credential equals the key of a comparison. */
export const keyCheck = (compare: KeyComparison) =>
  Effect.fnUntraced(function* (credential: Redacted.Redacted<string>) {
    // Answers may contain secrets and must not be cached.
    yield* addHeaders({ "cache-control": "no-store" })
    const result = yield* compare(credential)
    if (result === "right") return
    if (result === "wrong") return yield* refused
    yield* addHeaders({ "retry-after": String(Math.ceil(result / 1000)) })
    return yield* new RateLimited({ message: "Too many wrong manage keys: see Retry-After" })
  })

/** Returns a check that fails unless a credential equals the key. */
export const makeKeyCheck = (key: Redacted.Redacted<string>) => Effect.map(makeKeyComparison(key), keyCheck)

/** The check of the manage key. */
export type KeyCheck = ReturnType<typeof keyCheck>

/** The part of an address that counts as one client: one IPv6 client often has a whole /64. */
const network = (address: string): string => {
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (ipv4 !== undefined) return ipv4
  return NetAddress.ipv6FromString(address).pipe(
    Result.flatMap((ip) => IpNetwork.fromAddress(ip, 64)),
    Result.map(IpNetwork.format),
    Result.getOrElse(() => address),
  )
}

export const layerManageKey = (check: KeyCheck) =>
  Layer.succeed(ManageKey, {
    manageKey: (answer, { credential }) =>
      Effect.andThen(check(credential), Effect.provideService(answer, CurrentActor, managementKey)),
  })

/** The key of a request without a route. */
export const checkRequest = (check: KeyCheck) =>
  HttpApiBuilder.securityDecode(bearer).pipe(
    Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
    Effect.flatMap(check),
    Effect.mapError((error) => answerOf(error)),
  )
