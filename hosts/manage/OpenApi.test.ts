/** `/manage/openapi.json` and `/manage/docs` (hosts/manage/README.md). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { type Json, memory, onHosts, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"
import { type Document, misfits, resolved } from "../../conformance/testkit/requests/OpenApiDocument.ts"

const document = Effect.gen(function* () {
  const { send } = yield* TestHost
  const answer = yield* send("GET", "/manage/openapi.json")
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"])
  return resolved(answer.json)
})

const endpoint = "/shops/{shop}/webhooks/{endpoint}"

/** hosts/manage/README.md: the routes of the management API, with a valid body for routes that have one. */
const rows: ReadonlyArray<readonly [method: string, path: string, body?: Json]> = [
  ["put", "/shops/{shop}", shopInput],
  ["get", "/shops"],
  ["get", "/shops/{shop}"],
  [
    "put",
    "/shops/{shop}/customizers/{id}",
    { title: "T", platformProductId: "gid://shop/Product/7", assetBase: "https://assets.example.com/7/" },
  ],
  ["post", "/shops/{shop}/customizers/{id}/publish", { definition: customizers[0]?.definition }],
  ["put", "/shops/{shop}/designs/{id}", ringInput],
  ["post", "/shops/{shop}/designs", { ...ringInput, createdAt: "2026-10-05T14:48:00Z" }],
  [
    "put",
    "/shops/{shop}/orders/{id}",
    { name: "9", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: "d-1", lineItemId: "1" }] },
  ],
  ["post", "/shops/{shop}/orders/{id}/cancel"],
  ["get", "/shops/{shop}/inbox"],
  ["get", "/shops/{shop}/inbox/{id}"],
  ["post", "/shops/{shop}/inbox/{id}/apply"],
  ["post", "/shops/{shop}/tokens", { name: "ERP" }],
  ["get", "/shops/{shop}/tokens"],
  ["delete", "/shops/{shop}/tokens/{id}"],
  ["post", "/shops/{shop}/webhooks", { url: "https://example.com/hook", events: ["design.ordered"] }],
  ["get", "/shops/{shop}/webhooks"],
  ["get", endpoint],
  ["patch", endpoint, { description: "Warehouse" }],
  ["delete", endpoint],
  ["post", `${endpoint}/enable`],
  ["post", `${endpoint}/recover`, { since: "2026-10-05T14:48:00Z" }],
  ["post", `${endpoint}/secret/rotate`, { overlap: 3600 }],
  ["post", `${endpoint}/secret/promote`],
  ["post", `${endpoint}/test`],
  ["get", `${endpoint}/deliveries`],
  ["get", `${endpoint}/deliveries/{delivery}`],
  ["post", `${endpoint}/deliveries/{delivery}/redeliver`],
]

/** The names of all objects. */
const objects = `
  Activity Answer AuditEntry AuditPage Condition ConflictBody Customizer CustomizerInput Definition Delivery
  DeliveryPage DeliveryWithBody Design DesignInput Difference DraftPage EnabledEndpoint Endpoint EndpointInput
  EndpointUpdate ErrorBody InboxEvent InboxPage InputErrorBody KeptCancellation Layer MultipleQuestion NewEndpoint
  NewToken Order OrderInput OrderLine OrderLines OrderReference Platform PlatformInput Price PriceLine PrintArea
  ProductionEntry PublishInput Question RecoveryInput ResendInput Resent RotatedEndpoint RotationInput Rule
  SettingsLink SettingsLinkInput Shop ShopInput ShopPage SingleQuestion Step SummaryEntry TextQuestion Token
  TokenInput UploadQuestion
`

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

onHosts("The document of the management API", [memory], (it) => {
  it.effect("MUST be OpenAPI 3.1, list every route of the API, and need no key", () =>
    Effect.gen(function* () {
      const root = yield* document
      expect(root.openapi).toMatch(/^3\.1\.\d+$/)
      expect(operationsOf(root).map(({ name }) => name)).toEqual(
        expect.arrayContaining(rows.map(([method, path]) => `${method} /manage/v1${path}`)),
      )
    }),
  )

  it.effect("MUST name every object, as clients that are generated from it will", () =>
    Effect.gen(function* () {
      const names = Object.keys((yield* document).components.schemas)
      expect(names.toSorted()).toEqual(objects.trim().split(/\s+/))
    }),
  )

  it.effect("MUST describe in plain words what every route is for, and how to send the key", () =>
    Effect.gen(function* () {
      const root = yield* document
      const summaries = new Set<string | undefined>()
      for (const { name, operation } of operationsOf(root)) {
        expect([name, operation.summary]).toEqual([name, expect.stringMatching(/^[A-Z][a-z ]+[a-z]$/)])
        expect([name, operation.description]).toEqual([name, expect.stringMatching(/^[A-Z][\s\S]+\.$/)])
        summaries.add(operation.summary)
        expect(operation.tags).toHaveLength(1)
        expect(operation.security).toEqual([{ manageKey: [] }])
        for (const parameter of operation.parameters ?? []) {
          expect([name, parameter["name"], (parameter["schema"] as Json)["description"]]).toEqual([
            name,
            parameter["name"],
            expect.any(String),
          ])
        }
      }
      expect(summaries.size).toBe(operationsOf(root).length)
      expect(root.components.securitySchemes["manageKey"]).toMatchObject({ type: "http", scheme: "bearer" })
    }),
  )

  it.effect("MUST describe the body of every route that has one: valid bodies match it, and invalid ones don't", () =>
    Effect.gen(function* () {
      const root = yield* document
      for (const [method, path, body] of rows) {
        const { requestBody } = root.paths[`/manage/v1${path}`]?.[method] ?? {}
        const schema = requestBody?.content?.["application/json"]?.schema
        expect([method, path, schema === undefined]).toEqual([method, path, body === undefined])
        if (body === undefined) continue
        expect([method, path, misfits(root, schema as Json, body)]).toEqual([method, path, []])
        for (const [key, value] of Object.entries(body)) {
          const wrong = { ...body, [key]: typeof value === "object" ? 1 : { no: "such thing" } }
          expect([method, path, key, misfits(root, schema as Json, wrong).length > 0]).toEqual([
            method,
            path,
            key,
            true,
          ])
        }
      }
    }),
  )

  it.effect("MUST list the errors of every route, each {message} and for input also problems", () =>
    Effect.gen(function* () {
      const root = yield* document
      for (const { name, operation } of operationsOf(root)) {
        const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
        const statuses = errors.map(([status]) => status)
        const needed = operation.requestBody === undefined ? ["401", "429", "503"] : ["400", "401", "413", "429", "503"]
        expect([name, statuses]).toEqual([name, expect.arrayContaining(needed)])
        for (const [status, response] of errors) {
          expect([name, status, response.description]).toEqual([name, status, expect.stringMatching(/^[A-Z]/)])
          const schema = response.content?.["application/json"]?.schema as Json
          const problems = ["400", "422"].includes(status) ? { problems: [{ path: "a", message: "b" }] } : {}
          expect([name, status, misfits(root, schema, { message: "text", ...problems })]).toEqual([name, status, []])
          expect(misfits(root, schema, { ...problems }).length).toBeGreaterThan(0)
        }
      }
    }),
  )

  it.effect("MUST be readable at /manage/docs", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { headers, status, text } = yield* send("GET", "/manage/docs")
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"])
      expect(text).toMatch(/^<!doctype html>/i)
      expect(text).toContain("Designwire management API")
    }),
  )
})
