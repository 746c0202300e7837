/** Pages that stay up to date in a real browser, while somebody uses them. */

import { Context, Effect } from "effect"
import type { Browser, BrowserContext, Page, Request } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { makeDelivery, makeEndpoint, makeEvent } from "../../../conformance/suites/storage/support/Webhooks.ts"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import { manage } from "../../../conformance/testkit/hosts/TestHost.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { changing } from "../../../core/rules/webhooks/EndpointUpdates.ts"

let browser: Browser
let site: SettingsSite
let shop: BusyShop
let context: BrowserContext

beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  await site.startWorker()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

afterEach(() => context?.close())

/** Opens a page of the shop once it listens for changes. */
const opened = async (path: string, javaScriptEnabled = true): Promise<Page> => {
  context = await browser.newContext({ javaScriptEnabled })
  await context.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.fulfill({ status: 204 }),
  )
  const page = await context.newPage()
  await signIn(page, site, shop.id)
  const listening = javaScriptEnabled ? page.waitForResponse((response) => response.url().endsWith("/live")) : undefined
  await page.goto(`${site.origin}/settings${path}`)
  await listening
  return page
}

const redescribe = (description: string) =>
  Effect.runPromise(
    Context.get(site.ports, EndpointStore).update(shop.id, shop.endpoints.healthy, changing({ description })),
  )

const path = () => `/webhooks/${shop.endpoints.healthy}`

it("MUST show a new delivery once its button is pressed, and keep the focus, what is checked and selected, and the place", async () => {
  const page = await opened(path())
  const rows = page.locator("[data-live=log] tbody tr")
  const second = rows.nth(1).locator("a").first()
  const address = await second.getAttribute("href")
  const box = rows.locator("input[type=checkbox]").first()
  const chosen = await box.getAttribute("value")
  await box.check()
  await page.locator("figure details summary").first().click()
  await page.evaluate(
    "getSelection().selectAllChildren(document.querySelector('[data-live=figures] dd code, [data-live=figures] dd'))",
  )
  await second.focus()
  const selected = await page.evaluate("getSelection().toString()")
  await page.evaluate("scrollTo(0, 300)")
  await page.evaluate("document.activeElement.mine = true")
  await Effect.runPromise(manage(site.send, "POST", `/shops/${shop.id}/webhooks/${shop.endpoints.healthy}/test`))
  const fresh = page.locator("[data-arrived]", { hasText: /^1 new$/ })
  await fresh.waitFor()
  expect(await rows.nth(1).locator("a").first().getAttribute("href")).toBe(address)
  expect(await page.evaluate("document.activeElement.mine")).toBe(true)
  expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(address)
  expect(await page.isChecked(`[data-live=log] input[value="${chosen}"]`)).toBe(true)
  expect(await page.evaluate("getSelection().toString()")).toBe(selected)
  expect(await page.evaluate("scrollY")).toBe(300)
  expect(await page.locator("main details[open]").count()).toBe(1)
  await fresh.press("Enter")
  await page.locator(`[data-live=log] tbody tr:nth-child(3) a[href="${address}"]`).waitFor()
  await rows.first().filter({ hasText: "Delivered" }).waitFor()
  expect(await fresh.count()).toBe(0)
  expect(await page.isChecked(`[data-live=log] input[value="${chosen}"]`)).toBe(true)
}, 60_000)

it("MUST say of a button at once that it works, and send its form once", async () => {
  const page = await opened(path())
  let sent = 0
  await page.route("**/test", (route) => {
    sent++
    return new Promise((resume) => setTimeout(resume, 500)).then(() => route.continue())
  })
  const busy = await page.evaluate(`{
    const button = document.querySelector("form[action$='/test'] button")
    button.click()
    button.click()
    button.getAttribute("aria-busy")
  }`)
  expect(busy).toBe("true")
  await page.waitForSelector("text=A test event was sent")
  expect(sent).toBe(1)
}, 60_000)

it("MUST keep a row that is checked, though newer deliveries take its place", async () => {
  const page = await opened(path())
  const rows = page.locator("[data-live=log] tbody tr")
  const shown = await rows.count()
  const box = rows.locator("input[type=checkbox]").last()
  const chosen = `[data-live=log] input[value="${await box.getAttribute("value")}"]`
  await box.check()
  const newest = () => rows.first().locator("a").first().getAttribute("href")
  for (let count = 0; count < Math.max(1, 13 - shown) + 1; count++) {
    const before = await newest()
    await Effect.runPromise(manage(site.send, "POST", `/shops/${shop.id}/webhooks/${shop.endpoints.healthy}/test`))
    await page.locator("[data-arrived]").click()
    while ((await newest()) === before) await page.waitForTimeout(100)
  }
  expect(await page.isChecked(chosen)).toBe(true)
  expect(await rows.count()).toBe(13)
}, 90_000)

