/** Every page of the settings app with as much data as a busy shop has, light and wide, and dark and narrow. */
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { axe, excess, violations } from "../../../conformance/testkit/browsers/Axe.ts"
import { busiestShop } from "../../../conformance/testkit/browsers/BusiestShop.ts"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { settingsPaths } from "../../../conformance/testkit/browsers/SettingsPaths.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: `https://93.184.216.34/${"quiet/".repeat(300)}`,
}

const modes = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 320, height: 640 },
] as const

let browser: Browser
let site: SettingsSite
let shop: BusyShop

beforeAll(async () => {
  site = await openSite()
  shop = await Effect.runPromise(busiestShop(site.send, site.ports, { id: "busiest", urls }))
  browser = await openChromium()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

it("Every page of the busiest shop MUST be accessible, and no wider than the window", {
  timeout: 300_000,
}, async () => {
  const context = await browser.newContext({ reducedMotion: "reduce" })
  await context.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.fulfill({ status: 204 }),
  )
  const page = await context.newPage()
  await signIn(page, site, shop.id)
  /** The pages of no store have no store in their path. */
  const go = (path: string) =>
    page.goto(`${site.origin}/settings${/^\/stores\b/.test(path) ? "" : `/${shop.id}`}${path}`)
  await go(`/webhooks/${shop.endpoints.failing}`)
  const address = await page.locator("[data-live=log] tbody a[href*=deliveries]").first().getAttribute("href")
  const found: Array<string> = []
  for (const path of settingsPaths(shop, address?.split("/").at(-1) ?? "")) {
    const response = await go(path)
    if (response?.status() !== 200) found.push(`${path}: the status ${response?.status()}`)
    await page.evaluate(await axe)
    for (const { colorScheme, height, width } of modes) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      const tooWide = await excess(page)
      if (tooWide > 0) found.push(`${path} at ${width} px: ${tooWide} px too wide`)
      for (const violation of await violations(page)) found.push(`${path} at ${width} px, ${colorScheme}: ${violation}`)
    }
  }
  expect(found).toEqual([])
})
