/** The REST API in an Effect application that has an API, an `/openapi.json` and a `/docs` of its own. */
import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiScalar } from "effect/http-api"
import * as Memory from "../../adapters/memory/index.ts"
import { KeyRing } from "../ports/KeyRing.ts"
import { createToken } from "../usecases/access/ManageTokens.ts"
import { putShop } from "../usecases/shops/ManageShops.ts"
import { type ApiOptions, layerApi } from "./Routes.ts"

const prefix = "/integrations/designs/v1"

const Contract = HttpApi.make("mine").add(
  // The group has the name of the one in our own contract.
  HttpApiGroup.make("resources").add(
    HttpApiEndpoint.get("read", "/Things/:id", {
      params: { id: Schema.String },
      success: Schema.Struct({ id: Schema.String }),
    }),
  ),
)

/** An application in the usual configuration. */
const MyApi = Layer.mergeAll(
  HttpApiBuilder.layer(Contract, { openapiPath: "/openapi.json" }),
  HttpApiScalar.layer(Contract, { path: "/docs" }),
  HttpRouter.add("GET", `${prefix}/mine`, HttpServerResponse.text("mine")),
).pipe(
  Layer.provide(
    HttpApiBuilder.group(Contract, "resources", (handlers) =>
      handlers.handle("read", ({ params }) => Effect.succeed({ id: params.id })),
    ),
  ),
)

type Get = (
  path: string,
  init?: { readonly method?: string; readonly headers?: Record<string, string> },
) => Effect.Effect<{
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}>

