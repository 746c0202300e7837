import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { Effect, Redacted } from "effect"
import { command } from "../../core/model/audit/Actor.ts"
import { CurrentActor } from "../../core/support/Auditing.ts"
import { sendTestEvent } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { createEndpoint, deleteEndpoint, listEndpoints } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { verifyWebhook } from "../receiver/index.ts"

const description = "Demo receiver"

/** A receiver of webhooks on this machine, which prints each delivery with a valid signature. */
export interface DemoReceiver {
  /** Its address, over plain http, which no other endpoint may use. */
  readonly url: string
  /** Sets the secret to verify with. */
  readonly trust: (secret: Redacted.Redacted<string>) => void
}

/** Receives webhooks on a port of its own until the scope closes. */
export const demoReceiver = Effect.fn("demoReceiver")(function* (print: (line: string) => void) {
  let secret = Redacted.make("")
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>, Error>((resume) => {
      const server = createServer(async (request, response) => {
        const body = await buffer(request).catch(() => undefined)
        // The sender has gone.
        if (body === undefined) return
        const result = await verifyWebhook({ secret: Redacted.value(secret), headers: request.headers, body })
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
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("A server without a port"))
  const receiver: DemoReceiver = {
    url: `http://127.0.0.1:${address.port}/`,
    trust: (made) => {
      secret = made
    },
  }
  return receiver
})

/** Makes a receiver the endpoint of a shop, in place of the previous start's receiver, and sends it a test event. */
export const registerReceiver = Effect.fn("registerReceiver")(
  function* (shop: string, { trust, url }: DemoReceiver) {
    for (const endpoint of yield* listEndpoints(shop)) {
      if (endpoint.description === description) yield* deleteEndpoint(shop, endpoint.id)
    }
    const { endpoint, secret } = yield* createEndpoint(shop, { url, description })
    trust(secret)
    yield* sendTestEvent(shop, endpoint.id)
  },
  (effect) => Effect.provideService(effect, CurrentActor, command("designwire demo")),
)
