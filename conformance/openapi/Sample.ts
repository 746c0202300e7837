/** Makes the examples of the OpenAPI documents: the sample shop is put into a host by its APIs, and what they answer is kept. */
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { Examples } from "../../core/api/Examples.ts"
import type { Json } from "../../core/model/Json.ts"
import { envelopeOf, responseOf } from "../worlds/Outside.ts"
import { type Answer, manage as manageHost } from "../worlds/TestHost.ts"
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

/** An operation's example, while examples are made. */
interface Kept {
  request?: unknown
  readonly answers: Record<string, unknown>
}

/** Of a list the first two. */
const shortened = (json: Json): Json =>
  Array.isArray(json["data"]) ? { ...json, data: json["data"].slice(0, 2) } : json

/** Keeps of each operation the first answer of each good status, and of all the first of each bad one. */
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

/** The least that fits a schema: its required properties alone. */
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

/** The examples of both APIs. */
export const makeExamples: Effect.Effect<Readonly<Record<ApiName, Examples>>> = Effect.gen(function* () {
  const { deliver, forget, receivers, send } = yield* sampleHost()
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

  const at = `/shops/${sampleShop.id}`
  const [design, ...designs] = sampleShop.designs
  const [order, ...orders] = sampleShop.orders
  if (design === undefined || order === undefined) return yield* Effect.die(new Error("The sample shop is empty"))
  const { id: designId, input: designInput } = design
  const { id: orderId, input: orderInput } = order
  const customizerId = String(designInput["customizerId"])
  yield* fillShop(manage, sampleShop.id, { designs, orders })

  // What happens from here on is delivered.
  const kinds = ["design.ordered", "order.cancelled", "design.created"]
  const { id: endpoint } = yield* manage("POST", `${at}/webhooks`, {
    url: "https://erp.example.com/hooks/designs",
    events: kinds,
    description: "ERP",
  })
  const webhooks = `${at}/webhooks/${endpoint}`
  receivers.respond = () => Effect.succeed(responseOf(200, "received"))
  yield* manage("PUT", `${at}/designs/${designId}`, designInput)
  yield* manage("PUT", `${at}/designs/${designId}`, designInput)
  yield* manage("POST", `${at}/designs`, designInput)
  yield* manage("PUT", `${at}/orders/${orderId}`, orderInput)
  yield* Effect.orDie(deliver)
  yield* TestClock.adjust("1 minute")

  const { token } = yield* manage("POST", `${at}/tokens`, { name: "ERP" })
  const rest = "/api/v1"
  yield* read(`${rest}/orders?limit=1`, String(token))
  yield* read(`${rest}/orders/${orderId}`, String(token))
  yield* read(`${rest}/designs/${designId}`, String(token))
  yield* read(`${rest}/customizers/${customizerId}`, String(token))

  yield* manage("POST", `${at}/orders/${orderId}/cancel`)
  yield* manage("POST", `${at}/orders/${orderId}/redact`)
  yield* Effect.orDie(deliver)
  const { id: delivery } = yield* manage("POST", `${webhooks}/test`)
  yield* Effect.orDie(deliver)
  yield* manage("GET", `${webhooks}/deliveries/${delivery}`)
  yield* manage("POST", `${webhooks}/deliveries/${delivery}/redeliver`)
  yield* manage("POST", `${webhooks}/recover`, { since: "2026-11-19T00:00:00Z" })
  yield* manage("PATCH", webhooks, { events: kinds.slice(0, 2), description: "ERP, without drafts" })
  yield* manage("GET", `${webhooks}/deliveries`)

  // A store without orders gets a ping for its test event.
  yield* manage("PUT", "/shops/empty", { ...sampleShop.settings, domain: "empty.example.com" })
  const { id: other } = yield* manage("POST", "/shops/empty/webhooks", { url: "https://empty.example.com/hooks" })
  yield* manage("POST", `/shops/empty/webhooks/${other}/test`)
  yield* Effect.orDie(deliver)

  // Operations without an example yet get what is there already, and no more input than they need.
  const known: Readonly<Record<string, unknown>> = { shop: sampleShop.id, endpoint, delivery, platformOrderId: orderId }
  const idIn: Readonly<Record<string, unknown>> = {
    designs: designId,
    orders: orderId,
    customizers: customizerId,
  }
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
      const body = operation.spec["requestBody"] as Json | undefined
      if (api === "rest") yield* read(path, String(token))
      else
        yield* manage(
          operation.method,
          path.slice("/manage/v1".length),
          least(api, body && (jsonOf(body)?.["schema"] as Json)),
        )
    }
  }

  // Errors.
  yield* read(`${rest}/orders?limit=0`, String(token))
  yield* read(`${rest}/orders`, "cmz_nobodys")
  yield* read(`${rest}/orders/4711`, String(token))
  const feed = (yield* read(`${rest}/events?limit=1`, String(token))).json as { readonly pagination: Json }
  yield* forget
  yield* read(`${rest}/events?after=${feed.pagination["nextCursor"]}`, String(token))
  yield* read(`${rest}/designs/unavailable`, String(token))
  yield* read(`${rest}/designs/defect`, String(token))
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
    yield* read(`${rest}/orders?limit=1`, String(token))
  }
  for (let tried = 0; tried < 20 && kept.manage.errors["429"] === undefined; tried++) {
    const answer = yield* send("GET", "/manage/v1/shops", { headers: { authorization: "Bearer wrong" } })
    kept.manage.keep("GET", "/manage/v1/shops", undefined, answer)
  }

  // Several go out at once: which of them comes first is no matter of the seed.
  const sent = receivers.sent.toSorted((left, right) => (left.deliveryId < right.deliveryId ? -1 : 1))
  const webhookOf = (event: string) => {
    const found = sent.find((one) => envelopeOf(one).event === event)
    return found === undefined ? undefined : { headers: found.request.headers, body: envelopeOf(found) }
  }
  const examplesOf = ({ errors, operations }: (typeof kept)[ApiName]): Examples => ({
    operations: byKey(operations),
    errors: byKey(errors),
  })
  const delivered = Object.keys(plainDocuments.rest.webhooks ?? {}).flatMap((event) => {
    const found = webhookOf(event)
    return found === undefined ? [] : [[event, found]]
  })
  return {
    rest: { ...examplesOf(kept.rest), webhooks: Object.fromEntries(delivered) },
    manage: examplesOf(kept.manage),
  }
}).pipe(Effect.scoped, Effect.provide([TestClock.layer(), Logger.layer([])]), Effect.orDie)

/** The answers with a JSON body that have no example, as `operation status`. */
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
