/**
 * Generates the examples of the OpenAPI documents: puts the sample shop into a host through its APIs, and records their
 * responses.
 */
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { Examples } from "../../../core/api/Examples.ts"
import type { Json } from "../../../core/model/json/Json.ts"
import { type Answer, manage as manageHost } from "../../testkit/hosts/TestHost.ts"
import { envelopeOf, responseOf } from "../../testkit/workers/Outside.ts"
import { type ApiName, plainDocuments } from "./Documents.ts"
import {
  jsonOf,
  makeFindOperation,
  type Operation,
  operationsOf,
  parametersOf,
  resolve,
  responsesOf,
} from "./Operations.ts"
import { sampleHost } from "./SampleHost.ts"
import { fillShop, type Manage, sampleShop } from "./SampleShop.ts"

/** An operation's example under construction. */
interface Kept {
  request?: unknown
  readonly answers: Record<string, unknown>
}

/** Keeps the first two items of lists. */
const shortened = (json: Json): Json =>
  Array.isArray(json["data"]) ? { ...json, data: json["data"].slice(0, 2) } : json

/** Keeps the first response of each successful status per operation, and of each error status overall. */
const makeKeep = (api: ApiName) => {
  const find = makeFindOperation(plainDocuments[api])
  const operations: Record<string, Kept> = {}
  const errors: Record<string, unknown> = {}
  const keep = (method: string, path: string, body: unknown, { json, status, text }: Answer) => {
    const operation = find(method, path)
    if (operation === undefined || text === "") return
    if (status >= 400) {
      errors[status] ??= json
      return
    }
    operations[operation.id] ??= { ...(body === undefined ? {} : { request: body }), answers: {} }
    ;(operations[operation.id] as Kept).answers[status] ??= shortened(json as Json)
  }
  return { errors, keep, operations }
}

const byKey = <A>(object: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(object).toSorted(([left], [right]) => (left < right ? -1 : 1)))

/** The smallest match of a schema: only its required properties. */
const least = (api: ApiName, schema: Json | undefined): unknown => {
  if (schema === undefined) return undefined
  const {
    const: constant,
    default: usual,
    enum: some,
    properties,
    required,
    type,
  } = resolve(plainDocuments[api], schema)
  if (constant !== undefined || usual !== undefined) return constant ?? usual
  if (Array.isArray(some)) return some[0]
  if (type === "object") {
    const names = (required ?? []) as ReadonlyArray<string>
    return Object.fromEntries(names.map((name) => [name, least(api, (properties as Record<string, Json>)[name])]))
  }
  return type === "array" ? [] : type === "integer" || type === "number" ? 1 : type === "boolean" ? false : "text"
}

const at = `/shops/${sampleShop.id}`
const rest = "/api/v1"

/** The first is left for the examples to make; the rest is there before. */
const split = <A>(all: ReadonlyArray<A>) => {
  const [first, ...others] = all
  if (first === undefined) throw new Error("The sample shop is empty")
  return { first, others }
}

const designs = split(sampleShop.designs)
const orders = split(sampleShop.orders)
const { id: designId, input: designInput } = designs.first
const { id: orderId, input: orderInput } = orders.first
const customizerId = String(designInput["customizerId"])

/** Kinds of events that the sample's endpoint takes. */
const kinds = ["design.ordered", "order.cancelled", "design.created", "design.cancelled"]

