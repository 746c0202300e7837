/** Shops, endpoints and events of the benchmark, created through Designwire's ports. */
import { randomBytes } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Postgres from "../../../adapters/postgres/index.ts"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { type Health, healthy, newHealth } from "../../../core/model/Health.ts"
import { usualOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import type { HostPolicy } from "../../../core/model/webhooks/HostPolicy.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { parseNetworks } from "../../../core/rules/webhooks/PublicHost.ts"
import { secretFromBytes } from "../../../core/rules/webhooks/Signature.ts"
import { seal } from "../../../core/support/SealedSecret.ts"
import { shopOf } from "../support/Seed.ts"
import { freshId, type StagedShop } from "./Events.ts"

/** The receiver is on this machine and speaks http. */
export const receiverPolicy: HostPolicy = {
  allowNetworks: Effect.runSync(Effect.fromResult(parseNetworks("127.0.0.0/8"))),
  allowHttp: true,
}

/** The encryption key and the signing secret of the run: one secret for all endpoints, sealed for each. */
export const makeKeys = () => ({
  key: randomBytes(32),
  secret: secretFromBytes(randomBytes(32)),
})

/** Designwire's ports in this process. */
export const openStores = (url: string, key: Buffer) =>
  ManagedRuntime.make(
    Layer.mergeAll(
      Postgres.layer({ url: Redacted.make(url) }),
      NodeCrypto.layer,
      Layer.succeed(KeyRing, { keys: [Redacted.make<Uint8Array>(key)] }),
    ),
  )
export type Stores = ReturnType<typeof openStores>

/** What has the ports of Designwire, over whatever storage. */
export interface Runner {
  readonly runPromise: <A, E>(
    effect: Effect.Effect<A, E, StoragePorts | KeyRing | Layer.Success<typeof NodeCrypto.layer>>,
  ) => Promise<A>
}

/** The health of an endpoint that has been tried in vain. */
export const troubled: Health = { ...newHealth, troubled: true }

/** Stores a shop with endpoints at these URLs, healthy by default. */
export const stageShop = (
  stores: Runner,
  id: string,
  urls: ReadonlyArray<string>,
  secret: string,
  health: Health = healthy,
): Promise<StagedShop> =>
  stores.runPromise(
    Effect.gen(function* () {
      const shop = shopOf(id)
      yield* (yield* ShopStore).put(shop)
      const store = yield* EndpointStore
      const endpoints: Array<string> = []
      for (const url of urls) {
        const endpointId = freshId("whe_")
        yield* store.add(
          {
            shop: id,
            id: endpointId,
            url,
            description: "",
            kinds: ["design.ordered"],
            ...health,
            createdAt: Date.now(),
            secret: yield* seal(Redacted.make(secret), endpointId),
            standardWebhooks: false,
            options: usualOptions,
            secretSince: null,
            rotation: null,
          },
          urls.length,
        )
        endpoints.push(endpointId)
      }
      return { shop, endpoints }
    }),
  )

/** Stores events of a shop with a delivery for each endpoint, like a change of the shop. */
export const commitEvents = (stores: Stores, shop: string, events: ReadonlyArray<EventRecord>): Promise<void> =>
  stores.runPromise(OrderStore.use((store) => store.commit({ shop, designs: [], order: null, events })))
