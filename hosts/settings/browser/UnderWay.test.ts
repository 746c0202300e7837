/** An attempt that begins and ends while pages of its store are open in a real browser. */
import { Context, Effect } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { unique } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../../conformance/suites/storage/support/TurnQueue.ts"
import {
  advance,
  makeDelivery,
  makeEndpoint,
  makeEvent,
  request,
  success,
} from "../../../conformance/suites/storage/support/Webhooks.ts"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import { type Claim, DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"

let browser: Browser
let context: BrowserContext
let site: SettingsSite
let shop: BusyShop

/** No worker runs: the test claims and settles, so that an attempt lasts as long as it needs. */
beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  browser = await openChromium()
  context = await browser.newContext()
  await context.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.fulfill({ status: 204 }),
  )
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** Opens a page of the shop once it listens for changes. */
const opened = async (path: string): Promise<Page> => {
  const page = await context.newPage()
  const listening = page.waitForResponse((response) => response.url().endsWith("/live"))
  await page.goto(`${site.origin}/settings/${shop.id}${path}`)
  await listening
  return page
}

/** Adds a delivery that is due. */
const addDue = async (endpoint: string): Promise<string> => {
  const event = makeEvent(shop.id, { createdAt: Date.now() })
  const delivery = makeDelivery(event, makeEndpoint(shop.id, { id: endpoint }))
  await Effect.runPromise(Context.get(site.ports, DeliveryQueue).add(delivery, event))
  return delivery.id
}

/** Claims a delivery for a minute, and leaves the others. */
const claim = async (id: string): Promise<Claim> => {
  const queue = Context.get(site.ports, DeliveryQueue)
  const claims = await Effect.runPromise(inTurn(queue).claim(request({ now: Date.now(), token: unique() })))
  const [own] = claims.filter(({ deliveryId }) => deliveryId === id)
  if (own === undefined) throw new Error("The delivery was not claimed")
  await Effect.runPromise(queue.release(claims.filter((each) => each !== own)))
  return own
}

it("MUST show an attempt under way and its end in the lists and on the endpoint, and keep focus and selection", async () => {
  await signIn(await context.newPage(), site, shop.id)
  const due = await addDue(shop.endpoints.quiet)
  const pages = [
    { page: await opened("/deliveries"), region: "deliveries", isKept: true },
    { page: await opened("/deliveries/waiting"), region: "waiting", isKept: false },
    { page: await opened(`/webhooks/${shop.endpoints.quiet}`), region: "log", isKept: true },
    { page: await opened(`/webhooks/${shop.endpoints.quiet}`), region: "waiting", isKept: false },
  ]
  const own = (page: Page, region: string) =>
    page.locator(`[data-live=${region}] tbody tr`).filter({ has: page.locator(`a[href*="${due}"]`) })
  for (const { page, region } of pages) {
    const row = own(page, region)
    await row.waitFor()
    expect(await row.innerText()).not.toContain("nder way")
    await row.locator("a").first().focus()
    await page.evaluate("document.activeElement.mine = true")
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
  }
  const isAsBefore = async (page: Page) => {
    expect(await page.evaluate("document.activeElement.mine")).toBe(true)
    expect(await page.evaluate("getSelection().toString()")).toBe(await page.locator("h1").innerText())
  }

  const claimed = await claim(due)
  for (const { page, region } of pages) {
    await own(page, region).getByText("Under way", { exact: true }).waitFor()
    await isAsBefore(page)
  }
  const figures = pages[2]?.page.locator("[data-live=figures]")
  expect(await figures?.innerText()).toMatch(/Next attempt\s+Under way/)

  await Effect.runPromise(Context.get(site.ports, DeliveryQueue).settle([success(claimed, Date.now())], advance))
  for (const { isKept, page, region } of pages) {
    if (isKept) {
      await own(page, region).getByText("Delivered", { exact: true }).waitFor()
      await isAsBefore(page)
    } else {
      // A row in use, or its whole card, stays until the focus leaves it.
      await page.locator(`[data-live=${region}] [data-outdated]`).waitFor()
      await isAsBefore(page)
      await page.evaluate("document.activeElement.blur()")
      await own(page, region).waitFor({ state: "detached" })
    }
  }
}, 90_000)