/** A sample host, and requests to it whose answers are kept. */
const makeSample = Effect.gen(function* () {
  const { deliver, forget, receive, receivers, send } = yield* sampleHost()
  const kept = { rest: makeKeep("rest"), manage: makeKeep("manage") }
  const manage: Manage = Effect.fnUntraced(function* (method, path, body) {
    const answer = yield* manageHost(send, method, path, body)
    kept.manage.keep(method, `/manage/v1${path}`, body, answer)
    return answer.text === "" ? {} : (answer.json as Json)
  })
  const read = Effect.fnUntraced(function* (path: string, token: string) {
    const answer = yield* send("GET", path, { headers: { authorization: `Bearer ${token}` } })
    kept.rest.keep("GET", path, undefined, answer)
    return answer
  })
  const withWrongKey = Effect.gen(function* () {
    const answer = yield* send("GET", "/manage/v1/shops", { headers: { authorization: "Bearer wrong" } })
    kept.manage.keep("GET", "/manage/v1/shops", undefined, answer)
  })
  return { deliver: Effect.orDie(deliver), forget, kept, manage, read, receive, receivers, withWrongKey }
})

type Sample = Effect.Success<typeof makeSample>

/** What later examples need. */
interface Ids {
  readonly endpoint: unknown
  readonly delivery: unknown
  readonly token: string
}

/**
 * Fills the shop, adds an endpoint, and saves a design and an order that are delivered to it. Returns the endpoint's
 * id.
 */
const saveAndOrder = Effect.fnUntraced(function* ({ deliver, manage, receivers }: Sample) {
  yield* fillShop(manage, sampleShop.id, { designs: designs.others, orders: orders.others })
  yield* manage("POST", `${at}/settings-link`, { actor: "owner@example.com", next: "webhooks/new" })
  const { id: endpoint } = yield* manage("POST", `${at}/webhooks`, {
    url: "https://erp.example.com/hooks/designs",
    events: kinds,
    description: "ERP",
  })
  receivers.respond = () => Effect.succeed(responseOf(200, "received"))
  yield* manage("PUT", `${at}/designs/${designId}`, designInput)
  yield* manage("PUT", `${at}/designs/${designId}`, designInput)
  yield* manage("POST", `${at}/designs`, designInput)
  yield* manage("PUT", `${at}/orders/${orderId}`, orderInput)
  yield* deliver
  yield* TestClock.adjust("1 minute")
  return endpoint
})

/** Adds a token and reads one of each resource. Returns the token. */
const readAll = Effect.fnUntraced(function* ({ manage, read }: Sample) {
  const token = String((yield* manage("POST", `${at}/tokens`, { name: "ERP" }))["token"])
  yield* read(`${rest}/orders?limit=1`, token)
  yield* read(`${rest}/orders/${orderId}`, token)
  yield* read(`${rest}/designs/${designId}`, token)
  yield* read(`${rest}/customizers/${customizerId}`, token)
  return token
})

/** Cancels and redacts the order, and uses the log of the endpoint. Returns the id of a delivery. */
const cancelAndRedeliver = Effect.fnUntraced(function* ({ deliver, manage }: Sample, endpoint: unknown) {
  const webhooks = `${at}/webhooks/${endpoint}`
  yield* manage("POST", `${at}/orders/${orderId}/cancel`)
  yield* manage("POST", `${at}/orders/not-yet-placed/cancel`)
  const pair = ["ring-of-eve", "ring-of-ida"]
  for (const id of pair) yield* manage("PUT", `${at}/designs/${id}`, designInput)
  const lines = pair.map((id, index) => ({ designId: id, lineItemId: String(index + 1) }))
  yield* manage("PUT", `${at}/orders/1041`, { ...orderInput, name: "#1041", lines })
  yield* manage("POST", `${at}/orders/1041/lines/2/cancel`)
  yield* manage("POST", `${at}/orders/${orderId}/redact`)
  yield* deliver
  const { id: delivery } = yield* manage("POST", `${webhooks}/test`)
  yield* deliver
  yield* manage("GET", `${webhooks}/deliveries/${delivery}`)
  const { id: again } = yield* manage("POST", `${webhooks}/deliveries/${delivery}/redeliver`)
  yield* manage("POST", `${webhooks}/deliveries/${again}/try`)
  yield* manage("GET", `${webhooks}/deliveries`)
  yield* manage("POST", `${webhooks}/resend`, { state: "failed", from: "2026-11-19T00:00:00Z" })
  yield* manage("POST", `${webhooks}/recover`, { since: "2026-11-19T00:00:00Z" })
  yield* manage("PATCH", webhooks, { events: kinds.slice(0, 2), description: "ERP, without drafts" })
  return delivery
})

