/** Faults once seen in browsers: widths between phone and desktop, focus, padding, colours of the system, paper. */
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import { manage } from "../../../conformance/testkit/hosts/TestHost.ts"

let browser: Browser
let site: SettingsSite
let shop: BusyShop
let page: Page

beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  browser = await openChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
  await signIn(page, site, shop.id)
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const go = (path: string) => page.goto(`${site.origin}/settings${path}`)

const focused = () => page.evaluate<string>("document.activeElement.outerHTML.slice(0, 200)")

const styleOf = (selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)

describe("The pages of the settings app, in a real browser", () => {
  it("MUST be no wider than the window at any width from 320 px on, and fold tables rather than scroll", async () => {
    const found: Array<string> = []
    for (const path of ["/", "/tokens", "/webhooks", "/events", `/webhooks/${shop.endpoints.failing}`]) {
      await go(path)
      for (const width of [320, 480, 740, 768, 830, 920, 1024, 1025, 1100, 1279, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        // With every time as wide as times get: most of the shop's were a moment ago.
        const excess = await page.evaluate<number>(`
          document.querySelectorAll("main time").forEach((time) => (time.textContent = "28 September 2026")),
          document.documentElement.scrollWidth - innerWidth`)
        if (excess > 0) found.push(`${path} at ${width}: ${excess} px`)
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(found).toEqual([])
  })

  it("MUST fold the menu on phones, without scripts, and have it open and in lines elsewhere", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const phone = await context.newPage()
    await signIn(phone, site, shop.id)
    const link = phone.locator(".menu a", { hasText: "Platform orders" })
    expect(await link.isVisible()).toBe(false)
    expect(await phone.locator(".menu summary").innerText()).toMatch(/Overview\s+2\s+2 need attention/)
    await phone.locator(".menu summary").click()
    expect(await link.isVisible()).toBe(true)
    await phone.locator(".menu summary").click()
    await phone.setViewportSize({ width: 1280, height: 800 })
    const heights = await phone.locator(".menu a").evaluateAll((links) => links.map((one) => one.clientHeight))
    expect(heights).toHaveLength(10)
    expect(Math.max(...heights)).toBeLessThan(40)
    await context.close()
  })

  it("MUST show a delivery as one line of 44 px, which opens it wherever it is pressed", async () => {
    for (const width of [1280, 768, 500]) {
      await page.setViewportSize({ width, height: 800 })
      for (const path of ["/deliveries?test=yes", "/deliveries/waiting", `/webhooks/${shop.endpoints.failing}`]) {
        await go(path)
        const isCut =
          "(badge) => badge.getBoundingClientRect().right > badge.closest('td').getBoundingClientRect().right"
        expect(await page.evaluate(`[...document.querySelectorAll('.event .badge')].filter(${isCut}).length`)).toBe(0)
        const heights = await page.evaluate<ReadonlyArray<number>>(
          "[...document.querySelectorAll('.log tr')].map((row) => row.offsetHeight)",
        )
        expect([path, width, ...new Set(heights)]).toEqual([path, width, 44])
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    const row = page.locator("[data-live=log] tbody tr").last()
    const address = await row.locator("a").first().getAttribute("href")
    const { width: wide = 0 } = (await row.boundingBox()) ?? {}
    await row.click({ position: { x: wide - 4, y: 40 } })
    await page.waitForURL((url) => url.pathname.endsWith(address?.split("/").at(-1) ?? "-"))
  })

  it("MUST name an endpoint without a description by its host, and show a whole long URL on demand", async () => {
    const url = `https://93.184.216.34/${"long-".repeat(400)}`
    const id = shop.endpoints.quiet
    await Effect.runPromise(manage(site.send, "PATCH", `/shops/${shop.id}/webhooks/${id}`, { url }))
    await go(`/webhooks/${id}`)
    expect(await page.locator("h1 bdi").innerText()).toBe("93.184.216.34")
    expect((await page.locator("dl.facts").boundingBox())?.height).toBeLessThan(200)
    expect(await page.title()).toBe("93.184.216.34 · Webhook endpoint · acme-prints.example.com · Designwire")
    await page.click(".whole-url summary")
    expect(await page.locator(".whole-url p").innerText()).toBe(url)
  })

  it("MUST NOT wrap other columns, or an ordinary name, because a token has a long name", async () => {
    for (const name of ["Warehouse management", "W".repeat(255)]) {
      await Effect.runPromise(manage(site.send, "POST", `/shops/${shop.id}/tokens`, { name }))
    }
    await go("/tokens")
    /** The heights of the cells' contents in the row of the ordinary name, apart from the button. */
    const heights = await page.evaluate<ReadonlyArray<number>>(`
      [...document.querySelectorAll("tbody tr")].find((row) => row.innerText.includes("Warehouse management"))
        .querySelectorAll("td:not(.end) > *").values().map((part) => part.getBoundingClientRect().height).toArray()`)
    expect(heights).toHaveLength(6)
    for (const height of heights) expect(height).toBeLessThan(35)
  })

  it("MUST have the focus at the result of a form, or at its first fault", async () => {
    await go("/tokens")
    await page.fill("#name", "Focus")
    await page.click("main form button")
    await page.waitForSelector(".notice.good")
    expect(await focused()).toMatch(/^<div class="notice good" role="status"/)
    await go("/webhooks/new")
    await page.fill("#url", "https://10.0.0.1/")
    await page.click("main form button[type=submit]")
    await page.waitForSelector("#url-problem")
    expect(await focused()).toContain('id="url"')
  })

  it("MUST have one padding in a dialog, and padding in the catalogue", async () => {
    await go("/tokens")
    await page.locator("main table a").first().click()
    await page.waitForSelector("dialog[open]")
    expect(await styleOf("dialog > .card", "padding")).toBe("0px")
    await go("/events")
    expect(await styleOf("details .pad", "paddingLeft")).toBe("20px")
  })

  it("MUST have links of their own in the log, and grow with the reader's font size", async () => {
    await go(`/webhooks/${shop.endpoints.healthy}`)
    const links = await page.evaluate<ReadonlyArray<string | null>>(
      `[...document.querySelectorAll("[data-live=log] tbody td:nth-child(2) a")].map(({ textContent }) => textContent)`,
    )
    expect(links.length).toBeGreaterThan(1)
    expect(new Set(links).size).toBe(links.length)
    expect(await styleOf("body", "fontSize")).toBe("15px")
    await page.evaluate("document.documentElement.style.fontSize = '32px'")
    expect(await styleOf("body", "fontSize")).toBe("30px")
  })

  it("MUST keep the shape of badges, of the menu and of charts in the system's colours", async () => {
    await page.emulateMedia({ forcedColors: "active" })
    await go("/webhooks")
    expect(await styleOf(".badge", "borderTopWidth")).toBe("1px")
    expect(await styleOf(".badge", "borderTopColor")).not.toBe("rgba(0, 0, 0, 0)")
    expect(await styleOf(".menu a[aria-current]", "outlineStyle")).toBe("solid")
    await go("/")
    // Charts keep their colours, in which their outcomes differ.
    const fills = await page
      .locator(".plot path[class]")
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill))
    expect(new Set(fills).size).toBeGreaterThan(1)
    await page.emulateMedia({ forcedColors: "none" })
  })

  it("MUST print the content without menu, buttons and forms", async () => {
    await go(`/webhooks/${shop.endpoints.healthy}`)
    await page.emulateMedia({ media: "print" })
    for (const selector of [".menu", "main .actions", ".skip"]) {
      expect([selector, await styleOf(selector, "display")]).toEqual([selector, "none"])
    }
    expect(await page.locator("[data-live=log] tbody tr").first().isVisible()).toBe(true)
    await page.emulateMedia({ media: "screen" })
  })

  it("MUST name the browser's own time alongside UTC, UTC alone if both are the same, and filter by its days (D69)", async () => {
    for (const [timezoneId, own] of [
      ["Asia/Kolkata", ["UTC", "GMT+5:30"]],
      ["UTC", ["UTC"]],
    ] as const) {
      const context = await browser.newContext({ timezoneId, locale: "en-US" })
      try {
        const visitor = await context.newPage()
        await signIn(visitor, site, shop.id)
        await expect.poll(() => visitor.innerText(".axis time")).toMatch(own.length === 1 ? /^..:00$/ : /^..:30$/)
        await visitor.goto(`${site.origin}/settings/deliveries`)
        const time = visitor.locator("main time[datetime]").first()
        const read = `${await time.innerText()} ${await time.getAttribute("title")}`
        expect([timezoneId, read.match(/UTC|GMT\S+\d/g)]).toEqual([timezoneId, own])
        expect(await visitor.locator("main search nav").innerText()).toMatch(own.length === 1 ? /UTC/ : /Asia\/\w+/)
        const cookies = (await context.cookies()).filter(({ name }) => name === "designwire_zone")
        expect(cookies).toMatchObject([{ path: "/settings/", sameSite: "Lax", secure: false }])
      } finally {
        await context.close()
      }
    }
  })
})
