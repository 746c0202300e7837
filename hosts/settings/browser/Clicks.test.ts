/**
 * The ten tasks that owners and support have most, and how many clicks each takes from the overview. A click is one on
 * a link, a button, a box, a list to choose from or a field; typing, Tab and Enter are none.
 */
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import orders from "../../cli/demo/orders.json" with { type: "json" }
import { english } from "../texts/English.ts"

let browser: Browser
let site: SettingsSite
let shop: BusyShop
let page: Page
let clicks = 0

beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  // With only one shop, the app leads to it rather than to a list.
  await site.fill()
  await site.startWorker()
  browser = await openChromium()
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  page.setDefaultTimeout(4_000)
  await signIn(page, site, shop.id)
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const main = () => page.locator("main")
const read = async () => (await main().innerText()).replaceAll(/\s+/g, " ")

const click = async (target: Locator) => {
  clicks += 1
  await target.first().click()
}
const link = (name: string | RegExp, within: Locator | Page = page) => within.getByRole("link", { name })
const button = (name: string | RegExp) => main().getByRole("button", { name })
const menu = (name: string) => link(name, page.getByRole("navigation", { name: english.layout.menu }))
const type = (text: string) => page.keyboard.type(text)
const press = (key: string) => page.keyboard.press(key)

const find = async (text: string) => {
  await click(page.getByRole("searchbox"))
  await type(text)
  await press("Enter")
  await page.waitForURL(/\/find\?q=/)
}

/** The tasks, with the clicks that each may take. */
const tasks: ReadonlyArray<readonly [name: string, most: number, task: () => Promise<void>]> = [
  [
    "why an order did not reach the ERP",
    2,
    async () => {
      await find(orders[0]?.name.replace("#", "") ?? "")
      expect(await read()).toMatch(/ERP of the workshop.*(delivered|Not sent|waiting|failed)/i)
    },
  ],
  [
    "sending again what failed at a receiver since a time",
    4,
    async () => {
      await click(link("Production planning, Berlin", main()))
      await click(link(/^Send all .*again/, main()))
      await click(page.getByLabel(/^From/))
      await page.getByLabel(/^From/).fill("2026-01-01T09:00:00")
      await press("Enter")
      await page.waitForURL(/from=/)
      await click(button(/^Send \d+ deliver/))
      expect(await read()).toMatch(/Sent again: \d+ deliver/)
    },
  ],
  [
    "which receiver is slow",
    1,
    async () => {
      await click(menu("Webhooks"))
      expect(await read()).toMatch(/Median.*Over 2 s.*timed out/)
    },
  ],
  [
    "rotating a secret",
    4,
    async () => {
      await click(menu("Webhooks"))
      await click(link("ERP of the workshop", main()))
      await click(link(/^Rotate/, main()))
      await click(button(english.rotateSecret.submit))
      expect(await read()).toContain("whsec_")
    },
  ],
  [
    "a design by its id from an e-mail",
    1,
    async () => {
      await find("Please look at the design DSN_DEMO_054, it is wrong!")
      expect(await read()).toContain("Design Team jersey dsn_demo_054")
    },
  ],
  [
    "an endpoint for one customizer with basic authentication",
    4,
    async () => {
      await click(menu("Webhooks"))
      await click(link("Create endpoint", main()))
      await page.getByLabel("URL", { exact: true }).fill(site.receiver.ok)
      const [box] = await page.locator("input[name=customizers]").all()
      if (box === undefined) throw new Error("No customizer can be ticked without another click")
      await click(box)
      await page.getByLabel("User", { exact: true }).fill("erp")
      await page.getByLabel("Password", { exact: true }).fill("secret")
      await click(button(/^Create/))
      expect(await read()).toContain("whsec_")
    },
  ],
  [
    "what changed last week, and by whom",
    2,
    async () => {
      await click(menu("Changes"))
      await click(link("7 d", main()))
      await page.waitForURL(/from=7d/)
      expect(await read()).toMatch(/Created|created/)
    },
  ],
  [
    "a token for 90 days",
    4,
    async () => {
      await click(menu("API tokens"))
      await page.getByLabel(english.tokens.newToken).fill("Laser")
      await click(page.getByLabel("Ends"))
      await page.getByLabel("Ends").selectOption("90")
      await click(button(/^Create/))
      expect(await read()).toMatch(/cmz_\w+/)
    },
  ],
  [
    "what waits, and why",
    1,
    async () => {
      await click(link(/waiting: what and why$/, main()))
      expect(await read()).toContain("Waiting")
    },
  ],
  [
    "an event of the platform that failed, mended",
    2,
    async () => {
      await click(link(/could not be taken over/, main()))
      await click(button(/^Place now/))
      expect(await read()).toMatch(/tried again|was taken over|ignored|failed/)
    },
  ],
]

it.each(tasks)("MUST need from the overview for %s at most %i clicks (D69)", async (_, most, task) => {
  await page.goto(`${site.origin}/settings/${shop.id}/`)
  clicks = 0
  await task()
  expect(clicks).toBeLessThanOrEqual(most)
})