/** Receives an order whose design is saved later, and applies it then. */
const receiveAndApply = Effect.fnUntraced(function* ({ manage, receive }: Sample) {
  const event = yield* receive(sampleShop.id, 1042, ["ring-of-ada"], {
    eventId: "98880550-7158-44d4-b7cd-2c97c8a091b5",
  })
  yield* manage("GET", `${at}/inbox?state=waiting`)
  yield* manage("GET", `${at}/inbox/${event}`)
  yield* manage("PUT", `${at}/designs/ring-of-ada`, designInput)
  yield* manage("GET", `${at}/designs?limit=1`)
  yield* manage("POST", `${at}/inbox/${event}/apply`)
  yield* manage("PUT", `${at}/designs/ring-of-lise`, designInput)
  const unpaid = yield* receive(sampleShop.id, 1043, ["ring-of-lise"], {
    ...{ eventId: "98880550-7158-44d4-b7cd-2c97c8a091b6", rest: { financial_status: "pending" } },
  })
  yield* manage("POST", `${at}/inbox/${unpaid}/place`)
})

/** Connects the shop to Shopify. */
const connectPlatform = Effect.fnUntraced(function* ({ manage }: Sample) {
  const input = { domain: "acme.myshopify.com", secret: "shpss_0a1b2c3d4e5f60718293a4b5", payLater: ["Bank Deposit"] }
  yield* manage("PUT", `${at}/platforms/shopify`, input)
  yield* manage("GET", `${at}/platforms/shopify`)
  yield* manage("GET", `${at}/platforms`)
})

/** Sends a test event in a shop without orders, which is a ping. */
const ping = Effect.fnUntraced(function* ({ deliver, manage }: Sample) {
  yield* manage("PUT", "/shops/empty", { ...sampleShop.settings, domain: "empty.example.com" })
  const { id } = yield* manage("POST", "/shops/empty/webhooks", { url: "https://empty.example.com/hooks" })
  yield* manage("POST", `/shops/empty/webhooks/${id}/test`)
  yield* deliver
})

/**
 * Makes a request to each operation that has no example yet, with the ids at hand and the least input that it takes.
 */
const callOthers = Effect.fnUntraced(function* ({ kept, manage, read }: Sample, { delivery, endpoint, token }: Ids) {
  const known: Readonly<Record<string, unknown>> = { shop: sampleShop.id, endpoint, delivery, platformOrderId: orderId }
  const idIn: Readonly<Record<string, unknown>> = { designs: designId, orders: orderId, customizers: customizerId }
  const addressOf = ({ path }: Operation): string =>
    path.replace(
      /([^/]+)\/\{([^}]+)\}/g,
      (_, folder, name) => `${folder}/${name === "id" ? idIn[folder] : known[name]}`,
    )
  for (const api of ["rest", "manage"] as const) {
    for (const operation of operationsOf(plainDocuments[api])) {
      if (kept[api].operations[operation.id] !== undefined || operation.method === "DELETE") continue
      const limit = parametersOf(operation).some(({ name }) => name === "limit") ? "?limit=1" : ""
      const path = addressOf(operation) + limit
      const schema = jsonOf((operation.spec["requestBody"] ?? {}) as Json)?.["schema"] as Json | undefined
      if (api === "rest") yield* read(path, token)
      else yield* manage(operation.method, path.slice("/manage/v1".length), least(api, schema))
    }
  }
})

