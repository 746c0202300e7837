/** The check of the webhook proxy by `designwire doctor`. */
import { createSecureContext } from "node:tls"
import { Data, Effect, type Redacted } from "effect"
import { type ProxyFault, through } from "../../adapters/node/Proxy.ts"

/** The proxy does not work as a worker needs. */
class WebhookProxyUnfit extends Data.TaggedError("WebhookProxyUnfit")<{ readonly message: string }> {}

/** The state of a proxy that can be used. */
export interface WebhookProxyFound {
  /** Whether it has connected to a public host. */
  readonly connects: boolean
  readonly sentence: string
}

/** How long the proxy may take, as for a delivery. */
const patience = "5 seconds"

/**
 * Opens a connection through the proxy to a public host, as a worker does, and closes it. Fails with the fault of the
 * proxy if it has one. It may have no way to that host on purpose, if webhooks only go to a private network.
 */
export const examineWebhookProxy = (proxy: Redacted.Redacted<string>, address: string) =>
  Effect.callback<WebhookProxyFound, WebhookProxyUnfit>((resume) => {
    let fault: string | undefined
    const route = through(proxy, createSecureContext(), ({ sentence }: ProxyFault) => {
      fault = sentence
    })
    const giveUp = route(
      { address, port: 443 },
      {
        onOpen: (socket) => {
          socket.destroy()
          resume(Effect.succeed({ connects: true, sentence: "connects to a public host" }))
        },
        onFailure: (_, { message }) =>
          resume(
            fault === undefined
              ? Effect.succeed({ connects: false, sentence: `answers, but to a public host: ${message}` })
              : Effect.fail(new WebhookProxyUnfit({ message: fault })),
          ),
      },
    )
    return Effect.sync(giveUp)
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new WebhookProxyUnfit({ message: `does not answer a CONNECT within ${patience}` })),
    }),
  )
