/**
 * Designwire's own server over Postgres, from the package as users have it: built, and loaded by its name. This file is
 * JavaScript, because stripping the types of TypeScript takes memory as well. `LIMIT=off` lifts the rate limit; the
 * variables `OTEL_*` turn on traces, as those of the command do.
 */
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Postgres from "designwire/postgres"
import * as Server from "designwire/server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as OpenTelemetry from "../../../dist/adapters/opentelemetry/Environment.js"

// As the command does.
setFlagsFromString("--heap-growing-percent=100")

const { DATABASE_URL, KEY, LIMIT } = process.env

const server = Server.layer({
  host: "127.0.0.1",
  port: 0,
  manageKey: Redacted.make("not used: 16 characters"),
  keyRing: { keys: [Redacted.make(Buffer.from(KEY, "base64"))] },
  ready: Effect.void,
  serves: "api",
}).pipe(Layer.provide(Postgres.layer({ url: Redacted.make(DATABASE_URL) })))

const limit = LIMIT === "off" ? Layer.succeed((await import("designwire")).Api.TokenRateLimit, null) : Layer.empty

/** As `listening` of Serving.ts. */
const listening = (port) => {
  process.on("disconnect", () => process.exit(0))
  process.on("message", () => {
    const { system, user } = process.cpuUsage()
    process.send({ cpu: (system + user) / 1_000, peak: process.resourceUsage().maxRSS * 1_024 })
  })
  process.send(port)
}

Effect.gen(function* () {
  const { address } = Context.get(yield* Layer.build(Layer.provide(server, limit)), HttpServer.HttpServer)
  listening(address.port)
  yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(OpenTelemetry.layerEnvironment(process.env)), NodeRuntime.runMain)
