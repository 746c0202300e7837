/** The commands about shop platforms, against platforms of our own (D88). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ringInput } from "../../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { listening } from "../../../conformance/testkit/platforms/PlatformServer.ts"
import { accessKeys } from "../../../conformance/testkit/platforms/PlatformWorld.ts"
import { shopifyServer } from "../../../conformance/testkit/platforms/ShopifyServer.ts"
import { wooCommerceServer } from "../../../conformance/testkit/platforms/WooCommerceServer.ts"
import { runHere } from "../../../conformance/testkit/processes/InProcess.ts"
import { run, secrets } from "../../../conformance/testkit/processes/Processes.ts"
import { host, localReceivers, newShop } from "../../../conformance/testkit/workers/Fleet.ts"
import { lineWith } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { saveDesign } from "../../../core/usecases/catalog/SaveDesign.ts"
import { putPlatform } from "../../../core/usecases/ingest/ManagePlatforms.ts"
import { readOrder } from "../../../core/usecases/orders/ReadOrders.ts"
import { shopifyOrder } from "../../ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../ingest/samples/WooCommerceOrder.ts"
import { platformCommands } from "./Commands.ts"

const designwire = Command.make("designwire").pipe(Command.withSubcommands(platformCommands))

it.live(
  "reconcile and platform connect MUST find what never came, and register the webhooks (D88)",
  () =>
    Effect.gen(function* () {
      const DATABASE_URL = yield* migratedDatabase
      const [shopify, woo] = [shopifyServer(accessKeys.shopify), wooCommerceServer(accessKeys.woocommerce)]
      const [ofShopify, ofWoo] = [yield* listening(shopify), yield* listening(woo)]
      const updatedAt = new Date().toISOString()
      shopify.orders.set(1, shopifyOrder({ id: 1, lines: [lineWith(1, "a")], updatedAt }))
      const modifiedAt = updatedAt.slice(0, 19)
      woo.orders.set(2, wooCommerceOrder({ id: 2, lines: [lineWith(1, "b")], modifiedAt }))
      const environment = {
        ...secrets,
        ...localReceivers,
        DATABASE_URL,
        DESIGNWIRE_PUBLIC_URL: "https://d.example.com",
      }
      /** The commands within this process. Two of them start as processes. */
      const here = (...parameters: ReadonlyArray<string>) =>
        runHere(Command.runWith(designwire, { version: "0" })(parameters), environment)
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        for (const design of ["a", "b"]) yield* saveDesign(shop, design, ringInput)
        const none = yield* here("reconcile", "shopify", shop)
        expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("no connection to shopify")])
        const secret = "the secret of webhooks"
        const { shopify: token, woocommerce: accessKey } = accessKeys
        yield* putPlatform(shop, "shopify", { domain: ofShopify.domain, accessKey: token, secret })
        yield* putPlatform(shop, "woocommerce", { domain: ofWoo.domain, accessKey, secret })

        const dry = yield* here("reconcile", "--dry-run")
        expect(dry.stdout).toMatch(/1 orders were changed since .*, 1 of them had not come/)
        expect(dry.stdout).toContain(`${shop} woocommerce: found 2\n`)
        expect(yield* Effect.flip(readOrder(shop, "1"))).toMatchObject({ _tag: "NotFound" })

        const real = yield* run(["reconcile", "shopify", shop, "--since", "2026-01-01"], environment)
        expect(real.stdout).toContain(`${shop} shopify: found 1 applied`)
        expect(yield* Effect.flip(readOrder(shop, "2"))).toMatchObject({ _tag: "NotFound" })
        expect((yield* here("reconcile", "woocommerce", shop)).stdout).toContain(`${shop} woocommerce: found 2 applied`)
        for (const id of ["1", "2"]) expect((yield* readOrder(shop, id)).value.status).toBe("ordered")
        const ago = yield* here("reconcile", "woocommerce", shop, "--since", "2h")
        expect(ago.stdout).toMatch(/1 orders were changed since .*, 0 of them had not come/)

        for (const platform of ["shopify", "woocommerce"]) {
          const { stdout } = yield* run(["platform", "connect", platform, "--shop", shop], environment)
          expect(stdout).toContain(`: registered, to https://d.example.com/ingest/${platform}/${shop}\n`)
          const again = yield* here("platform", "connect", platform, "--shop", shop)
          expect(again.stdout).not.toContain("registered")
          expect(again.stdout).toContain(platform === "shopify" ? ": kept, to" : ": kept, with its secret set, to")
        }
        expect([shopify.subscriptions.length, woo.webhooks.length]).toEqual([5, 4])

        woo.faults.status = 401
        const refused = yield* here("reconcile", "woocommerce", shop)
        expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("refuses the access key (401)")])
        expect((yield* here("reconcile", "--since", "soon")).stderr).toContain("must be a date")
      }).pipe(Effect.provide(host(DATABASE_URL)))
    }).pipe(Effect.scoped),
  120_000,
)
