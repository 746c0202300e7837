import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { WireForm } from "../model/WireForm.ts"
import { readCustomizer } from "../usecases/ReadCustomizer.ts"
import { readDesign } from "../usecases/ReadDesign.ts"
import { listOrders, readOrder } from "../usecases/ReadOrders.ts"
import { CurrentCaller } from "./Authorization.ts"
import { isKnown } from "./Conditional.ts"
import type { ContractAt } from "./Contract.ts"
import { BadRequest, unavailable } from "./Errors.ts"

const decimal = /^[1-9][0-9]{0,15}$/

/** The handlers of the REST API: what is kept goes out as it is kept (D10). */
export const layer = (contract: ContractAt) =>
  HttpApiBuilder.group(contract, "resources", (handlers) =>
    handlers
      .handle("listOrders", ({ request }) =>
        Effect.gen(function* () {
          const { shop } = yield* CurrentCaller
          const { nextCursor, page } = yield* listOrders(shop.id, yield* HttpServerRequest.ParsedSearchParams)
          const response = conditional(request, page)
          return nextCursor === null
            ? response
            : HttpServerResponse.setHeader(response, "link", nextLink(request, nextCursor))
        }).pipe(
          Effect.catchTag("InvalidInput", (error) => new BadRequest({ message: error.message })),
          unavailable,
        ),
      )
      .handle("readOrder", ({ params, request }) =>
        Effect.gen(function* () {
          const { shop } = yield* CurrentCaller
          return conditional(request, yield* readOrder(shop.id, params.platformOrderId))
        }).pipe(unavailable),
      )
      .handle("readDesign", ({ params, request }) =>
        Effect.gen(function* () {
          const { shop } = yield* CurrentCaller
          return conditional(request, yield* readDesign(shop.id, params.id))
        }).pipe(unavailable),
      )
      .handle("readCustomizer", ({ params, request }) =>
        Effect.gen(function* () {
          const { shop } = yield* CurrentCaller
          const id = decimal.test(params.id) ? Number(params.id) : Number.NaN
          return conditional(request, yield* readCustomizer(shop.id, id))
        }).pipe(unavailable),
      ),
  )

/** The wire form with its tag, or 304 to a client that has it already (D17). */
const conditional = (
  request: HttpServerRequest.HttpServerRequest,
  found: WireForm<unknown>,
): HttpServerResponse.HttpServerResponse => {
  const etag = `"${found.etag}"`
  const headers = { etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Encoding" }
  return isKnown(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.text(found.text, { contentType: "application/json", headers })
}

/** The next page's address, relative to this one's (RFC 8288), with the parameters of this one. */
const nextLink = (request: HttpServerRequest.HttpServerRequest, cursor: string): string => {
  const start = request.url.indexOf("?")
  const parameters = new URLSearchParams(start === -1 ? "" : request.url.slice(start + 1))
  parameters.set("cursor", cursor)
  return `<?${parameters}>; rel="next"`
}
