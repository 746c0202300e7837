/** The webhooks that a shop needs are registered at its platform (D88). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { shopifyWorld, wooCommerceWorld } from "../../../conformance/testkit/platforms/PlatformWorld.ts"
import { putPlatform } from "./ManagePlatforms.ts"
import { registerWebhooks } from "./RegisterWebhooks.ts"

const secret = Redacted.make("the service's secret")

const did = (done: ReadonlyArray<{ readonly did: string }>) => done.map((each) => each.did)

describe("Webhooks that a shop needs", () => {
  it.effect("MUST be registered at Shopify once, and be missed when they go (D88)", () =>
    Effect.gen(function* () {
      const { connection, due, server, world } = yield* shopifyWorld()
      const address = `https://designs.example.com/ingest/shopify/${world.shop}`
      const other = {
        id: "gid://shopify/WebhookSubscription/99",
        topic: "ORDERS_CREATE",
        uri: "https://erp.example.com",
      }
      server.subscriptions.push(other)
      const register = world.run(registerWebhooks({ shop: world.shop, platform: "shopify", address, secret }))
      expect(did(yield* register)).toEqual(Array(5).fill("registered"))
      expect(server.subscriptions.map(({ topic, uri }) => [topic, uri])).toEqual([
        ["ORDERS_CREATE", other.uri],
        ...["ORDERS_CREATE", "ORDERS_UPDATED", "ORDERS_CANCELLED", "ORDERS_DELETE", "APP_UNINSTALLED"].map((topic) => [
          ...[topic, address],
        ]),
      ])
      expect(did(yield* register)).toEqual(Array(5).fill("kept"))
      expect(server.subscriptions).toHaveLength(6)
      server.subscriptions.splice(2, 1)
      yield* TestClock.setTime(someTime + 3_600_000)
      yield* due
      expect((yield* connection).reconciling.missing).toEqual(["orders/updated"])
      expect(did(yield* register)).toEqual(["kept", "registered", "kept", "kept", "kept"])
      expect((yield* connection).reconciling.missing).toEqual([])
    }),
  )

  it.effect("MUST be registered at WooCommerce with their secret, and get it if they exist (D88)", () =>
    Effect.gen(function* () {
      const { server, world, domain } = yield* wooCommerceWorld()
      const address = `https://designs.example.com/ingest/woocommerce/${world.shop}`
      const register = (given: typeof secret | undefined = secret) =>
        world.run(registerWebhooks({ shop: world.shop, platform: "woocommerce", address, secret: given }))
      expect(did(yield* register())).toEqual(Array(4).fill("registered"))
      expect(new Set(server.webhooks.map((webhook) => webhook.secret))).toEqual(new Set(["the secret of webhooks"]))
      const [first] = server.webhooks
      if (first === undefined) throw new Error("No webhook")
      first.status = "disabled"
      for (const webhook of server.webhooks) webhook.secret = "a secret that a person has typed in"
      server.webhooks.push({ ...first, id: 9, delivery_url: "https://erp.example.com", secret: "another's" })
      const kept = "kept, with its secret set"
      expect(did(yield* register())).toEqual(["turned on", kept, kept, kept])
      expect(server.webhooks.map(({ secret: set, status }) => [status, set])).toEqual([
        ...Array(4).fill(["active", "the secret of webhooks"]),
        ["disabled", "another's"],
      ])
      yield* world.run(putPlatform(world.shop, "woocommerce", { domain, secret: null }))
      server.webhooks.length = 0
      yield* register()
      expect(server.webhooks[0]?.secret).toBe("the service's secret")
      const without = world.run(
        registerWebhooks({ shop: world.shop, platform: "woocommerce", address, secret: undefined }),
      )
      expect(yield* Effect.flip(without)).toMatchObject({ _tag: "Refused" })
      const shopify = world.run(registerWebhooks({ shop: world.shop, platform: "shopify", address, secret }))
      expect(yield* Effect.flip(shopify)).toMatchObject({ _tag: "NotFound" })
    }),
  )
})
