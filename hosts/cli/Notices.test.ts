import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  address,
  run,
  secrets,
  send,
  start,
  stop,
  temporaryDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { verifyNotice } from "../receiver/index.ts"

/** A server on this machine that takes a notice, and answers 503 to everything else. */
const noticeServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const { promise, resolve } = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: Buffer }>()
    const server = createServer(async (request, response) => {
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part as Buffer)
      const isNotice = request.url === "/notices"
      response.writeHead(isNotice ? 200 : 503).end()
      if (isNotice) resolve({ headers: request.headers, body: Buffer.concat(parts) })
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken: promise }
  }),
  ({ server }) =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    }),
)

it.live(
  "serve MUST post notices to DESIGNWIRE_NOTICE_URL, signed with the secret that notice-secret prints (D42)",
  () =>
    Effect.gen(function* () {
      const operator = yield* noticeServer
      const cwd = yield* temporaryDirectory
      const environment = {
        ...localReceivers,
        DESIGNWIRE_MANAGE_KEY: secrets.DESIGNWIRE_MANAGE_KEY,
        DESIGNWIRE_RETRY_SCHEDULE: "10ms",
        DESIGNWIRE_NOTICE_URL: `${operator.url}/notices`,
      }
      const serving = yield* start(["serve"], environment, { cwd })
      const shop = `${yield* address(serving)}/manage/v1/shops/shop`
      const token = secrets.DESIGNWIRE_MANAGE_KEY
      yield* send("PUT", shop, {
        token,
        body: { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" },
      })
      const added = yield* send("POST", `${shop}/webhooks`, {
        token,
        body: { url: `${operator.url}/hook`, events: ["design.created"] },
      })
      yield* send("PUT", `${shop}/customizers/1`, {
        token,
        body: { title: "Ring", platformProductId: "gid://shop/Product/1", assetBase: "https://a.example.com" },
      })
      const definition = { schemaVersion: 1, steps: [{ id: "s", title: "S", view: "v" }], questions: [], rules: [] }
      yield* send("POST", `${shop}/customizers/1/publish`, { token, body: { definition } })
      yield* send("PUT", `${shop}/designs/d`, { token, body: { customizerId: 1, basePrice: 100, selection: {} } })
      const { body, headers } = yield* Effect.promise(() => operator.taken)
      const printed = yield* run(["notice-secret"], environment, { cwd })
      const result = yield* Effect.promise(() => verifyNotice({ secret: printed.stdout.trim(), headers, body }))
      expect(result).toMatchObject({
        ok: true,
        notice: {
          notice: "delivery.given_up",
          shop: "shop",
          endpoint: { id: (added.json() as { readonly id: string }).id, url: `${operator.url}/hook` },
          delivery: { event: "design.created", attempts: 2, statusCode: 503, error: null },
        },
      })
      expect((yield* stop(serving)).code).toBe(0)
    }),
)
