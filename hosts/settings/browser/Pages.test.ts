/** Every view of the settings app, light and dark, wide and at 320 px: axe finds nothing, nothing is wider than the window, and the HTML is valid. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { HtmlValidate } from "html-validate"
import type { Browser, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BusyShop } from "../../../conformance/worlds/BusyShop.ts"
import { openChromium } from "../../../conformance/worlds/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/worlds/SettingsSite.ts"
import { views } from "../../../conformance/worlds/SettingsViews.ts"
import { manage, shopSettings } from "../../../conformance/worlds/TestHost.ts"

const modes = [
  { name: "wide, light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "wide, dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "at 320 px, light", viewport: { width: 320, height: 640 }, colorScheme: "light" },
  { name: "at 320 px, dark", viewport: { width: 320, height: 640 }, colorScheme: "dark" },
] as const

/** So many bytes a page has at most, its files included, for somebody who comes for the first time. */
const most = 40 * 1024

const html = new HtmlValidate({ extends: ["html-validate:standard"] })

let browser: Browser
let site: SettingsSite
let axe: string
let assets = 0
const shops = new Map<string, BusyShop>()

beforeAll(async () => {
  axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")
  site = await openSite()
  for (const [id, plan] of [
    ["empty", "pro"],
    ["free", "free"],
  ] as const) {
    await Effect.runPromise(manage(site.send, "PUT", `/shops/${id}`, { ...shopSettings, plan }))
  }
  for (const { name } of modes) shops.set(name, await site.fill())
  await site.startWorker()
  for (const file of ["style.css", "script.js", "icon.svg"]) {
    const headers = { "accept-encoding": "gzip" }
    const answer = await Effect.runPromise(site.send("GET", `/settings/${file}`, { headers }))
    assets += Number(answer.headers["content-length"])
  }
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** What axe finds on a page, as its rule and the element. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`,
  )
}

const overflow = "document.documentElement.scrollWidth - innerWidth"

it("The tools MUST find what is wrong with a page", async () => {
  const bad = `<!doctype html><html><body><p><div style="width:3000px"></p><img src="data:,"></body></html>`
  const page = await browser.newPage()
  await page.setContent(bad)
  expect((await violations(page)).map((found) => found.split(":")[0])).toEqual(
    expect.arrayContaining(["html-has-lang", "image-alt"]),
  )
  expect(await page.evaluate(overflow)).toBeGreaterThan(0)
  expect((await html.validateString(bad)).errorCount).toBeGreaterThan(0)
  await page.close()
})

for (const { name, ...mode } of modes) {
  describe(`The pages of the settings app, ${name}`, () => {
    it("MUST be accessible, valid, and no wider than the window, and have at most 40 KiB", async () => {
      const context = await browser.newContext({ ...mode, reducedMotion: "reduce" })
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.fulfill({ status: 204 }),
      )
      const page = await context.newPage()
      let shown: Response | undefined
      page.on("response", (response) => {
        if (/^text\/html/.test(response.headers()["content-type"] ?? "")) shown = response
      })
      const found: Array<string> = []
      const shop = shops.get(name) as BusyShop
      for (const { name: view, open } of views(site, shop, { empty: "empty", free: "free" })) {
        await open(page)
        await page.waitForLoadState()
        for (const violation of await violations(page)) found.push(`${view}: ${violation}`)
        const over = await page.evaluate<number>(overflow)
        if (over > 0) found.push(`${view}: ${over} px too wide`)
        const text = (await shown?.text()) ?? ""
        const bytes = Buffer.byteLength(text)
        if (bytes + assets > most) found.push(`${view}: ${bytes} bytes beside ${assets} of its files`)
        const { results } = await html.validateString(text)
        for (const { message, ruleId, selector } of results.flatMap(({ messages }) => messages)) {
          found.push(`${view}: ${ruleId}: ${message} ${selector}`)
        }
      }
      expect(found).toEqual([])
      await context.close()
    })
  })
}
