/** The router of the REST API (§4): path → token and limit → use case → stored bytes. */
import { Cause, Context, Effect, References, Tracer } from "effect"
import type { TokenScope } from "../model/access/Token.ts"
import { apiVersion } from "../model/events/Event.ts"
import { customizerIdOf } from "../model/Ids.ts"
import { BadRequest } from "../operations/Errors.ts"
import { readCustomizer } from "../usecases/catalog/ReadCustomizer.ts"
import { readDesign } from "../usecases/catalog/ReadDesign.ts"
import { listEvents } from "../usecases/events/ReadEvents.ts"
import { readLines } from "../usecases/orders/ReadLines.ts"
import { listOrders, readOrder } from "../usecases/orders/ReadOrders.ts"
import { admit } from "./Admission.ts"
import { type Answer, lengthOf, versionHeaders } from "./Answer.ts"
import type { AnswerBytes } from "./AnswerBytes.ts"
import { type ReadPath, scopeOf } from "./Contract.ts"
import { answerOf, notAllowed, nothingHere, orAnswer, unexpected } from "./ErrorAnswers.ts"
import { type AnswersUnderWay, noRoom, ProcessAnswers } from "./PagesUnderWay.ts"
import { parametersOf, queryOf } from "./Parameters.ts"
import { longestSegment, pathOf, routable } from "./Paths.ts"
import type { Addressed, Name } from "./Prefix.ts"
import { storedAnswer } from "./StoredAnswer.ts"

/** A request to the REST API. */
export interface ReadRequest extends Addressed {
  readonly method: string
}

type Read<E = unknown, R = unknown> = (shop: string, request: ReadRequest, id: string) => Effect.Effect<Answer, E, R>

/** The reads of the contract: each calls its use case and answers with the stored text. */
const reads = {
  "/orders": (shop, { headers, url }) =>
    Effect.flatMap(listOrders(shop, parametersOf(url)), ({ nextCursor, page }) =>
      storedAnswer(headers, page, nextCursor === null ? {} : { link: nextLink(url, "cursor", nextCursor) }),
    ),
  "/events": (shop, { headers, url }) =>
    Effect.flatMap(listEvents(shop, parametersOf(url)), ({ hasMore, nextCursor, page }) =>
      // The last page too has a cursor, for later events, but a client that follows links must come to an end.
      storedAnswer(headers, page, hasMore ? { link: nextLink(url, "after", nextCursor) } : {}),
    ),
  "/orders/:platformOrderId": (shop, { headers }, id) =>
    Effect.flatMap(readOrder(shop, id), (found) => storedAnswer(headers, found)),
  "/orders/:platformOrderId/lines": (shop, { headers }, id) =>
    Effect.flatMap(readLines(shop, id), (found) => storedAnswer(headers, found)),
  "/designs/:id": (shop, { headers }, id) =>
    Effect.flatMap(readDesign(shop, id), (found) => storedAnswer(headers, found)),
  "/customizers/:id": (shop, { headers }, id) =>
    Effect.flatMap(readCustomizer(shop, customizerIdOf(id) ?? Number.NaN), (found) => storedAnswer(headers, found)),
} satisfies Readonly<Record<ReadPath, Read>>

type AnyRead = ReturnType<(typeof reads)[ReadPath]>

interface Route {
  /** As the contract has it, below the prefix: `/api/v1/designs/:id`. */
  readonly path: string
  /** Missing for a document, which is served elsewhere. */
  readonly read?: Read<Effect.Error<AnyRead>, Effect.Services<AnyRead>>
  /** The scope that it needs; missing for a document. */
  readonly scope?: TokenScope
}

interface Found {
  readonly route: Route | undefined
  readonly segment: string
}

/** Finds the route of a path, and the segment that holds the id, as it was sent. */
const makeFind = (prefix: string, documents: ReadonlyArray<string>) => {
  const routes = new Map<string, Route>(documents.map((path) => [path, { path }]))
  for (const [path, read] of Object.entries<Required<Route>["read"]>(reads)) {
    const scope = scopeOf[path as ReadPath]
    routes.set(prefix + path.replace(/:[^/]*$/, "").replace(/:[^/]*/, ":"), { path: prefix + path, read, scope })
  }
  return (path: string): Found => {
    const start = path.lastIndexOf("/") + 1
    const segment = path.slice(start)
    const route = segment === "" ? undefined : routes.get(path.slice(0, start))
    if (route !== undefined || segment === "") return { route, segment }
    const list = routes.get(path)
    if (list !== undefined) return { route: list, segment: "" }
    // A part of an object, whose id stands before it: `/orders/:platformOrderId/lines`.
    const before = path.slice(0, start - 1)
    const id = before.slice(before.lastIndexOf("/") + 1)
    const part = id === "" ? undefined : routes.get(`${before.slice(0, before.length - id.length)}:/${segment}`)
    return { route: part, segment: part === undefined ? "" : id }
  }
}

