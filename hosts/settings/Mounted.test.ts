/** The settings app in the router of an Effect application. */
import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Memory from "../../adapters/memory/index.ts"
import { layerHostLookup } from "../../adapters/node/HostLookup.ts"
import { makeBrowser } from "../../conformance/testkit/browsers/Browser.ts"
import { answer, type Send } from "../../conformance/testkit/hosts/TestHost.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { putShop } from "../../core/usecases/shops/ManageShops.ts"
import { layerSettings, type SettingsOptions } from "./index.ts"

/** The people that the application knows. */
class People extends Context.Service<People, { readonly owners: ReadonlyMap<string, string> }>()("test/People") {}

const options: SettingsOptions<People> = {
  prefix: "/back-office/designs",
  api: "/api",
  authorize: ({ headers }) =>
    People.use(({ owners }) => {
      const actor = headers.get("x-user") ?? ""
      const shop = owners.get(actor)
      return Effect.succeed(shop === undefined ? undefined : { shop, actor })
    }),
}

const serving = Effect.fnUntraced(function* (
  mount: (settings: ReturnType<typeof layerSettings<People>>) => typeof settings = (settings) => settings,
  changed: Partial<SettingsOptions<People>> = {},
) {
  const services = yield* Layer.build(
    Layer.mergeAll(
      Memory.layer,
      NodeCrypto.layer,
      layerHostLookup(),
      Layer.succeed(KeyRing, { keys: [Redacted.make(new Uint8Array(32))] }),
      Layer.succeed(People, { owners: new Map([["jo", "acme"]]) }),
    ),
  )
  const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://i.example.com" }
  yield* Effect.provideContext(putShop("acme", shop), services)
  const mine = HttpRouter.add("GET", "/back-office/designs/mine", HttpServerResponse.text("mine"))
  const { dispose, handler } = HttpRouter.toWebHandler(
    Layer.merge(mine, mount(layerSettings({ ...options, ...changed }))).pipe(
      Layer.provide(Layer.succeedContext(services)),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  const send: Send = (method, path, { body, headers = {} } = {}) =>
    Effect.promise(async () => {
      const init = { method, headers, ...(typeof body === "string" ? { body } : {}) }
      const response = await handler(new Request(`http://host.test${path}`, init))
      const cookies = response.headers.getSetCookie().join(", ")
      const all = { ...Object.fromEntries(response.headers), ...(cookies === "" ? {} : { "set-cookie": cookies }) }
      return answer(response.status, all, await response.text())
    })
  return send
})

describe("layerSettings", () => {
  it.live(
    "MUST admit people whom the application's services authorize, to their store, alongside the application's routes",
    () =>
      Effect.gen(function* () {
        const send = yield* serving()
        for (const path of ["", "/", "/tokens", "/nothing", "/sign-in"]) {
          const { status } = yield* makeBrowser(send).open(`${options.prefix}${path}`)
          expect([path, status]).toEqual([path, 403])
        }
        const browser = makeBrowser(send, { "x-user": "jo" })
        expect((yield* browser.open(`${options.prefix}/mine`)).text).toBe("mine")
        const page = yield* browser.open(`${options.prefix}/tokens`)
        expect([page.status, page.read]).toEqual([200, expect.stringContaining("http://localhost/api/orders")])
        const made = yield* browser.submit(page, "", { name: "ERP" })
        expect([made.path, made.read]).toEqual([
          `${options.prefix}/acme/tokens`,
          expect.stringContaining("The token “ERP” is ready"),
        ])
        expect((yield* browser.open(`${options.prefix}/nothing`)).status).toBe(404)
        expect((yield* send("PUT", `${options.prefix}/acme/tokens`, { headers: { "x-user": "jo" } })).status).toBe(405)
        expect((yield* send("GET", "/elsewhere")).status).toBe(404)
      }),
  )

  it.live("MUST pass exactly once through middleware of the application", () =>
    Effect.gen(function* () {
      const passed: Array<string> = []
      const counting = HttpRouter.middleware((app) =>
        HttpServerRequest.HttpServerRequest.use(({ url }) => {
          passed.push(url)
          return app
        }),
      ).layer
      const send = yield* serving((settings) => settings.pipe(Layer.provide(counting)))
      yield* send("GET", `${options.prefix}/tokens`)
      expect(passed).toEqual([`${options.prefix}/tokens`])
    }),
  )

  it.live("MUST NOT start with invalid options, and report all problems", () =>
    Effect.gen(function* () {
      const send = yield* serving(undefined, { prefix: "/designs/", logo: "javascript:x", frameAncestors: ["*"] })
      const failed = yield* Effect.exit(send("GET", "/designs/"))
      expect(String(failed)).toMatch(/A prefix is a path.*logo must be.*frameAncestors must be/)
    }),
  )
})
