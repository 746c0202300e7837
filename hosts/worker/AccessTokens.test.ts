/** Access tokens from a real token server (D55). */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Result } from "effect"
import * as Memory from "../../adapters/memory/index.ts"
import * as NodeAdapter from "../../adapters/node/index.ts"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { keyRing } from "../../conformance/testkit/workers/Fleet.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { listAudit } from "../../core/usecases/audit/ReadAudit.ts"
import { putShop } from "../../core/usecases/shops/ManageShops.ts"
import { defaultWorker, drain } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { listDeliveries, sendTestEvent } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { createEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server on this machine until the scope closes, with the requests that it got. */
const serving = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly requests: Array<IncomingMessage>; readonly close: () => void }>(
      (resume) => {
        const requests: Array<IncomingMessage> = []
        const server = createServer((request, response) => {
          requests.push(request)
          request.resume().on("end", () => answer(response, request))
        })
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, requests, close }))
        })
      },
    ),
    ({ close }) => Effect.sync(close),
  )

const clientSecret = "cl1ent-s3cret"
const accessToken = "acc3ss-t0ken"

const grant = (more: object = {}) =>
  JSON.stringify({ access_token: accessToken, token_type: "Bearer", expires_in: 3600, ...more })

/** A worker with this many test events for an endpoint whose tokens come from a server that answers like this. */
const delivering = Effect.fnUntraced(function* (events: number, answer: Answer) {
  const lines: Array<string> = []
  const logger = Logger.make(({ message, cause }) => void lines.push(JSON.stringify([message, String(cause)])))
  const receiver = yield* serving((response) => response.writeHead(204).end())
  const server = yield* serving(answer)
  const services = Layer.mergeAll(
    NodeAdapter.layer(),
    Memory.layer,
    NodeCrypto.layer,
    Layer.succeed(KeyRing, keyRing),
    Logger.layer([logger]),
    Layer.succeed(WebhookPolicy, {
      allowHttp: true,
      allowNetworks: Result.getOrThrow(parseNetworks("127.0.0.1/32")),
    }),
  )
  return yield* Effect.gen(function* () {
    yield* putShop("ring", shopInput)
    const { endpoint } = yield* createEndpoint("ring", {
      url: receiver.url,
      oauth: { tokenUrl: server.url, clientId: "shop", clientSecret },
    })
    for (let event = 0; event < events; event++) yield* sendTestEvent("ring", endpoint.id)
    const worker = { ...defaultWorker, perEndpoint: events }
    const drained = yield* drain(worker, { max: events, deadline: Date.now() + 30_000 })
    const [deliveries, audit] = [yield* listDeliveries("ring", endpoint.id), yield* listAudit("ring", { limit: 100 })]
    const written = JSON.stringify([deliveries, audit, lines])
    for (const secret of [clientSecret, accessToken, btoa(`shop:${clientSecret}`)])
      expect(written).not.toContain(secret)
    return {
      drained,
      received: receiver.requests.map(({ headers }) => headers.authorization),
      requests: server.requests.map(({ headers, method, url }) => ({ headers, method, url })),
      attempts: deliveries.flatMap(({ attempts }) =>
        attempts.map(({ error, responseStart }) => [error, responseStart]),
      ),
    }
  }).pipe(Effect.provide(services))
})

describe("A token server", () => {
  it.live(
    "MUST be asked once by 20 attempts at the same time, as a form, and its token sent with all of them (D55)",
    () =>
      Effect.gen(function* () {
        const late: Answer = (response) => void setTimeout(() => response.end(grant()), 200)
        const { drained, received, requests } = yield* delivering(20, late)
        expect(drained).toEqual({ attempts: 20, succeeded: 20 })
        expect(received).toEqual(Array.from({ length: 20 }, () => `Bearer ${accessToken}`))
        expect(requests).toMatchObject([
          {
            ...{ method: "POST", url: "/" },
            headers: {
              ...{ authorization: `Basic ${btoa(`shop:${clientSecret}`)}`, accept: "application/json" },
              ...{ "content-type": "application/x-www-form-urlencoded", "user-agent": "Designwire-Webhooks/1.0" },
            },
          },
        ])
      }),
  )

  it.live("MUST NOT send attempts elsewhere, and MUST NOT have its answer read beyond 16 KiB, or shown", () =>
    Effect.gen(function* () {
      const elsewhere = yield* serving((response) => response.end(grant()))
      const answers: ReadonlyArray<readonly [string, Answer]> = [
        ["answered 307", (response) => response.writeHead(307, { location: elsewhere.url }).end()],
        ["is not JSON", (response) => response.end(grant({ more: "x".repeat(16_384) }))],
        ["is not JSON", (response) => response.end(`<html>${accessToken} ${clientSecret}`)],
        ["other than Bearer", (response) => response.end(grant({ token_type: accessToken }))],
        ["answered 400", (response, { headers }) => response.writeHead(400).end(headers.authorization)],
        ["gave no answer: reset", (response) => void response.socket?.destroy()],
      ]
      for (const [reason, answer] of answers) {
        const { attempts, received } = yield* delivering(1, answer)
        expect(attempts).toEqual([["token", expect.stringContaining(reason)]])
        expect(received).toEqual([])
      }
      expect(elsewhere.requests).toEqual([])
    }),
  )

  it.live("MUST NOT hold an attempt beyond its time, whether it is silent or its answer has no end", () =>
    Effect.gen(function* () {
      const endless: Answer = (response) => {
        const timer = setInterval(() => response.write(" "), 100)
        response.on("close", () => clearInterval(timer))
      }
      const outcomes = yield* Effect.all([delivering(1, () => undefined), delivering(1, endless)], { concurrency: 2 })
      for (const { attempts, received } of outcomes) {
        expect(attempts).toEqual([["token", expect.any(String)]])
        expect(received).toEqual([])
      }
    }),
  )
})