it("MUST have the forms of controls that arrive later", async () => {
  const page = await opened(`/webhooks/${shop.endpoints.quiet}?state=pending`)
  expect(await page.locator("form#try").count()).toBe(0)
  const event = makeEvent(shop.id, { createdAt: Date.now() })
  const delivery = makeDelivery(event, makeEndpoint(shop.id, { id: shop.endpoints.quiet }), {
    nextAttemptAt: Date.now() + 3_600_000,
  })
  await Effect.runPromise(Context.get(site.ports, DeliveryQueue).add(delivery, event))
  const button = page.locator("[data-live=log] button[formaction$='/try']").first()
  await button.waitFor()
  const formOf = "document.querySelector(\"[data-live=log] button[formaction$='/try']\").form?.id"
  expect(await page.evaluate(formOf)).toBe("try")
}, 60_000)

it("MUST show new deliveries in the lists of all, and leave pages without live parts alone", async () => {
  const event = makeEvent(shop.id, { createdAt: Date.now() })
  const quiet = makeEndpoint(shop.id, { id: shop.endpoints.quiet })
  const later = { nextAttemptAt: Date.now() + 7_200_000 }
  const delivery = makeDelivery(event, quiet, later)
  const page = await opened("/deliveries/waiting")
  const other = await context.newPage()
  await other.goto(`${site.origin}/settings/deliveries`)
  const still = await context.newPage()
  const asked: Array<string> = []
  still.on("request", (request) => asked.push(request.url()))
  await still.goto(`${site.origin}/settings/audit`, { waitUntil: "networkidle" })
  await Effect.runPromise(Context.get(site.ports, DeliveryQueue).add(delivery, event))
  await page.locator(`[data-live=waiting] a[href*="${delivery.id}"]`).waitFor()
  await other.locator("[data-arrived]").click()
  await other.locator(`[data-live=deliveries] a[href*="${delivery.id}"]`).waitFor()
  for (let count = 0; count < 26; count++) {
    const next = makeEvent(shop.id, { createdAt: Date.now() })
    await Effect.runPromise(Context.get(site.ports, DeliveryQueue).add(makeDelivery(next, quiet, later), next))
  }
  await other.locator("[data-arrived]", { hasText: /^25\+ new$/ }).waitFor()
  expect(asked.filter((url) => url.endsWith("/live"))).toEqual([])
}, 60_000)

it("MUST change every region, and keep a message that is shown once", async () => {
  const page = await opened(path())
  await redescribe("ERP, before")
  await page.locator("[data-live=head]").getByText("ERP, before").waitFor()
  await page.click("text=Send test event")
  await page.waitForSelector("text=A test event was sent")
  await redescribe("ERP, after")
  await page.locator("[data-live=head]").getByText("ERP, after").waitFor()
  expect(await page.locator("main").innerText()).toContain("A test event was sent")
}, 60_000)

it("MUST look by itself if there is no stream, and say so if the page can't be read again", async () => {
  const page = await opened(path())
  await page.route("**/live", (route) => route.fulfill({ status: 503 }))
  await page.clock.install()
  await page.reload()
  await redescribe("ERP, without a stream")
  const stale = page.locator("[data-stale]")
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await page.clock.runFor(5_000)
  }
  await until(() => page.locator("[data-live=head]").getByText("without a stream").isVisible())
  expect(await stale.isVisible()).toBe(false)
  await context.clearCookies()
  await until(() => stale.isVisible())
}, 60_000)

it("MUST say the same after a reload without scripts", async () => {
  const page = await opened(path(), false)
  await redescribe("ERP, reloaded")
  await page.reload()
  expect(await page.locator("[data-live=head]").innerText()).toContain("ERP, reloaded")
  expect(await page.locator("[data-stale]").isVisible()).toBe(false)
}, 60_000)

/** Shows a page, or hides it as other tabs would: Playwright makes pages believe that they are all seen. */
const show = (page: Page, isShown: boolean) =>
  page.evaluate(`{
    Object.defineProperty(document, "hidden", { configurable: true, value: ${!isShown} })
    document.dispatchEvent(new Event("visibilitychange"))
  }`)

const isStream = (request: Request) => request.url().endsWith("/live")

it("MUST end the stream of a hidden page, so that many tabs load, and catch up when it is shown", async () => {
  const page = await opened(path())
  await redescribe("ERP, seen")
  await page.locator("[data-live=head]").getByText("ERP, seen").waitFor()
  await page.locator("main a").first().focus()
  const hide = (tab: Page) =>
    Promise.all([tab.waitForEvent("requestfailed", { predicate: isStream }), show(tab, false)])
  await hide(page)
  let last = page
  for (let more = 0; more < 6; more++) {
    if (last !== page) await hide(last)
    last = await context.newPage()
    await Promise.all([last.waitForRequest(isStream), last.goto(page.url())])
  }
  await redescribe("ERP, hidden")
  await last.locator("[data-live=head]").getByText("ERP, hidden").waitFor()
  expect(await page.locator("[data-live=head]").innerText()).toContain("ERP, seen")
  await show(page, true)
  await page.locator("[data-live=head]").getByText("ERP, hidden").waitFor()
  expect(await page.evaluate("document.activeElement.matches('main a')")).toBe(true)
}, 60_000)
