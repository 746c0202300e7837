/**
 * `npm run screenshots` writes a picture of every view of the settings app to hosts/settings/screenshots, and of the
 * shop of the examples to hosts/embed/screenshots.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { attempted } from "../workers/Attempted.ts"
import type { BusyShop } from "./BusyShop.ts"
import { openChromium } from "./Chromium.ts"
import { openSite } from "./SettingsSite.ts"
import { views } from "./SettingsViews.ts"
import { shopPictures } from "./ShopPictures.ts"
import { otherShops } from "./views/OtherShops.ts"

const directory = join(import.meta.dirname, "../../../hosts/settings/screenshots")

const shown = {
  healthy: "https://erp.acme-prints.example.com/webhooks/designs",
  failing: "https://planning.acme-prints.example.com/api/v2/hooks/designwire",
  off: "https://collector.analytics.example.com/ingest",
  quiet: `https://hooks.automation.example.com/${"catch/1842077/3fj8kd2/".repeat(11)}?source=designwire&signature=required`,
}

/** A picture of a product. */
const picture = (hue: number) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">`,
    `<rect width="48" height="48" fill="hsl(${hue} 45% 90%)"/>`,
    `<circle cx="24" cy="26" r="11" fill="none" stroke="hsl(${hue} 40% 45%)" stroke-width="4"/>`,
    `<path d="M24 6l6 7-6 5-6-5z" fill="hsl(${hue} 60% 55%)"/></svg>`,
  ].join("")

/** The views whose upper part is also shown in the README. */
const inReadme = new Set(["overview-light", "endpoint-failing-dark"])

const modes = [
  { suffix: "light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { suffix: "dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { suffix: "320-light", viewport: { width: 320, height: 700 }, colorScheme: "light" },
  { suffix: "320-dark", viewport: { width: 320, height: 700 }, colorScheme: "dark" },
] as const

await mkdir(directory, { recursive: true })
const ended = new AbortController()
const site = await openSite()
const browser = await openChromium()
try {
  const others = await otherShops(site)
  const filled: Array<BusyShop> = []
  for (const { suffix } of modes) {
    filled.push(await site.fill({ id: `acme-${suffix}`, shown, imageBase: "https://images.example.com" }))
  }
  // The endpoints in the pictures do not exist, so a loop settles their deliveries.
  const response = { statusCode: 200, responseStart: '{"received":true}', error: null }
  const settleAll = Effect.forEach(filled, ({ id }) => attempted(site.ports, id, response))
  Effect.runFork(Effect.repeat(settleAll, Schedule.spaced("100 millis")), { signal: ended.signal })
  for (const { suffix, ...mode } of modes) {
    const shop = filled.find(({ id }) => id === `acme-${suffix}`)
    if (shop === undefined) throw new Error(`No shop for ${suffix}`)
    const context = await browser.newContext({ ...mode, reducedMotion: "reduce" })
    await context.route("https://images.example.com/**", (route) => {
      const hue = [...route.request().url()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
      return route.fulfill({ contentType: "image/svg+xml", body: picture(hue) })
    })
    const page = await context.newPage()
    for (const { name, open } of views(site, { busy: shop, ...others })) {
      await open(page)
      await page.waitForLoadState()
      await page.screenshot({ path: join(directory, `${name}-${suffix}.png`), fullPage: true })
      if (inReadme.has(`${name}-${suffix}`)) {
        const clip = { x: 0, y: 0, width: 1280, height: 1000 }
        await page.screenshot({ path: join(directory, `readme-${name}.png`), fullPage: true, clip })
      }
    }
    await context.close()
  }
  await shopPictures(browser)
  console.log(`Written to ${directory}, and of the shop to hosts/embed/screenshots`)
} finally {
  ended.abort()
  await browser.close()
  await site.close()
}
