/** The streams of the settings app over HTTP: on the server, and in an application that mounts it. */
import { createServer, get, type IncomingMessage } from "node:http"
import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { makeToken } from "../../conformance/suites/storage/support/Fixtures.ts"
import { type Browser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { keptAlive, memory, newShop, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { createDesignwire, toNodeHandler } from "../embed/index.ts"

/** A response that is being read. */
interface Read {
  readonly response: IncomingMessage
  /** Waits until the response has said a text. */
  readonly says: (text: string) => Promise<void>
  /** Waits for the end, and returns whether the response has ended as it should. */
  readonly ended: Promise<boolean>
}

const read = (port: number, path: string, headers: Readonly<Record<string, string>>) =>
  Effect.promise(
    () =>
      new Promise<Read>((resolve, reject) => {
        get({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
          let said = ""
          let check = () => undefined as unknown
          response.setEncoding("utf8").on("data", (text: string) => {
            said += text
            check()
          })
          response.on("error", () => undefined)
          resolve({
            response,
            says: (text) =>
              new Promise((heard) => {
                check = () => said.includes(text) && heard()
                check()
              }),
            ended: new Promise((end) => response.on("close", () => end(response.complete))),
          })
        }).on("error", reject)
      }),
  )

const cookieOf = ({ cookies }: Browser) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
})

/** A server with a store, in a scope of its own, and a browser that is signed in. */
const site = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const ports = yield* Layer.build((yield* memory.open).ports)
  const port = yield* Scope.provide(serve(ports), scope)
  const send = sender(port, yield* keptAlive)
  const shop = yield* newShop(send)
  const browser = yield* signedIn(send, shop.id)
  return { scope, ports, port, shop, browser }
})

it.live("a page that listens MUST hear of a change, through proxies, and the server MUST NOT wait for it to stop", () =>
  Effect.gen(function* () {
    const { browser, port, ports, scope, shop } = yield* site
    const stream = yield* read(port, `/settings/${shop.id}/live`, cookieOf(browser))
    expect(stream.response.statusCode).toBe(200)
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    })
    yield* Effect.promise(() => stream.says("data: changed"))
    yield* Context.get(ports, TokenStore).add(makeToken(shop.id), 100)
    yield* Effect.promise(() => stream.says("data: changed\n\ndata: changed"))
    yield* Scope.close(scope, Exit.void)
    expect(yield* Effect.promise(() => stream.ended)).toBe(true)
  }).pipe(Effect.scoped),
)

it.live("signing out in one process MUST end the streams of the session in another, though nothing else happens", () =>
  Effect.gen(function* () {
    const { browser, ports, scope, shop } = yield* site
    const other = yield* Scope.provide(serve(ports), scope)
    const stream = yield* read(other, `/settings/${shop.id}/live`, cookieOf(browser))
    yield* Effect.promise(() => stream.says("data: changed"))
    yield* browser.submit(yield* browser.open("/settings/tokens"), "./sign-out")
    expect(yield* Effect.promise(() => stream.ended)).toBe(true)
    yield* Scope.close(scope, Exit.void)
  }).pipe(Effect.scoped),
)

it.live("signing out MUST end the streams of the session, and nobody else MUST get one", () =>
  Effect.gen(function* () {
    const { browser, port, ports, scope, shop } = yield* site
    const cookie = cookieOf(browser)
    const stream = yield* read(port, `/settings/${shop.id}/live`, cookie)
    yield* Effect.promise(() => stream.says("data: changed"))
    yield* browser.submit(yield* browser.open("/settings/tokens"), "./sign-out")
    yield* Context.get(ports, TokenStore).add(makeToken(shop.id), 100)
    expect(yield* Effect.promise(() => stream.ended)).toBe(true)
    for (const headers of [cookie, {}]) {
      const refused = yield* read(port, `/settings/${shop.id}/live`, headers)
      expect([refused.response.statusCode, refused.response.headers.location]).toEqual([
        303,
        `../sign-in?next=${encodeURIComponent(`${shop.id}/live`)}`,
      ])
      refused.response.resume()
    }
    yield* Scope.close(scope, Exit.void)
  }).pipe(Effect.scoped),
)

it.live("an application that mounts the app MUST pass its streams on, and end them when it stops", () =>
  Effect.gen(function* () {
    const designwire = yield* Effect.promise(() =>
      createDesignwire({
        database: { memory: true },
        encryptionKeys: Buffer.alloc(32, 7).toString("base64"),
        settings: { path: "/settings", authorize: () => ({ shop: "acme", actor: "jo" }) },
      }),
    )
    yield* Effect.promise(() => designwire.shops.put("acme", shopInput))
    const server = createServer(toNodeHandler(designwire))
    yield* Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    })
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const stream = yield* read(port, "/settings/acme/live", {})
    yield* Effect.promise(() => stream.says("data: changed"))
    yield* Effect.promise(() => designwire.tokens.create("acme", { name: "ERP" }))
    yield* Effect.promise(() => stream.says("data: changed\n\ndata: changed"))
    yield* Effect.promise(() => designwire.stop())
    expect(yield* Effect.promise(() => stream.ended)).toBe(true)
    server.close()
  }),
)
