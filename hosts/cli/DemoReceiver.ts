import { createServer } from "node:http"
import { Effect, Redacted } from "effect"
import type { HostPolicy } from "../../core/model/HostPolicy.ts"
import { parseNetworks } from "../../core/rules/PublicHost.ts"
import { sendTestEvent } from "../../core/usecases/ManageDeliveries.ts"
import { addEndpoint, listEndpoints, removeEndpoint } from "../../core/usecases/ManageEndpoints.ts"
import { verifyWebhook } from "../receiver/index.ts"

const description = "Demo receiver"

/** The demo's receiver is on this machine, and speaks http: what no other host would be allowed. */
export const withDemoReceiver = (policy: HostPolicy): HostPolicy => ({
  allowNetworks: [...policy.allowNetworks, ...loopback],
  allowHttp: true,
})

const loopback = Effect.runSync(Effect.fromResult(parseNetworks("127.0.0.1/32")))

/**
 * Receives webhooks on a port of its own until the scope closes, registered as endpoint of the shop in place of the last start's, and prints
 * each delivery whose signature is good.
 */
export const demoReceiver = Effect.fn("demoReceiver")(function* (shop: string, print: (line: string) => void) {
  let secret: Redacted.Redacted<string> | undefined
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>, Error>((resume) => {
      const server = createServer(async (request, response) => {
        const chunks: Array<Uint8Array> = []
        for await (const chunk of request) chunks.push(chunk as Uint8Array)
        const result = await verifyWebhook({
          secret: secret === undefined ? "" : Redacted.value(secret),
          headers: request.headers,
          body: Buffer.concat(chunks),
        })
        print(
          result.ok
            ? `Received ${result.event.event} ${result.event.id}${result.event.test ? " (test)" : ""}: signature good`
            : `Refused a delivery: ${result.message}`,
        )
        response.writeHead(result.ok ? 204 : 401).end()
      })
      server.once("error", (error) => resume(Effect.fail(error)))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  if (address === null || typeof address === "string") return
  for (const endpoint of yield* listEndpoints(shop)) {
    if (endpoint.description === description) yield* removeEndpoint(shop, endpoint.id)
  }
  const url = `http://127.0.0.1:${address.port}/`
  const added = yield* addEndpoint(shop, { url, description })
  secret = added.secret
  yield* sendTestEvent(shop, added.endpoint.id)
})
