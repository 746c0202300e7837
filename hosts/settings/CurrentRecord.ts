import { Data, Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Endpoint } from "../../core/model/webhooks/Endpoint.ts"
import type { WaitingCount } from "../../core/model/webhooks/LoggedDelivery.ts"
import { listVersions, readCustomizerSummary, readVersion } from "../../core/usecases/catalog/ListCustomizers.ts"
import { listWaiting } from "../../core/usecases/webhooks/FindDeliveries.ts"
import { readEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { idOf } from "./parts/catalog/Links.ts"
import { currentQuery } from "./Query.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/** There is nothing that a page is about. The message is in the reader's language. */
export class Missing extends Data.TaggedError("Missing")<{ readonly message: string }> {}

/** The request for a page of a store, or of its form. */
export const currentRequest = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  return { query: yield* currentQuery, shop, texts: visit.texts, visit }
})

/**
 * The id of the order or the design that the request's path, or else its query, names: `inQuery` is the id for links to
 * parts of its page if it is in the query, otherwise `""`.
 */
export const currentId = Effect.gen(function* () {
  const { id: segment = "" } = yield* HttpRouter.params
  const id = idOf(segment, yield* currentQuery)
  return { id, inQuery: segment === "~" ? id : "" }
})

/** The customizer of the current store that the request's path names. */
export const currentCustomizer = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  return yield* readCustomizerSummary(shop.id, /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0)
})

/** The same, with the version that the request's query names, or else the published one, if there is one. */
export const currentVersion = Effect.gen(function* () {
  const { query, shop } = yield* currentRequest
  const customizer = yield* currentCustomizer
  const asked = query.get("version")
  const version = asked === null ? customizer.version : Number(/^\d{1,9}$/.exec(asked)?.[0] ?? 0)
  if (version === null) return { customizer, query, version: null }
  const found = yield* readVersion(shop.id, customizer.id, version)
  const [published] = yield* listVersions({ shop: shop.id, id: customizer.id, before: version + 1, limit: 1 })
  return { customizer, query, version: { ...found, number: version, publishedAt: published?.publishedAt ?? 0 } }
})

/** The webhook endpoint of the current store that the request's path names. */
export const currentEndpoint = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  return yield* readEndpoint(shop.id, id)
})

/** The pending deliveries of an endpoint as a sentence for the end of a message, without tests that are sent anyway. */
export const pendingNow = Effect.fnUntraced(function* ({ id, status }: Pick<Endpoint, "id" | "status">) {
  const { shop, texts } = yield* currentRequest
  const { counts = [] } = yield* listWaiting(shop.id, { after: null, endpoint: id, causes: [], limit: 1 })
  const said = counts.filter(({ cause }) => status === "active" || cause === "held")
  return texts.repair.pending(sumOf(said), status === "active")
})

/** The number of deliveries in these counts. */
export const sumOf = (counts: ReadonlyArray<WaitingCount>): number => counts.reduce((sum, { count }) => sum + count, 0)
