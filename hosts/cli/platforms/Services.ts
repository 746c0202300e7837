import { Data, Effect, Layer } from "effect"
import * as NodeAdapter from "../../../adapters/node/index.ts"
import { command } from "../../../core/model/audit/Actor.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../../core/ports/WebhookPolicy.ts"
import { CurrentActor } from "../../../core/support/Auditing.ts"
import { layerStoreClock } from "../../../core/support/StoreClock.ts"
import { ServiceSettings } from "../../../core/usecases/ingest/Connections.ts"
import { ServiceName } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { readKeyRing } from "../Keys.ts"
import { type HostConfig, readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"

/** A command about platforms can't do what it should: its parameters are wrong, or a platform has not answered. */
export class PlatformError extends Data.TaggedError("PlatformError")<{ readonly message: string }> {}

/** Everything that a command needs to ask platforms as a worker does. */
const layer = (config: HostConfig, keyRing: KeyRing["Service"], name: string) =>
  Layer.mergeAll(
    NodeAdapter.layerSender({ proxy: config.webhookProxy }),
    NodeAdapter.layerLookup(),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(ServiceName, config.serviceName),
    Layer.succeed(ServiceSettings, config.ingest.settings),
    Layer.succeed(WebhookPolicy, NodeAdapter.withOwnNetworks(config.webhookPolicy)),
    Layer.succeed(CurrentActor, command(name)),
  ).pipe(Layer.provideMerge(layerStoreClock), Layer.provideMerge(stores(config)))

/** Runs a command that asks platforms, with the configuration of the environment. */
export const askingPlatforms = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  run: (config: HostConfig) => Effect.Effect<A, E, R>,
) {
  const config = yield* readConfig(process.env, ["DESIGNWIRE_ENCRYPTION_KEYS"])
  const keyRing = yield* readKeyRing(config)
  return yield* run(config).pipe(Effect.scoped, Effect.provide(layer(config, keyRing, name)))
}, Effect.provide(NodeAdapter.layerCrypto))