/** Makes every error that there is an answer for. */
const fail = Effect.fnUntraced(function* ({ forget, kept, manage, read, withWrongKey }: Sample, { token }: Ids) {
  yield* read(`${rest}/orders?limit=0`, token)
  yield* read(`${rest}/orders`, "cmz_nobodys")
  yield* read(`${rest}/orders/4711`, token)
  const feed = (yield* read(`${rest}/events?limit=1`, token)).json as { readonly pagination: Json }
  yield* forget
  yield* read(`${rest}/events?after=${feed.pagination["nextCursor"]}`, token)
  yield* read(`${rest}/designs/unavailable`, token)
  yield* read(`${rest}/designs/defect`, token)
  for (const status of ["500", "503"]) kept.manage.errors[status] = kept.rest.errors[status]
  yield* manage("PUT", at, { domain: "demo.example.com" })
  yield* manage("GET", "/shops/nobodys")
  yield* manage("PUT", `${at}/designs/${designId}`, designInput)
  yield* manage("PUT", `${at}/designs/large`, { ...designInput, selection: { text: "x".repeat(70_000) } })
  yield* manage("PUT", `${at}/designs/odd`, { ...designInput, selection: {} })
  yield* manage("PUT", "/shops/empty", { ...sampleShop.settings, domain: "empty.example.com", plan: "free" })
  const { token: unpaid } = yield* manage("POST", `${at}/tokens`, { name: "ERP" })
  yield* manage("PUT", at, { ...sampleShop.settings, plan: "free" })
  yield* read(`${rest}/orders`, String(unpaid))
  yield* manage("PUT", at, sampleShop.settings)
  for (let asked = 0; asked < 130 && kept.rest.errors["429"] === undefined; asked++) {
    yield* read(`${rest}/orders?limit=1`, token)
  }
  for (let tried = 0; tried < 20 && kept.manage.errors["429"] === undefined; tried++) yield* withWrongKey
})

/** The first request of each kind of event, headers and body. */
const sentWebhooks = ({ receivers }: Sample): NonNullable<Examples["webhooks"]> => {
  // Several are sent at once: the seed does not determine their order.
  const sent = receivers.sent.toSorted((left, right) => (left.deliveryId < right.deliveryId ? -1 : 1))
  return Object.fromEntries(
    Object.keys(plainDocuments.rest.webhooks ?? {}).flatMap((event) => {
      const found = sent.find((one) => envelopeOf(one).event === event)
      return found === undefined ? [] : [[event, { headers: found.request.headers, body: envelopeOf(found) }]]
    }),
  )
}

/** The examples of both APIs. */
export const makeExamples: Effect.Effect<Readonly<Record<ApiName, Examples>>> = Effect.gen(function* () {
  const sample = yield* makeSample
  const endpoint = yield* saveAndOrder(sample)
  const token = yield* readAll(sample)
  const delivery = yield* cancelAndRedeliver(sample, endpoint)
  const ids: Ids = { endpoint, delivery, token }
  yield* receiveAndApply(sample)
  yield* connectPlatform(sample)
  yield* ping(sample)
  yield* callOthers(sample, ids)
  yield* fail(sample, ids)
  const examplesOf = ({ errors, operations }: (typeof sample.kept)[ApiName]): Examples => ({
    operations: byKey(operations),
    errors: byKey(errors),
  })
  return {
    rest: { ...examplesOf(sample.kept.rest), webhooks: sentWebhooks(sample) },
    manage: examplesOf(sample.kept.manage),
  }
}).pipe(Effect.scoped, Effect.provide([TestClock.layer(), Logger.layer([])]), Effect.orDie)

/** Responses with a JSON body but without an example, as `operation status`. */
export const withoutExample = (api: ApiName, { errors, operations }: Examples): ReadonlyArray<string> => {
  const document = plainDocuments[api]
  return operationsOf(document).flatMap((operation) =>
    Object.entries(responsesOf(document, operation))
      .filter(([status, response]) => {
        if (jsonOf(response) === undefined) return false
        return (operations[operation.id]?.answers[status] ?? errors[status]) === undefined
      })
      .map(([status]) => `${operation.id} ${status}`),
  )
}
