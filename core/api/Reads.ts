import { Effect } from "effect"
import { UrlParams } from "effect/http"
import type { ContentCoding } from "../model/ContentCoding.ts"
import { apiVersion } from "../model/Event.ts"
import type { WireForm } from "../model/WireForm.ts"
import type { Caller } from "../usecases/Authenticate.ts"
import { readCustomizer } from "../usecases/ReadCustomizer.ts"
import { readDesign } from "../usecases/ReadDesign.ts"
import { listEvents } from "../usecases/ReadEvents.ts"
import { listOrders, readOrder } from "../usecases/ReadOrders.ts"
import type { Answer } from "./Answer.ts"
import { codingsFor, compressed, identityOnly, isCompressible } from "./Compression.ts"
import { isKnown } from "./Conditional.ts"
import { tagIn } from "./ContentCoding.ts"
import { answerOf, BadRequest, orAnswer } from "./Errors.ts"

/** A request, in whichever way it came in. */
export interface ReadRequest {
  /** Its path and query. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The codings that its answer may go out in, the best first; plain text alone where they are left out. */
  readonly codings?: ReadonlyArray<ContentCoding | "identity">
}

/** What each endpoint of the contract answers to a shop: what is kept goes out as it is kept (D10). */
const reads = {
  listOrders: (shop: string, request: ReadRequest) =>
    Effect.map(listOrders(shop, parametersOf(request.url)), ({ nextCursor, page }) => {
      const answer = conditional(request, page)
      return nextCursor === null
        ? answer
        : { ...answer, headers: { ...answer.headers, link: nextLink(request.url, "cursor", nextCursor) } }
    }),
  listEvents: (shop: string, request: ReadRequest) =>
    Effect.map(listEvents(shop, parametersOf(request.url)), ({ hasMore, nextCursor, page }) => {
      const answer = conditional(request, page)
      // A feed has no last page: who follows the links would never come to an end.
      return hasMore
        ? { ...answer, headers: { ...answer.headers, link: nextLink(request.url, "after", nextCursor) } }
        : answer
    }),
  readOrder: (shop: string, request: ReadRequest, id: string) =>
    Effect.map(readOrder(shop, id), (found) => conditional(request, found)),
  readDesign: (shop: string, request: ReadRequest, id: string) =>
    Effect.map(readDesign(shop, id), (found) => conditional(request, found)),
  readCustomizer: (shop: string, request: ReadRequest, id: string) =>
    Effect.map(readCustomizer(shop, decimal.test(id) ? Number(id) : Number.NaN), (found) =>
      conditional(request, found),
    ),
}

/** The name of an endpoint. */
export type ReadName = keyof typeof reads

type AnyRead = ReturnType<(typeof reads)[ReadName]>

/** Answers a request that was let in; `id` is that of its path, where it has one. Fails with the answer that refuses it. */
export const read = (name: ReadName, { shop }: Caller, request: ReadRequest, id = "") => {
  const version = request.headers["x-api-version"]
  if (version !== undefined && version !== apiVersion) {
    return Effect.fail(answerOf(new BadRequest({ message: `X-Api-Version must be ${apiVersion} or left out` })))
  }
  const answer = (request: ReadRequest): Effect.Effect<Answer, Effect.Error<AnyRead>, Effect.Services<AnyRead>> =>
    reads[name](shop.id, request, id)
  const acceptEncoding = request.headers["accept-encoding"]
  if (acceptEncoding === undefined) return orAnswer(answer(request))
  return orAnswer(
    Effect.flatMap(codingsFor(acceptEncoding), (codings) =>
      Effect.flatMap(answer({ url: request.url, headers: request.headers, codings }), compressed),
    ),
  )
}

const decimal = /^[1-9][0-9]{0,15}$/

/**
 * The wire form with its tag in the coding that it goes out in, or 304 to a client that has it already (D17), in whichever of the codings
 * that it accepts.
 */
const conditional = ({ codings: accepted, headers: asked }: ReadRequest, found: WireForm<unknown>): Answer => {
  const codings = accepted !== undefined && isCompressible(found.text) ? accepted : identityOnly
  const known = codings.find((coding) => isKnown(asked["if-none-match"], tagIn(coding, found.etag)))
  const coding = known ?? codings[0] ?? "identity"
  const headers = {
    etag: tagIn(coding, found.etag),
    "cache-control": "private, no-cache",
    vary: "Authorization, Accept-Encoding",
  }
  if (known !== undefined) return { status: 304, headers, body: null }
  return coding === "identity"
    ? { status: 200, headers, body: found.text }
    : { status: 200, headers: { ...headers, "content-encoding": coding }, body: found.text, coding }
}

const queryOf = (url: string): URLSearchParams => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start))
}

/** The parameters of an address; what it gives more than once is a list. */
const parametersOf = (url: string) => UrlParams.toRecord(UrlParams.fromInput(queryOf(url)))

/** The next page's address, relative to this one's (RFC 8288), with the parameters of this one. */
const nextLink = (url: string, name: string, cursor: string): string => {
  const parameters = queryOf(url)
  parameters.set(name, cursor)
  return `<?${parameters}>; rel="next"`
}