/** The id that a segment holds; `undefined` if the segment is malformed or longer than any id. */
const idIn = (segment: string): string | undefined => {
  try {
    return segment.length > longestSegment ? undefined : decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Answers an admitted request, or fails with the answer that refuses it. */
const answerTo = (pages: AnswersUnderWay["pages"], request: ReadRequest, shop: string, { route, segment }: Found) => {
  if (route === undefined) return Effect.succeed(nothingHere)
  if (!isRead(request.method)) return Effect.succeed(readOnly)
  const id = idIn(segment)
  if (route.read === undefined || id === undefined) return Effect.succeed(nothingHere)
  const version = request.headers["x-api-version"]
  if (version !== undefined && version !== apiVersion) {
    return Effect.fail(answerOf(new BadRequest({ message: `X-Api-Version must be ${apiVersion} or left out` })))
  }
  const answer = orAnswer(route.read(shop, request, id))
  // Lists have no id in their path.
  return segment === "" ? pages(shop, answer) : answer
}

/** Counts the body of an answer for its shop, or refuses it if there is no room. A page has waited for room before. */
const ofShop = (bytes: AnswerBytes, shop: string, answer: Answer, isPage: boolean): Effect.Effect<Answer, Answer> => {
  if (answer.body === null) return Effect.succeed(answer)
  return isPage || bytes.fits(shop, lengthOf(answer.body)) ? Effect.succeed({ ...answer, shop }) : Effect.fail(noRoom)
}

const readMethods = ["GET", "HEAD"]
const readOnly = notAllowed(readMethods)

/** Whether a method reads. */
export const isRead = (method: string): boolean => readMethods.includes(method)

/** Answers a request to the REST API. */
export type Reads = (request: ReadRequest) => Effect.Effect<Answer>

/**
 * Makes the REST API over the current services, below a prefix that has no slash at its end. It answers every request,
 * but only clients with a token learn which paths and methods exist (D11). If the address names a shop, the token must
 * be one of it. GET requests for `documents` are answered elsewhere.
 */
export const makeReads = (prefix: string, documents: ReadonlyArray<string>, name: Name) =>
  Effect.map(Effect.context<Effect.Services<ReturnType<typeof admit> | AnyRead>>(), (context): Reads => {
    const find = makeFind(prefix, documents)
    const { bytes, pages } = Context.get(context, ProcessAnswers)
    // Requests have spans of their own.
    const services = Context.omit(Tracer.ParentSpan)(context)
    const ownLines = Context.get(context, References.CurrentLogAnnotations)
    const untraced = Context.add(services, References.TracerEnabled, false)
    // Merging two contexts of many services would cost every request.
    const withRequest = (request: Context.Context<never>) => {
      const span = Context.getOrUndefined(request, Tracer.ParentSpan)
      const own = Context.get(request, References.TracerEnabled) ? services : untraced
      const inSpan = span === undefined ? own : Context.add(own, Tracer.ParentSpan, span)
      const lines = Context.get(request, References.CurrentLogAnnotations)
      return lines === ownLines ? inSpan : Context.add(inSpan, References.CurrentLogAnnotations, lines)
    }
    const isTraced = Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
    return (request) => {
      const { shop, url } = name(request)
      const found = find(pathOf(routable(url, prefix)))
      const { route } = found
      const answer = admit(request.headers["authorization"], route?.scope, shop).pipe(
        Effect.flatMap(({ caller, headers }) =>
          answerTo(pages, request, caller.shop.id, found).pipe(
            Effect.flatMap((answer) => ofShop(bytes, caller.shop.id, answer, found.segment === "")),
            answered,
            Effect.map((answer) => ({ ...withHeaders(answer, headers), caller })),
          ),
        ),
        answered,
        Effect.map((answer) => ({ ...withHeaders(answer, versionHeaders), route: route?.path })),
        Effect.updateContext(withRequest),
      )
      if (!isTraced || route === undefined) return answer
      return Effect.withFiber((fiber) => {
        if (!fiber.cache.tracerEnabled) return answer
        const within = Effect.withSpan(answer, `Read ${route.path.slice(prefix.length)}`, { captureStackTrace: false })
        return Effect.andThen(Effect.annotateCurrentSpan("http.route", route.path), within)
      })
    }
  })

/** Answers with the failure of an effect. */
const answered: <R>(effect: Effect.Effect<Answer, Answer, R>) => Effect.Effect<Answer, never, R> = Effect.catchCause(
  (cause) => {
    const refusal = cause.reasons.find(Cause.isFailReason)
    return refusal === undefined ? unexpected(cause) : Effect.succeed(refusal.error)
  },
)

const withHeaders = (answer: Answer, headers: Answer["headers"]): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

/** The link to the next page, relative to this one (RFC 8288), with the parameters of this one. */
const nextLink = (url: string, name: string, cursor: string): string => {
  const parameters = queryOf(url)
  parameters.set(name, cursor)
  return `<?${parameters}>; rel="next"`
}
