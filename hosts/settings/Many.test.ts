/** The settings app with much of everything: sizes of pages, and lists that are paged and searched. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { amounts, busiestShop } from "../../conformance/testkit/browsers/BusiestShop.ts"
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

/** The matches of a pattern on all pages of a list, and the sizes of these pages. */
const walk = Effect.fnUntraced(function* (open: Effect.Success<typeof site>["open"], path: string, pattern: RegExp) {
  const found: Array<string> = []
  const sizes: Array<number> = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Effect.Success<ReturnType<typeof open>> = yield* open(next)
    expect([next, page.status]).toEqual([next, 200])
    found.push(...[...page.text.matchAll(pattern)].map(([, id = ""]) => id))
    sizes.push(page.length)
    const link: string | undefined = /href="(\?[^"]*)" rel="next"/.exec(page.text)?.[1]
    next = link === undefined ? undefined : path.split("?")[0] + link.replaceAll("&amp;", "&")
  }
  return { found, largest: Math.max(...sizes), pages: sizes.length }
})

const maximumPage = 40 * 1024

it.live("no page MUST be larger than 40 KiB, and every store and token MUST be found, however many there are", () =>
  Effect.gen(function* () {
    const { open, shop } = yield* site
    const log = yield* open(`/webhooks/${shop.endpoints.failing}`)
    const delivery = /deliveries\/(dlv_\w+)/.exec(log.text)?.[1] ?? ""
    for (const path of settingsPaths(shop, delivery)) {
      const page = yield* open(path)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.length, `the bytes of ${path}`).toBeLessThanOrEqual(maximumPage)
    }

    const stores = yield* walk(open, "/stores", /href="[^"]*\/([^"/]*)\/" class="store-choice"/g)
    expect(stores.found.length).toBe(amounts.stores + 1)
    expect(stores.found).toEqual([...new Set(stores.found)].toSorted())
    expect(stores.largest).toBeLessThanOrEqual(maximumPage)
    const some = yield* walk(open, "/stores?q=+STORE-19", /href="[^"]*\/([^"/]*)\/" class="store-choice"/g)
    expect(some.found).toEqual(Array.from({ length: 100 }, (_, index) => `store-${1_900 + index}`))
    expect(some.pages).toBe(3)
    const byDomain = yield* walk(open, "/stores?q=acme-prints.ex", /href="[^"]*\/([^"/]*)\/" class="store-choice"/g)
    expect(byDomain.found).toEqual(["busy"])

    const tokens = yield* walk(open, "/tokens", /href="[^"]*tokens\/(tok_\w+)\/delete[?"]/g)
    expect([tokens.found.length, new Set(tokens.found).size]).toEqual([amounts.tokens + 3, amounts.tokens + 3])
    expect(tokens.largest).toBeLessThanOrEqual(maximumPage)
    const named = yield* walk(open, "/tokens?q=SYSTEM+19", /<bdi>(System 19\d?) /g)
    expect(named.found).toEqual(["System 19", ...Array.from({ length: 10 }, (_, index) => `System ${190 + index}`)])

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
