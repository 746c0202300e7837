/**
 * Every view of the settings app, light and dark, wide and at 320 px: axe finds no violations, nothing is wider than
 * the window, and the HTML is valid.
 */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { HtmlValidate } from "html-validate"
import type { Browser, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { shopInput } from "../../../conformance/suites/service/Samples.ts"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { views } from "../../../conformance/testkit/browsers/SettingsViews.ts"
import { manage } from "../../../conformance/testkit/hosts/TestHost.ts"

const wide = { width: 1280, height: 800 }
const narrow = { width: 320, height: 640 }

/** Each width and each scheme once, or every combination. */
const modes = [
  { name: "wide, light", viewport: wide, colorScheme: "light" },
  { name: "at 320 px, dark", viewport: narrow, colorScheme: "dark" },
  ...(inject("wholeMatrix")
    ? ([
        { name: "wide, dark", viewport: wide, colorScheme: "dark" },
        { name: "at 320 px, light", viewport: narrow, colorScheme: "light" },
      ] as const)
    : []),
] as const

/** The size limit of a page's HTML, and of the files of all pages as they are sent on a first visit, in bytes. */
const [maximumSize, maximumFiles] = [40 * 1024, 8 * 1024]

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
    await Effect.runPromise(manage(site.send, "PUT", `/shops/${id}`, { ...shopInput, plan }))
  }
  for (const { name } of modes) shops.set(name, await site.fill())
  await site.startWorker()
  for (const file of ["style.css", "script.js", "icon.svg"]) {
    const headers = { "accept-encoding": "gzip" }
    const response = await Effect.runPromise(site.send("GET", `/settings/${file}`, { headers }))
    assets += Number(response.headers["content-length"])
  }
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** The violations that axe finds on a page: the rule and the element of each. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`)
}

const overflow = "document.documentElement.scrollWidth - innerWidth"

it("The tools MUST find the problems of a page", async () => {
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
    it("MUST be accessible, valid, as wide as the window at most, and 40 KiB in size at most", async () => {
      const context = await browser.newContext({ ...mode, reducedMotion: "reduce" })
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.fulfill({ status: 204 }),
      )
      const page = await context.newPage()
      let shown: Response | undefined
      page.on("response", (response) => {
        // Not the pages that scripts read to keep the shown one up to date.
        if (response.request().isNavigationRequest()) shown = response
      })
      const found: Array<string> = []
      const shop = shops.get(name) as BusyShop
      for (const { name: view, open } of views(site, { busy: shop, empty: "empty", free: "free" })) {
        await open(page)
        await page.waitForLoadState()
        for (const violation of await violations(page)) found.push(`${view}: ${violation}`)
        const excess = await page.evaluate<number>(overflow)
        if (excess > 0) found.push(`${view}: ${excess} px too wide`)
        const text = (await shown?.text()) ?? ""
        const bytes = Buffer.byteLength(text)
        if (bytes > maximumSize) found.push(`${view}: ${bytes} bytes`)
        const { results } = await html.validateString(text)
        for (const { message, ruleId, selector } of results.flatMap(({ messages }) => messages)) {
          found.push(`${view}: ${ruleId}: ${message} ${selector}`)
        }
      }
      expect(found).toEqual([])
      expect(assets).toBeLessThanOrEqual(maximumFiles)
      await context.close()
    })
  })
}