/** Serves routes alongside the REST API; a request brings a token of a shop, unless it brings something else. */
const serving = Effect.fnUntraced(function* <E>(
  options: ApiOptions,
  mount: (
    api: ReturnType<typeof layerApi>,
  ) => Layer.Layer<never, E, Layer.Services<ReturnType<typeof layerApi> | typeof MyApi>> = (api) =>
    Layer.merge(MyApi, api),
) {
  const services = yield* Layer.build(
    Layer.mergeAll(
      Memory.layer,
      NodeCrypto.layer,
      Layer.succeed(KeyRing, { keys: [Redacted.make(new Uint8Array(32))] }),
    ),
  )
  const token = yield* Effect.gen(function* () {
    const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://i.example.com" }
    yield* putShop("acme", shop)
    return Redacted.value((yield* createToken("acme", { name: "Test" })).text)
  }).pipe(Effect.provideContext(services))
  const { dispose, handler } = HttpRouter.toWebHandler(
    mount(layerApi(options)).pipe(
      Layer.provide(Layer.succeedContext(services)),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  const get: Get = (path, { headers = {}, method = "GET" } = {}) =>
    Effect.promise(async () => {
      const all = { authorization: `Bearer ${token}`, ...headers }
      const response = await handler(new Request(`http://host.test${path}`, { method, headers: all }))
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    })
  return get
})

describe("layerApi", () => {
  it.live("MUST leave an application its own API, document and page, and serve its own below the prefix", () =>
    Effect.gen(function* () {
      const get = yield* serving({ prefix })
      expect(JSON.parse((yield* get("/things/7")).text)).toEqual({ id: "7" })
      expect(JSON.parse((yield* get("/openapi.json")).text).paths).toHaveProperty(["/Things/{id}"])
      expect((yield* get("/docs")).text).toContain("<!doctype html>")
      expect((yield* get(`${prefix}/mine`)).text).toBe("mine")
      for (const path of ["/things/7", "/openapi.json", "/docs", "/nothing", `${prefix}/mine`, "/things/%zz"]) {
        const { headers } = yield* get(path)
        expect([path, headers["x-api-version"], headers["ratelimit"]]).toEqual([path, undefined, undefined])
      }
      const orders = yield* get(`${prefix}/orders`)
      expect([orders.status, orders.headers["x-api-version"]]).toEqual([200, "2026-10"])
      expect(JSON.parse((yield* get(`${prefix}/openapi.json`)).text).paths).toHaveProperty([`${prefix}/orders`])
      expect((yield* get(`${prefix}/docs`)).text).toContain("Designwire REST API")
    }),
  )

  it.live(
    "MUST answer whatever is below the prefix as the standalone host does, however the router is configured",
    () =>
      Effect.gen(function* () {
        const get = yield* serving({ prefix })
        const nothing = { message: "There is nothing at this address" }
        const missing = expect.objectContaining({ message: expect.stringContaining("There is no such") })
        for (const [path, status, body] of [
          ["/nothing", 404, nothing],
          ["", 404, nothing],
          ["/", 404, nothing],
          ["/orders/", 404, nothing],
          ["//orders", 404, nothing],
          ["/Orders", 404, nothing],
          ["/designs/%zz", 404, nothing],
          ["/designs/x;y", 404, missing],
          [`/designs/${"x".repeat(255)}`, 404, missing],
          ["/%6Frders/x", 404, missing],
        ] as const) {
          const answer = yield* get(`${prefix}${path}`)
          expect([path, answer.status, JSON.parse(answer.text)]).toEqual([path, status, body])
          expect([path, answer.headers["x-api-version"]]).toEqual([path, "2026-10"])
          expect([path, answer.headers["ratelimit"]]).toEqual([path, expect.stringMatching(/^"default";r=\d+;t=\d+$/)])
          const stranger = yield* get(`${prefix}${path}`, { headers: { authorization: "" } })
          expect([path, stranger.status, stranger.headers["www-authenticate"]]).toEqual([path, 401, "Bearer"])
        }
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "FROBNICATE"]) {
          for (const path of ["/orders", "/openapi.json", "/docs"]) {
            const answer = yield* get(`${prefix}${path}`, { method })
            const told = [method, path, answer.status, answer.headers["allow"], JSON.parse(answer.text)]
            expect(told).toEqual([method, path, 405, "GET, HEAD", { message: "Only GET and HEAD are allowed here" }])
          }
        }
        const head = yield* get(`${prefix}/orders`, { method: "HEAD" })
        expect([head.status, head.text, head.headers["content-length"]]).toEqual([
          200,
          "",
          expect.stringMatching(/^\d+$/),
        ])
        const known = yield* get(`${prefix}/orders`, { headers: { "if-none-match": head.headers["etag"] ?? "" } })
        expect([known.status, known.text]).toEqual([304, ""])
      }),
  )

  it.live("MUST NOT answer below a percent-encoded prefix, which middleware in front would miss", () =>
    Effect.gen(function* () {
      const get = yield* serving({ prefix })
      for (const hidden of ["/%69ntegrations/designs/v1", "/integrations/designs/%76%31"]) {
        for (const path of ["/orders", "/openapi.json", "/nothing"]) {
          const { headers, status } = yield* get(hidden + path)
          expect([hidden, path, status, headers["x-api-version"]]).toEqual([hidden, path, 404, undefined])
        }
      }
    }),
  )

  it.live("MUST have no document and no page if they are turned off", () =>
    Effect.gen(function* () {
      const get = yield* serving({ prefix, docs: false })
      for (const path of ["/openapi.json", "/docs"]) expect((yield* get(`${prefix}${path}`)).status).toBe(404)
      expect(JSON.parse((yield* get("/openapi.json")).text).paths).toHaveProperty(["/Things/{id}"])
    }),
  )

  it.live("MUST be a whole application at the root", () =>
    Effect.gen(function* () {
      const get = yield* serving({ prefix: "/" }, (api) => api)
      for (const [path, status] of [
        ["/orders", 200],
        ["/openapi.json", 200],
        ["/", 404],
        ["/nothing", 404],
        ["/designs/%zz", 404],
      ] as const) {
        const answer = yield* get(path)
        expect([path, answer.status, answer.headers["x-api-version"]]).toEqual([path, status, "2026-10"])
      }
    }),
  )

  it.live("MUST be mountable several times, each time with its own document", () =>
    Effect.gen(function* () {
      const get = yield* serving({ prefix: "/one" }, (api) => Layer.merge(api, layerApi({ prefix: "/two.2" })))
      for (const at of ["/one", "/two.2"]) {
        expect((yield* get(`${at}/orders`)).status).toBe(200)
        expect(Object.keys(JSON.parse((yield* get(`${at}/openapi.json`)).text).paths)).toContain(`${at}/orders`)
      }
      expect((yield* get("/twox2/orders")).headers["x-api-version"]).toBeUndefined()
    }),
  )

  it.live("MUST pass once through middleware that the application gives it or all of its routes", () =>
    Effect.gen(function* () {
      const passed: Array<string> = []
      const counting =
        (name: string) =>
        <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
          HttpServerRequest.HttpServerRequest.use(({ url }) => {
            passed.push(`${name} ${url}`)
            return app
          })
      const own = HttpRouter.middleware(counting("own")).layer
      const global = HttpRouter.middleware(counting("global"), { global: true })
      const get = yield* serving({ prefix }, (api) => Layer.mergeAll(MyApi, api.pipe(Layer.provide(own)), global))
      for (const path of ["/orders", "/nothing", "/docs"]) {
        passed.length = 0
        yield* get(`${prefix}${path}`)
        expect(passed.toSorted()).toEqual([`global ${prefix}${path}`, `own ${prefix}${path}`])
      }
      passed.length = 0
      yield* get("/things/1")
      expect(passed).toEqual(["global /things/1"])
    }),
  )

  it.live("MUST have in its document the address that clients use, behind a proxy that changes paths", () =>
    Effect.gen(function* () {
      for (const publicUrl of ["https://api.example.com/shop/designs", "https://api.example.com/shop/designs/"]) {
        const get = yield* serving({ prefix, publicUrl })
        const forwarded = { "x-forwarded-prefix": "/evil", "x-forwarded-host": "evil.example", host: "evil.example" }
        const document = JSON.parse((yield* get(`${prefix}/openapi.json`, { headers: forwarded })).text)
        expect(document.servers).toEqual([{ url: "https://api.example.com" }])
        expect(Object.keys(document.paths)).toEqual(
          [
            ...["orders", "events", "orders/{platformOrderId}", "orders/{platformOrderId}/lines"],
            ...["designs/{id}", "customizers/{id}"],
          ].map((path) => `/shop/designs/${path}`),
        )
      }
      const root = yield* serving({ prefix, publicUrl: "https://designs.example.com" })
      expect(Object.keys(JSON.parse((yield* root(`${prefix}/openapi.json`)).text).paths)).toContain("/orders")
    }),
  )

  it.live("MUST be at an address that names the shop too, alongside the application's own routes", () =>
    Effect.gen(function* () {
      const onPath = yield* serving({ prefix, publicUrl: "https://example.com/{shop}/designs" })
      for (const [path, status, version] of [
        ["/acme/designs/orders", 200, "2026-10"],
        ["/acme/designs/openapi.json", 200, "2026-10"],
        ["/globex/designs/orders", 401, "2026-10"],
        [`${prefix}/orders`, 200, "2026-10"],
        ["/things/1", 200, undefined],
        ["/acme/other", 404, undefined],
      ] as const) {
        const answer = yield* onPath(path)
        expect([path, answer.status, answer.headers["x-api-version"]]).toEqual([path, status, version])
      }
      const document = JSON.parse((yield* onPath("/acme/designs/openapi.json")).text)
      expect(document.servers[0].url).toBe("https://example.com/{shop}")
      expect(Object.keys(document.paths)).toContain("/designs/orders")

      const onHost = yield* serving({ prefix, publicUrl: "https://{shop}.example.com/designs" })
      for (const [host, status] of [
        ["acme.example.com", 200],
        ["globex.example.com", 401],
        ["localhost", 200],
      ] as const) {
        expect([host, (yield* onHost(`${prefix}/orders`, { headers: { host } })).status]).toEqual([host, status])
      }
    }),
  )

  it.effect("MUST refuse an invalid prefix or public address, and say what a valid one looks like", () =>
    Effect.gen(function* () {
      for (const options of [
        ...["api", "/api/", "/a//b", "/a/../b", "/a b", "/a/:id", "/a/*", "/a?b", "//", ""].map((wrong) => ({
          prefix: wrong as "/",
        })),
        ...[
          "api.example.com",
          "ftp://example.com/",
          "https://example.com/a?b",
          "https://a@example.com",
          "/designs",
          "https://example.com/{shop}",
          "https://example.com/a-{shop}",
        ].map((publicUrl) => ({ prefix, publicUrl }) as const),
      ]) {
        const exit = yield* Effect.exit(Effect.scoped(serving(options)).pipe(Effect.flatMap((get) => get("/docs"))))
        expect([options, Exit.isFailure(exit) && String(exit.cause)]).toEqual([options, expect.stringMatching(/not "/)])
      }
    }),
  )
})
