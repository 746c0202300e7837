/** Repairing deliveries in a real browser by keyboard only, with scripts and without. */
import { Context, Effect } from "effect"
import type { Browser, Page, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { makeDelivery, makeEndpoint, makeEvent } from "../../../conformance/suites/storage/support/Webhooks.ts"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { type Keyboard, keyboardOn } from "../../../conformance/testkit/browsers/Keyboard.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"

/** With scripts, and in the whole matrix without them: tests of the app's routes send every form so. */
const modes: ReadonlyArray<readonly [string, boolean]> = [
  ["with scripts", true],
  ...(inject("wholeMatrix") ? [["without scripts", false] as const] : []),
]

let browser: Browser
let site: SettingsSite
const shops = new Map<boolean, BusyShop>()

beforeAll(async () => {
  site = await openSite()
  for (const [, scripts] of modes) shops.set(scripts, await site.fill())
  await site.startWorker()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** Adds more failed deliveries to the log of an endpoint than two steps of a resend send. */
const addFailed = (shop: string, id: string) => {
  const endpoint = makeEndpoint(shop, { id })
  const began = Date.now() - 3_600_000
  const add = (index: number) => {
    const event = makeEvent(shop, { createdAt: began + index * 1000 })
    const delivery = makeDelivery(event, endpoint, { status: "failed", nextAttemptAt: null })
    return Context.get(site.ports, DeliveryQueue).add(delivery, event)
  }
  return Effect.runPromise(Effect.forEach(Array(2_100).keys(), add, { discard: true }))
}

describe.each(modes)("The repair of deliveries, %s", (_, javaScriptEnabled) => {
  let shop: BusyShop
  let page: Page
  let keyboard: Keyboard
  const read = async () => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ")
  const go = (path: string) => page.goto(`${site.origin}/settings/${shop.id}${path}`)

  beforeAll(async () => {
    shop = shops.get(javaScriptEnabled) as BusyShop
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 320, height: 640 } })
    page = await context.newPage()
    keyboard = keyboardOn(page)
    await signIn(page, site, shop.id)
  })

  it("MUST send selected deliveries again after a question", async () => {
    await go(`/webhooks/${shop.endpoints.healthy}?state=succeeded`)
    const button = page.getByRole("button", { name: /selected again$/ })
    if (javaScriptEnabled) expect(await button.count()).toBe(0)
    await keyboard.check(/^Select: /)
    await page.keyboard.press("Tab")
    await keyboard.check(/^Select: /)
    await keyboard.follow(javaScriptEnabled ? "Send 2 selected again" : "Send selected again")
    expect(await read()).toMatch(/Send 2 deliveries again\?.*You have selected 2 deliveries\./)
    await keyboard.follow("Cancel")
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/settings/${shop.id}/webhooks/${shop.endpoints.healthy}?state=succeeded`)
    await page.goBack()
    await keyboard.follow("Send 2 deliveries again")
    expect(await read()).toContain("Sent again: 2 deliveries.")
    expect(new URL(page.url()).search).toBe("?state=succeeded")
    if (javaScriptEnabled) return
    await keyboard.follow("Send selected again")
    expect(await read()).toContain("Nothing is selected, so nothing was sent again.")
  })

  it("MUST send what a filter finds again: ask, show the progress, stop, and continue to the end", async () => {
    const endpoint = `/webhooks/${shop.endpoints.off}`
    await addFailed(shop.id, shop.endpoints.off)
    await go(endpoint)
    await keyboard.choose("State", "failed")
    await keyboard.follow("Filter")
    await keyboard.follow("Send all that the filter finds again…")
    const [, total = ""] =
      /Send (2,1\d\d) deliveries again\?.*they are held until you enable it/.exec(await read()) ?? []
    let sent = 0
    // Scripts continue by themselves. The second step gets lost, so that there is time to stop: a browser whose next
    // page is held back answers no question of the test.
    const loseSecond = (route: Route) =>
      route.request().method() !== "POST" || ++sent < 2 ? route.continue() : route.abort("aborted")
    await page.route(/\/resend$/, loseSecond)
    await keyboard.follow(`Send ${total} deliveries again`)
    expect(await read()).toContain(`1,000 of ${total} sent again`)
    expect(await page.getByRole("progressbar", { name: `1,000 of ${total} sent again` }).count()).toBe(1)
    await keyboard.follow("Stop")
    expect(await read()).toContain(`Stopped: 1,000 of ${total} deliveries were sent again.`)
    await page.unroute(/\/resend$/)
    await go(`${endpoint}/resend?state=failed`)
    const rest = total.replace("2,", "1,")
    await keyboard.follow(`Send ${rest} deliveries again`)
    if (!javaScriptEnabled) {
      expect(await read()).toContain(`1,000 of ${rest} sent again`)
      await keyboard.follow("Continue")
    }
    await page.getByText(`Sent again: ${rest} deliveries.`).waitFor()
    await go(`${endpoint}/resend?state=failed`)
    expect(await read()).toContain("There is nothing to send again")
  })

  it("MUST try a pending delivery now, and say what came of it", async () => {
    await go(`/webhooks/${shop.endpoints.failing}?state=pending`)
    const [row] = await page.locator("[data-live=log] tbody tr").all()
    const id = (await row?.locator(".event-id").innerText()) ?? ""
    await keyboard.follow(new RegExp(id))
    await keyboard.follow("Try now")
    expect(await read()).toMatch(
      /Attempt 2 failed: 503\. The retry schedule continues after it\.[\s\S]*closed for today/,
    )
  })
})
