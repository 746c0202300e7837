/** A host that serves the API, without a rate limit. It tells the parent its port and, when asked, its usage. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { TokenRateLimit } from "../../../core/usecases/tokens/LimitRequest.ts"
import { stores } from "../../../hosts/cli/Stores.ts"
import * as Server from "../../../hosts/server/index.ts"
import { listen, tell } from "../support/Child.ts"
import { config } from "./Environment.ts"
import { usage } from "./Memory.ts"

Effect.gen(function* () {
  const server = Server.layer({
    host: "127.0.0.1",
    port: 0,
    manageKey: Redacted.make("not used: 16 characters"),
    keyRing: { keys: [Redacted.make(new Uint8Array(32))] },
    ready: Effect.void,
    serves: "api",
  }).pipe(Layer.provide(stores(yield* config)), Layer.provide(Layer.succeed(TokenRateLimit, null)))
  const { address } = Context.get(yield* Layer.build(server), HttpServer.HttpServer)
  listen(() => tell(usage()))
  if (address._tag !== "UnixPathAddress") tell(address.port)
  yield* Effect.never
}).pipe(Effect.scoped, NodeRuntime.runMain)
