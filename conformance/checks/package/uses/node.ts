import * as NodeAdapter from "designwire/node"
import { WebhookSender } from "designwire/ports"
import { Effect } from "effect"

// Nobody listens at this port.
const request = {
  url: "http://127.0.0.1:1/",
  addresses: ["127.0.0.1"],
  headers: {},
  body: "{}",
  timeout: 5_000,
  connectTimeout: 5_000,
  responseLimit: 1_000,
}
const { error } = await WebhookSender.use((sender) => sender.send(request)).pipe(
  Effect.provide(NodeAdapter.layer()),
  Effect.runPromise,
)
if (error !== "connect") throw new Error(`The error is ${error}`)
