/** Designwire's own server over Postgres; `LIMIT=off` lifts the rate limit. */
import process from "node:process"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { TokenRateLimit } from "../../../core/usecases/LimitRequest.ts"
import * as Server from "../../../hosts/server/index.ts"
import { setting } from "../support/Child.ts"
import { listening } from "./Serving.ts"

const server = Server.layer({
  host: "127.0.0.1",
  port: 0,
  manageKey: Redacted.make("not used: 16 characters"),
  keyRing: { keys: [Redacted.make(Buffer.from(setting("KEY"), "base64"))] },
  ready: Effect.void,
  // Without the settings app: what makes JavaScript of its sources here takes more memory than the app.
  serves: "api",
}).pipe(Layer.provide(Postgres.layer({ url: Redacted.make(setting("DATABASE_URL")) })))

const limit = process.env["LIMIT"] === "off" ? Layer.succeed(TokenRateLimit, null) : Layer.empty

Effect.gen(function* () {
  const { address } = Context.get(yield* Layer.build(Layer.provide(server, limit)), HttpServer.HttpServer)
  if ("port" in address) listening(address.port)
  yield* Effect.never
}).pipe(Effect.scoped, NodeRuntime.runMain)
