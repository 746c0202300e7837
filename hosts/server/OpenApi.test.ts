/** `/openapi.json` and `/docs` (hosts/cli/README.md) against §2, §4, §5 and §7. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { type Json, memory, onHosts, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"
import { type Document, misfits, resolved } from "../../conformance/testkit/requests/OpenApiDocument.ts"

const document = Effect.gen(function* () {
  const { send } = yield* TestHost
  const answer = yield* send("GET", "/openapi.json")
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"])
  return resolved(answer.json)
})

const operations = {
  "/api/v1/orders": ["200", "400", "401", "403", "429"],
  "/api/v1/events": ["200", "400", "401", "403", "410", "429"],
  "/api/v1/orders/{platformOrderId}": ["200", "400", "401", "403", "404", "429"],
  "/api/v1/orders/{platformOrderId}/lines": ["200", "400", "401", "403", "404", "429"],
  "/api/v1/designs/{id}": ["200", "400", "401", "403", "404", "429"],
  "/api/v1/customizers/{id}": ["200", "400", "401", "403", "404", "429"],
}

onHosts("The document of the REST API", [memory], (it) => {
  it.effect(
    "MUST be OpenAPI 3.1 and list the paths of §4, lines and the feed, each with GET alone (§1-2, §1-7, §1-8, D39, D81)",
    () =>
      Effect.gen(function* () {
        const { info, openapi, paths } = yield* document
        expect(openapi).toMatch(/^3\.1\.\d+$/)
        expect(info["version"]).toBe("2026-10")
        expect(Object.keys(paths).sort()).toEqual(Object.keys(operations).sort())
        for (const [path, operation] of Object.entries(paths)) {
          expect([path, Object.keys(operation)]).toEqual([path, ["get"]])
        }
      }),
  )

  it.effect("MUST name RFC 3339 as the form of orderedAfter (D13)", () =>
    Effect.gen(function* () {
      const { paths } = yield* document
      const parameters = paths["/api/v1/orders"]?.["get"]?.parameters ?? []
      const orderedAfter = parameters.find(({ name }) => name === "orderedAfter")
      expect(orderedAfter).toMatchObject({
        description: expect.stringContaining("RFC 3339"),
        schema: { type: "string", format: "date-time" },
      })
    }),
  )

  it.effect(
    "MUST describe the parameters of §4: limit 1 to 100, default 25, cursor and orderedAfter; and the ids in the paths",
    () =>
      Effect.gen(function* () {
        const { paths } = yield* document
        const of = (path: string) => paths[path]?.["get"]?.parameters ?? []
        const list = of("/api/v1/orders")
        expect(list.map(({ in: place, name, required }) => [place, name, required])).toEqual([
          ["query", "limit", false],
          ["query", "cursor", false],
          ["query", "orderedAfter", false],
        ])
        expect(list[0]?.["schema"]).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 25 })
        expect(of("/api/v1/events").map(({ in: place, name, required }) => [place, name, required])).toEqual([
          ["query", "after", false],
          ["query", "limit", false],
          ["query", "types", false],
        ])
        // One parameter with commas, as the feed reads it, and not several.
        expect(of("/api/v1/events")[2]).toMatchObject({ style: "form", explode: false })
        for (const path of Object.keys(operations).slice(2)) {
          const name = /\{(.+)\}/.exec(path)?.[1]
          expect(of(path)).toMatchObject([{ in: "path", name, required: true }])
        }
      }),
  )

  it.effect("MUST ask for a bearer token on every path (§5)", () =>
    Effect.gen(function* () {
      const { components, paths, security } = yield* document
      for (const path of Object.keys(operations)) {
        const needed = paths[path]?.["get"]?.security ?? security ?? []
        expect(needed.length).toBeGreaterThan(0)
        for (const scheme of needed.flatMap((one) => Object.keys(one))) {
          expect(components.securitySchemes[scheme]).toMatchObject({
            type: "http",
            scheme: expect.stringMatching(/^bearer$/i),
          })
        }
      }
    }),
  )

  it.effect("MUST list the answers 400, 401, 403, 404 and 429, each exactly {message} (§7, D11)", () =>
    Effect.gen(function* () {
      const root = yield* document
      for (const [path, statuses] of Object.entries(operations)) {
        const responses = root.paths[path]?.["get"]?.responses ?? {}
        expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(statuses)])
        for (const status of statuses.slice(1)) {
          const schema = responses[status]?.content?.["application/json"]?.schema
          expect([path, status, schema === undefined]).toEqual([path, status, false])
          expect(misfits(root, schema as Json, { message: "text" })).toEqual([])
          for (const wrong of [{}, { message: 1 }, "text", null, { message: "text", _tag: "x" }]) {
            expect([path, status, wrong, misfits(root, schema as Json, wrong).length > 0]).toEqual([
              path,
              status,
              wrong,
              true,
            ])
          }
        }
      }
    }),
  )

  it.effect("MUST describe every delivery in a webhooks section, with schemas from the document (§2.5, §6)", () =>
    Effect.gen(function* () {
      const { webhooks, ...root } = (yield* document) as Document & {
        readonly webhooks: Readonly<Record<string, Json>>
      }
      expect(Object.keys(webhooks)).toEqual([
        "design.ordered",
        "order.cancelled",
        "design.created",
        "design.cancelled",
        "ping",
      ])
      for (const [event, webhook] of Object.entries(webhooks)) {
        const text = JSON.stringify(webhook)
        for (const field of ["id", "event", "apiVersion", "createdAt", "shop", "data", "test"]) {
          expect([event, text.includes(`"${field}":{`)]).toEqual([event, true])
        }
        for (const header of ["Event", "Delivery", "Timestamp", "Signature"]) {
          expect([event, text.includes(`"X-Service-${header}"`)]).toEqual([event, true])
        }
        for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
          expect(Object.keys(root.components.schemas)).toContain(name)
        }
      }
    }),
  )

  it.effect("MUST be readable at /docs, as a page that loads nothing from other hosts", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { headers, status, text } = yield* send("GET", "/docs")
      expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")])
      expect(text).toMatch(/^<!doctype html>/i)
      // Only the markup: scripts and styles within the page load nothing.
      const markup = text.replace(/<(script|style)\b([^>]*)>[\s\S]*?<\/\1>/g, "<$1$2></$1>")
      expect(markup).toContain("<script")
      expect(
        markup.match(/<(script|link|img|iframe|source)\b[^>]*\b(src|href)\s*=\s*["']?(https?:)?\/\/[^>]*>/gi),
      ).toBeNull()
      expect(text).not.toMatch(/fonts\.(googleapis|gstatic|scalar)\.com\/[^"'` ]*\.(css|woff2?)["'`)]\s*(rel|media)/)
      expect(text).toContain("Designwire REST API")
    }),
  )
})
