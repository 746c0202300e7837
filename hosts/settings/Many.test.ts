/**
 * The settings app with much of everything: sizes of pages, and searches. What lists have on their pages is held by
 * conformance/checks/openapi/lists/Pages.test.ts.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { busiestShop } from "../../conformance/testkit/browsers/BusiestShop.ts"
import { settingsPaths } from "../../conformance/testkit/browsers/SettingsPaths.ts"
import { keptAlive, memory, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: `https://93.184.216.34/${"quiet/".repeat(300)}`,
}

const site = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = sender(yield* serve(ports), yield* keptAlive)
  const shop = yield* busiestShop(send, ports, { id: "busy", urls })
  const browser = yield* signedIn(send, shop.id)
  return { shop, open: (path: string) => browser.open(`/settings${path}`) }
})

const maximumPage = 40 * 1024

it.live("no page MUST be larger than 40 KiB, and stores and tokens MUST be found, however many there are", () =>
  Effect.gen(function* () {
    const { open, shop } = yield* site
    const log = yield* open(`/webhooks/${shop.endpoints.failing}`)
    const delivery = /deliveries\/(dlv_\w+)/.exec(log.text)?.[1] ?? ""
    for (const path of settingsPaths(shop, delivery)) {
      const page = yield* open(path)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.length, `the bytes of ${path}`).toBeLessThanOrEqual(maximumPage)
    }

    for (const [path, pattern, first] of [
      ["/stores?q=+STORE-19", /href="[^"]*\/([^"/]*)\/" class="store-choice"/g, "store-1900"],
      ["/stores?q=acme-prints.ex", /href="[^"]*\/([^"/]*)\/" class="store-choice"/g, "busy"],
      ["/tokens?q=SYSTEM+19", /<bdi>(System 19\d?) /g, "System 19"],
    ] as const) {
      const found = [...(yield* open(path)).text.matchAll(pattern)].map(([, id]) => id)
      expect([path, found[0]]).toEqual([path, first])
    }
    for (const path of ["/stores?q=%00", "/stores?q=nobody%25", "/tokens?q=%3Cb%3E%E2%80%AEx"]) {
      const page = yield* open(path)
      expect([path, page.status, page.read]).toEqual([path, 200, expect.stringContaining("Nothing found")])
      expect(page.text).not.toContain("<b>")
    }
    for (const path of ["/stores?after=%27", "/stores?after=A", "/tokens?after=1", "/tokens?after=x_tok_1"]) {
      const page = yield* open(path)
      expect([path, page.status, page.read]).toEqual([path, 400, expect.stringContaining("after: must be")])
    }
  }).pipe(Effect.scoped),
)
