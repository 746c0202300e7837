/** Webhooks of shop platforms over HTTP: verified, kept, and applied (D57). */
import { ByteSize, Effect, Option, Schema } from "effect"
import type { Mac } from "effect/crypto"
import { HttpIncomingMessage, HttpServerError, HttpServerRequest } from "effect/http"
import { type Answer, toResponse } from "../../core/api/Answer.ts"
import { errorAnswer, notAllowed, nothingHere, orAnswer, readBefore, unexpected } from "../../core/api/ErrorAnswers.ts"
import { pathAndQueryOf, pathOf } from "../../core/api/Paths.ts"
import { withoutSlash } from "../../core/api/Prefix.ts"
import { answersAt, type Mountable } from "../../core/api/Routes.ts"
import { ShopId } from "../../core/model/Ids.ts"
import type { PlatformRecord } from "../../core/model/ingest/PlatformConnection.ts"
import { platformDomain } from "../../core/model/ingest/PlatformDomain.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { noteRequest } from "../../core/model/log/RequestRecord.ts"
import { readable } from "../../core/model/Text.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { OncePerMinute } from "../../core/support/OncePerMinute.ts"
import { findConnection, findConnectionAt, makeSecretsOf } from "../../core/usecases/ingest/Connections.ts"
import { InboxFull } from "../../core/usecases/ingest/InboxRoom.ts"
import { defaultProperty, receiveEvent } from "../../core/usecases/ingest/ReceiveEvent.ts"
import type { Platform } from "./Platform.ts"
import { makeVerification, type Secrets, tagOf } from "./Secrets.ts"

/** The webhooks of a platform, at an address with or without the shop's id behind it. */
export interface IngestRoute<R = never> {
  readonly platform: Platform
  /** E.g. `/ingest/shopify`, for `POST /ingest/shopify/acme` and `POST /ingest/shopify`. */
  readonly path: `/${string}`
  /** The service's secrets, alongside those of connections. */
  readonly secret: Secrets<R>
  /**
   * The name of the line items' property with a design's id, unless a connection names another. Default:
   * `_designwire_id`.
   */
  readonly property?: string | undefined
}

/** The largest body: an order of Shopify has hundreds of lines of 2 to 4 KB, and properties of apps. */
const maximumBody = ByteSize.mebibytes(8)

/** Shopify ends a request after five seconds; the answer takes its way too. */
const longest = "4500 millis"

const unsigned = errorAnswer(401, "The signature is missing, or does not fit the body under the configured secret")
const noTopic = errorAnswer(400, "The header with the topic is missing")
const notReadable = errorAnswer(400, "The body could not be read")
const notText = errorAnswer(400, "The body must be a JSON object in UTF-8")
const pong: Answer = { status: 200, headers: {}, body: "{}" }
const removed: Answer = { status: 204, headers: {}, body: null }

const tooSlow = new StorageError({
  message: "A platform's event was not kept within the time that platforms wait: they send it again",
  cause: undefined,
  isRetryable: true,
})

// Bytes that are not UTF-8 are refused rather than replaced.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array) => Effect.try({ try: () => utf8.decode(bytes), catch: () => notText })

const bytesOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, maximumBody),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.catch((error) => Effect.flatMap(unreadable(error), Effect.fail)),
  )

/** The answer to a body that can't be read. A parser before this one is a fault of the application around it. */
const unreadable = (error: unknown): Effect.Effect<Answer> => {
  if (!(error instanceof HttpServerError.HttpServerError)) return Effect.succeed(notReadable)
  const lost = readBefore(error)
  if (lost !== undefined) {
    const answer = errorAnswer(500, lost.message)
    return Effect.as(Effect.logError(lost.message).pipe(logged("http.request_failed")), answer)
  }
  const isTooLarge = error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
  return Effect.succeed(isTooLarge ? errorAnswer(413, "The body may have at most 8 MiB") : notReadable)
}

/** A connection that a webhook may be from, and the shop that it is for. */
interface Sender {
  readonly shop: string | undefined
  readonly connection: PlatformRecord | undefined
}

/** Whom a webhook is from: the shop of its address, or else the one whose connection has the domain that it names. */
const senderOf = Effect.fnUntraced(function* ({ source }: Platform, shop: string | undefined, domain?: string) {
  const connection = yield* shop === undefined ? findConnectionAt(source, domain) : connectionOf(shop, source)
  return { shop: shop ?? connection?.shop, connection } satisfies Sender
})

const isShopId = Schema.is(ShopId)

const connectionOf = (shop: string, source: Platform["source"]) =>
  isShopId(shop) ? findConnection(shop, source) : Effect.undefined

