/** A shop in a test's world that is connected to a platform of our own, by the test's clock. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import type { WebhookRequest } from "../../../core/ports/WebhookSender.ts"
import { findConnection } from "../../../core/usecases/ingest/Connections.ts"
import { putPlatform } from "../../../core/usecases/ingest/ManagePlatforms.ts"
import { listInbox } from "../../../core/usecases/ingest/ReadInbox.ts"
import { reconcileDue } from "../../../core/usecases/ingest/Reconcile.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { noResponse, responseOf } from "../workers/Outside.ts"
import { makeWorld, type WorkerWorldOptions } from "../workers/TestWorker.ts"
import type { PlatformServer } from "./PlatformServer.ts"
import { shopifyServer } from "./ShopifyServer.ts"
import { wooCommerceServer } from "./WooCommerceServer.ts"

export const accessKeys: Readonly<Record<IngestSource, string>> = {
  shopify: "shpat_0123456789abcdef",
  woocommerce: "ck_0123456789:cs_0123456789",
}

const turnOfLoop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The platform's answer to a request. One that does not answer takes the whole time. */
const asked = (server: PlatformServer, request: WebhookRequest) =>
  Effect.suspend(() => {
    const { pathname, search } = new URL(request.url)
    const { body, headers, method = "POST" } = request
    const answer = server.answer({ method, path: pathname + search, headers: lowerCase(headers), body })
    return answer === undefined
      ? Effect.delay(Effect.succeed(noResponse("timeout")), request.timeout)
      : Effect.succeed(responseOf(answer.status, answer.body, answer.retryAfter ?? null))
  })

/** A world with a shop that is connected to a platform. */
const worldOf = Effect.fnUntraced(function* <S extends PlatformServer>(
  platform: IngestSource,
  server: S,
  options: WorkerWorldOptions,
) {
  const world = yield* makeWorld(options)
  world.outside.ask = (request) => asked(server, request)
  const domain = `${unique()}.example.com`.toLowerCase()
  const connect = (accessKey = accessKeys[platform]) =>
    world.run(putPlatform(world.shop, platform, { domain, accessKey, secret: "the secret of webhooks" }))
  yield* connect()
  return {
    ...{ world, server, domain, connect },
    /**
     * The hourly look, if it is due. The clock is moved meanwhile by up to 50 seconds, for waits: less than a platform
     * has to answer.
     */
    due: Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(world.run(reconcileDue({})))
      for (let second = 0; second < 50; second++) {
        // Cryptography has to come to its end between the seconds.
        for (let turn = 0; turn < 200 && fiber.pollUnsafe() === undefined; turn++) yield* turnOfLoop
        if (fiber.pollUnsafe() !== undefined) break
        yield* TestClock.adjust("1 second")
      }
      return fiber
    }),
    /** The events of the inbox, newest first: topic, order and state of each. */
    inbox: Effect.map(world.run(listInbox(world.shop, { limit: 100 })), ({ data }) =>
      data.map(({ orderId, state, topic }) => `${topic} ${orderId} ${state}`),
    ),
    connection: Effect.flatMap(world.run(findConnection(world.shop, platform)), Effect.fromNullishOr),
  }
})

export const shopifyWorld = (options: WorkerWorldOptions = {}) =>
  worldOf("shopify", shopifyServer(accessKeys.shopify), options)

export const wooCommerceWorld = (options: WorkerWorldOptions = {}) =>
  worldOf("woocommerce", wooCommerceServer(accessKeys.woocommerce), options)