/** Makes the function that refuses a verified webhook from another shop than its address says, and logs it. */
const makeRefuse = Effect.fnUntraced(function* ({ name, source }: Platform) {
  const services = yield* Effect.context<never>()
  const log = new OncePerMinute<Effect.Effect<void>>((line) => Effect.runForkWith(services)(line), Date.now)
  return ({ connection, shop }: Sender, domain: string | undefined): Answer | undefined => {
    const named = readable(JSON.stringify((domain ?? "").slice(0, 300)))
    if (shop === undefined) {
      const message = `No shop has a connection to ${name} with the domain ${named}`
      log.note(named, (times) =>
        Effect.logWarning(`${message}: ${times} of its webhooks were refused`).pipe(
          logged("platform.unknown_domain", { source, domain: named }),
        ),
      )
      return errorAnswer(404, message)
    }
    if (connection === undefined || domain === undefined || platformDomain(domain) === connection.domain)
      return undefined
    const own = JSON.stringify(connection.domain)
    const message = `The webhook is from ${named}, but the connection of the shop ${shop} to ${name} has the domain ${own}`
    log.note(`${shop} ${named}`, (times) =>
      Effect.logWarning(`${message}: ${times} were refused`).pipe(
        logged("platform.wrong_domain", { shop, source, domain: named }),
      ),
    )
    return errorAnswer(403, message)
  }
})

/**
 * Answers a webhook for a shop, or for the shop that it names in a header. Until the signature is verified, nothing
 * distinguishes a shop that exists from one that does not.
 */
const makeReceive = Effect.fnUntraced(function* <R>({ platform, property, secret }: IngestRoute<R>) {
  const { isOfService, source } = platform
  const isSigned = yield* makeVerification(secret)
  const secretsOf = yield* makeSecretsOf
  const refuse = yield* makeRefuse(platform)
  return Effect.fnUntraced(function* (named: string | undefined, request: HttpServerRequest.HttpServerRequest) {
    const bytes = yield* bytesOf(request)
    const { domain, eventId, signature, topic, triggeredAt } = platform.headersOf(request.headers)
    if (signature === undefined && platform.isPing(yield* textOf(bytes))) return pong
    const receive = Effect.gen(function* () {
      const tag = tagOf(signature)
      if (tag === undefined) return unsigned
      const sender = yield* orAnswer(senderOf(platform, named, domain))
      const { connection, shop } = sender
      const own = yield* secretsOf(connection)
      const orService = isOfService || (connection?.secret ?? null) === null
      if (!(yield* orAnswer(isSigned({ shop, own, orService }, tag, bytes)))) return unsigned
      const refusal = refuse(sender, domain)
      if (refusal !== undefined || shop === undefined) return refusal ?? unsigned
      yield* noteRequest({ shop })
      if (topic === undefined) return noTopic
      const nameOfProperty = connection?.settings.property ?? property ?? defaultProperty
      const receiving = receiveEvent(shop, {
        ...{ source, topic, eventId, triggeredAt, property: nameOfProperty, body: yield* textOf(bytes) },
        connection: connection ?? null,
      })
      const kept = yield* orAnswer(Effect.catchTag(receiving, "InboxFull", (full) => Effect.succeed(full)))
      if (kept instanceof InboxFull) return errorAnswer(429, kept.message, { "retry-after": "60" })
      if (kept === undefined) return removed
      const { id, reason, state } = kept
      return { status: 200, headers: {}, body: JSON.stringify({ id, state, reason }) } satisfies Answer
    })
    const answer = yield* Effect.timeoutOption(receive, longest)
    return Option.isSome(answer) ? answer.value : yield* orAnswer(Effect.fail(tooSlow))
  })
})

const answered = <R>(effect: Effect.Effect<Answer, Answer, R>) =>
  Effect.catch(effect, (answer) => Effect.succeed(answer))

/**
 * Makes the application that receives the webhooks of platforms, over the current storage ports. It answers every
 * request below the prefix. Run `keepApplying` alongside it.
 */
export const makeIngest = Effect.fnUntraced(function* <R>(prefix: `/${string}`, routes: ReadonlyArray<IngestRoute<R>>) {
  const context = yield* Effect.context<
    Effect.Services<ReturnType<typeof receiveEvent>> | Effect.Services<typeof makeSecretsOf> | Mac.Mac | R
  >()
  const receivers = yield* Effect.forEach(routes, (route) =>
    Effect.map(makeReceive(route), (receive) => ({ begin: withoutSlash(route.path), receive })),
  )
  const answer = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const path = pathOf(pathAndQueryOf(request.url))
    const found = receivers.find(({ begin }) => path.startsWith(`${begin}/`) || path === begin)
    const shop = path === found?.begin ? undefined : path.slice((found?.begin.length ?? 0) + 1)
    if (found === undefined || shop === "" || shop?.includes("/")) return nothingHere
    yield* noteRequest({ route: shop === undefined ? found.begin : `${found.begin}/:shop` })
    return request.method === "POST" ? yield* answered(found.receive(shop, request)) : notAllowed(["POST"])
  })
  const mountable: Mountable = {
    answers: answersAt(prefix),
    app: HttpServerRequest.HttpServerRequest.use((request) =>
      answer(request).pipe(Effect.catchCause(unexpected), Effect.map(toResponse)),
    ).pipe(Effect.interruptible, Effect.provideContext(context)),
  }
  return mountable
})
