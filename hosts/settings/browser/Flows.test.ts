/** Everything that can be done in the settings app, in a real browser, by keyboard alone: with and without scripts, wide and at 320 px, light and dark. */
import { readFile } from "node:fs/promises"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type BusyShop, missedEvents } from "../../../conformance/worlds/BusyShop.ts"
import { openChromium } from "../../../conformance/worlds/Chromium.ts"
import { type Keyboard, keyboardOn } from "../../../conformance/worlds/Keyboard.ts"
import { openSite, type SettingsSite, thanks } from "../../../conformance/worlds/SettingsSite.ts"
import { manageKey } from "../../../conformance/worlds/TestHost.ts"

const wide = { width: 1280, height: 800 }
const narrow = { width: 320, height: 640 }

const modes = [
  { name: "with scripts, wide, light", javaScriptEnabled: true, viewport: wide, colorScheme: "light" },
  { name: "with scripts, at 320 px, dark", javaScriptEnabled: true, viewport: narrow, colorScheme: "dark" },
  { name: "without scripts, at 320 px, light", javaScriptEnabled: false, viewport: narrow, colorScheme: "light" },
  { name: "without scripts, wide, dark", javaScriptEnabled: false, viewport: wide, colorScheme: "dark" },
] as const

let browser: Browser
let site: SettingsSite
const shops = new Map<string, BusyShop>()

beforeAll(async () => {
  site = await openSite()
  for (const { name } of modes) shops.set(name, await site.fill())
  await site.startWorker()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

for (const { name, ...mode } of modes) {
  describe(`The settings app in a browser, ${name}`, () => {
    const scripts = mode.javaScriptEnabled
    let context: BrowserContext
    let page: Page
    let keyboard: Keyboard
    let shop: BusyShop
    /** What the browser complained of: errors of scripts, and what the policy of a page forbids. */
    const complaints: Array<string> = []
    /** Pages that are wider than the window. */
    const tooWide: Array<string> = []

    const text = () => page.locator("main").innerText()
    const go = (path: string) => page.goto(`${site.origin}/settings${path}`)
    const endpoint = (which: keyof BusyShop["endpoints"]) => `/webhooks/${shop.endpoints[which]}`

    beforeAll(async () => {
      shop = shops.get(name) as BusyShop
      context = await browser.newContext({ ...mode, locale: "en-US" })
      if (scripts) await context.grantPermissions(["clipboard-read", "clipboard-write"])
      // Nothing outside of this machine is there to be loaded: pictures of designs.
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.fulfill({ status: 204 }),
      )
      page = await context.newPage()
      keyboard = keyboardOn(page)
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
      page.on("pageerror", (error) => complaints.push(error.message))
      page.on("load", async () => {
        const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth").catch(() => 0)
        if (over > 0) tooWide.push(`${page.url()} by ${over} px`)
      })
    })

    afterEach(() => {
      // What a form is refused with is no complaint.
      expect(complaints.splice(0).filter((text) => !/status of (403|404|409|422)/.test(text))).toEqual([])
      expect(tooWide.splice(0)).toEqual([])
    })

    afterAll(() => context?.close())

    it("MUST sign in with the management key, choose a store, and come to its overview", async () => {
      await go("/")
      await keyboard.fill("Management key", "not the key")
      await keyboard.follow("Sign in")
      expect(await text()).toContain("This is not the management key.")
      await keyboard.fill("Management key", manageKey)
      await keyboard.follow("Sign in")
      expect(new URL(page.url()).pathname).toBe("/settings/stores")
      await keyboard.follow(new RegExp(`${shop.id} · plus plan`))
      expect(new URL(page.url()).pathname).toBe("/settings/")
      const overview = await text()
      expect(overview).toMatch(
        /Delivered\s+[56]\d\+\s+Failed\s+1\+\s+Pending\s+10\s+Median time\s+\d+ ms\s+Orders, all time\s+27/,
      )
      expect(overview).toContain("A webhook endpoint was switched off")
      expect(overview).toMatch(/#1027\s+ordered\s+EUR [\d.]+\s+1 hour ago/)
    })

    it("MUST lead to the content of a page without its menu", async () => {
      await go("/tokens")
      await keyboard.press("Skip to content")
      await page.keyboard.press("Tab")
      // The first link of the page's own part is that of the banner.
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
    })

    it("MUST create a token, show it once, and delete it after a question", async () => {
      await go("/")
      await keyboard.follow("API tokens")
      await keyboard.fill("New token", "Warehouse")
      await keyboard.follow("Create token")
      const [token = ""] = /cmz_[0-9A-Za-z]{49}/.exec(await text()) ?? []
      const orders = () =>
        fetch(`${site.origin}/api/v1/orders`, { headers: { authorization: `Bearer ${token}` } }).then(
          ({ status }) => status,
        )
      expect(await orders()).toBe(200)
      if (scripts) {
        await keyboard.press("Copy the token")
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(token)
      } else expect(await page.locator("[data-copy]:visible").count()).toBe(0)
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(token)
      expect(await text()).toContain(`cmz_…${token.slice(-4)}`)
      if (scripts) {
        await keyboard.press("Delete the token Warehouse")
        await page.waitForSelector("dialog[open]")
        expect(await page.locator("dialog").innerText()).toMatch(/stops working at once[\s\S]*It was last used/)
        await keyboard.press("Keep it")
        await page.waitForSelector("dialog", { state: "detached" })
        await page.keyboard.press("Enter")
        await page.waitForSelector("dialog[open]")
        await page.keyboard.press("Escape")
        await page.waitForSelector("dialog", { state: "detached" })
        await keyboard.press("Delete the token Warehouse")
        await page.waitForSelector("dialog[open]")
      } else {
        await keyboard.follow("Delete the token Warehouse")
        expect(await text()).toMatch(/stops working at once[\s\S]*It was last used/)
      }
      await keyboard.follow("Delete token")
      expect(await text()).toContain("The token “Warehouse” is deleted")
      expect(await orders()).toBe(401)
    })

    it("MUST add an endpoint, say why a URL is refused, and show the secret once with examples", async () => {
      await go("/")
      await keyboard.follow("Webhooks")
      expect(await text()).toContain("4 of 5 used")
      await keyboard.follow("Add endpoint")
      expect(await text()).toContain("Off by default, high volume")
      await keyboard.fill("URL", "https://10.0.0.1/hook")
      await keyboard.follow("Add endpoint")
      expect(await text()).toMatch(/"10\.0\.0\.1" is not a public address/)
      expect(await page.inputValue("#url")).toBe("https://10.0.0.1/hook")
      await keyboard.fill("URL", `${site.receiver.ok}?new`)
      await keyboard.fill("Description", "Made by keyboard")
      await keyboard.check("design.created")
      await keyboard.follow("Add endpoint")
      const [secret = ""] = /whsec_[\w+/=]+/.exec(await text()) ?? []
      expect(secret).not.toBe("")
      for (const language of ["TypeScript", "Python", "PHP", "Ruby", "Go"]) expect(await text()).toContain(language)
      if (scripts) {
        await keyboard.press("Copy the signing secret")
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret)
      }
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(secret)
      await keyboard.follow("To the endpoint")
      expect(await text()).toContain("Nothing was delivered yet")
    })

    it("MUST change an endpoint, and delete it after a question", async () => {
      await go("/webhooks")
      await keyboard.follow(`${site.receiver.ok}?new`)
      await keyboard.follow("Edit")
      await keyboard.fill("Description", "Changed by keyboard")
      await keyboard.check("order.cancelled")
      await keyboard.follow("Save")
      expect(await text()).toMatch(/Saved\.[\s\S]*Changed by keyboard[\s\S]*design\.ordered\s+design\.created/)
      await keyboard[scripts ? "press" : "follow"]("Delete")
      if (scripts) await page.waitForSelector("dialog[open]")
      await keyboard.follow("Delete endpoint")
      expect(await text()).toMatch(/is deleted\.[\s\S]*4 of 5 used/)
    })

    it("MUST rotate a signing secret: show the new one once, tell how long the old one signs, and promote it", async () => {
      await go(endpoint("quiet"))
      await keyboard.follow("Rotate it")
      await keyboard.choose("How long the old secret still signs", "7 days")
      await keyboard.follow("Make a new secret")
      const [secret = ""] = /whsec_[\w+/=]+/.exec(await text()) ?? []
      expect(secret).not.toBe("")
      expect(await text()).toContain("beside the old one, which still signs")
      if (scripts) {
        await keyboard.press("Copy the signing secret")
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret)
      }
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(secret)
      await keyboard.follow("To the endpoint")
      expect(await text()).toMatch(/signed with the old secret, and with the new one from \d+ \w+ \d+, [\d:]+ UTC on/)
      await keyboard.follow("I have lost the new secret")
      expect(await text()).toContain("A new secret waits already")
      await keyboard.follow("Cancel")
      await keyboard.follow("Sign with the new secret now")
      expect(await text()).toContain("Deliveries are signed with the new secret")
      expect(await text()).not.toContain("A new signing secret waits")
      await keyboard.follow("Rotate it")
      await keyboard.choose("How long the old secret still signs", "Not at all")
      await keyboard.follow("Make a new secret")
      expect(await text()).toMatch(/From now on deliveries are signed with this one[\s\S]*whsec_/)
    })

    it("MUST send a test event, and show its status, its time and what was answered", async () => {
      await go(endpoint("healthy"))
      await keyboard.follow("Send test event")
      const tested = await page.locator("section[aria-labelledby=tested]").innerText()
      expect(tested).toMatch(/Delivered\s+200, in \d+ ms/)
      expect(tested).toContain(thanks)
      const [first] = await page.locator("main table tbody tr").all()
      expect(await first?.innerText()).toMatch(/design\.ordered\s+Test/)
    })

    it("MUST filter the log by state and by event", async () => {
      await go(endpoint("failing"))
      expect(await page.locator("main table tbody tr").count()).toBe(10)
      await keyboard.choose("State", "failed")
      await keyboard.follow("Filter")
      expect(await page.locator("main table tbody tr").count()).toBe(1)
      await keyboard.choose("Event", "ping")
      await keyboard.follow("Filter")
      expect(await text()).toContain("No delivery of the log fits this filter")
    })

    it("MUST say how an endpoint fails: its streak, the next attempt, and each answer of the last 50", async () => {
      await go(endpoint("failing"))
      const shown = await text()
      expect(shown).toContain("7 of 20 attempts, then it is switched off")
      expect(shown).toMatch(/Next attempt\s+in 2\d minutes/)
      expect(shown).toContain("No answer within 5 seconds")
      await go(endpoint("healthy"))
      expect(await page.locator("main table tbody tr").count()).toBe(50)
    })

    it("MUST show a delivery as it was sent, to be copied, downloaded, and sent again", async () => {
      await go(`${endpoint("healthy")}?state=succeeded`)
      await keyboard.follow(/^design\.(ordered|created)$/)
      const shown = page.url()
      const [download] = await Promise.all([page.waitForEvent("download"), keyboard.press("Download body")])
      const body = await readFile(await download.path(), "utf8")
      const [, eventId = ""] = /(evt_\w+)/.exec(await text()) ?? []
      expect(JSON.parse(body)).toMatchObject({ id: eventId, data: { design: {} } })
      expect(await text()).toContain(body)
      expect(await text()).toMatch(/X-Service-Signature: [0-9a-f]{64}/)
      await keyboard.press("Send it yourself with curl")
      const curl = await page.locator("details[open] pre").innerText()
      expect(curl).toMatch(/^curl -X POST 'http:\/\/127\.0\.0\.1/)
      expect(await text()).toContain("the one that an attempt went to is not kept")
      if (scripts) {
        await keyboard.press("Copy the curl command")
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(curl)
        await keyboard.press("Copy the event id")
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(eventId)
      }
      await keyboard.press("Read the body line by line")
      expect(await text()).toContain(JSON.stringify(JSON.parse(body), undefined, 2))
      await keyboard.follow("Redeliver")
      expect(page.url()).not.toBe(shown)
      expect(await text()).toContain("with the same event id")
      expect(await text()).toContain(eventId)
    })

    it("MUST show every attempt of a delivery on a timeline, with its answer or why there was none", async () => {
      await go(`${endpoint("failing")}?state=failed`)
      await keyboard.follow("design.ordered")
      const attempts = await page.locator("ol.timeline > li").allInnerTexts()
      expect(attempts.map((attempt) => attempt.split(/ in \d+ ms/)[0])).toEqual([
        "500",
        "No answer within 5 seconds",
        "302: A redirect, which is not followed",
        "The certificate was not accepted",
        "401",
        "No connection within 3 seconds",
        "500",
      ])
      expect(attempts[0]).toContain("NullPointerException")
    })

    it("MUST turn an endpoint on, tell how many events it missed, and send them", async () => {
      await go("/tokens")
      await keyboard.follow(/\/ok\?analytics$/)
      await keyboard.follow("Turn on")
      expect(await text()).toContain(`${missedEvents} events happened while it was off`)
      expect(await text()).not.toContain("A webhook endpoint was switched off")
      await keyboard.follow(`Send ${missedEvents} events`)
      expect(await text()).toContain(`${missedEvents} events are on the way`)
    })

    it("MUST send what was missed since a time", async () => {
      await go(endpoint("quiet"))
      await keyboard.press("Send what the endpoint has missed")
      await keyboard.to("Since, in UTC")
      await page.keyboard.type("01012020")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.type("1200AM")
      await keyboard.follow("Send missed events")
      expect(await text()).toMatch(/\d+ events are on the way/)
    })

    it("MUST have a catalogue of the events, with fields, examples and schemas", async () => {
      await go("/")
      await keyboard.follow("Events")
      await keyboard.press("Fields of order.cancelled")
      expect(await text()).toContain("data.order.designs[].price.lines[].amount")
      await keyboard.press("Example of ping")
      expect(await text()).toContain('"message": "A test of this webhook endpoint"')
      await keyboard.to("JSON Schema")
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
      expect(JSON.parse(await readFile(await download.path(), "utf8"))).toHaveProperty("$schema")
    })

    it("MUST keep the log fresh where scripts run, and else leave it", async () => {
      await go(`${endpoint("healthy")}?state=succeeded`)
      // A page of its own: what scripts ask for is looked at, and not when they do.
      if (!scripts) return expect(await page.locator("[data-fresh] table").count()).toBe(1)
      await page.clock.install()
      await page.reload()
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url() === page.url()),
        page.clock.runFor(5_000),
      ])
      expect(answer.status()).toBe(200)
    })

    it("MUST sign out", async () => {
      await go("/tokens")
      await keyboard.follow("Sign out")
      await go("/tokens")
      expect(new URL(page.url()).pathname).toBe("/settings/sign-in")
    })
  })
}

describe("The link that signs in once, in a browser", () => {
  it("MUST lead to the app, without the key in the address, and not a second time", async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${site.origin}/settings/sign-in?once=${site.oneTimeKey}`)
    expect(new URL(page.url()).pathname).toBe("/settings/stores")
    expect(page.url()).not.toContain(site.oneTimeKey)
    const other = await browser.newContext()
    const late = await other.newPage()
    await late.goto(`${site.origin}/settings/sign-in?once=${site.oneTimeKey}`)
    expect(await late.locator("main").innerText()).toContain("This link was used before")
    await context.close()
    await other.close()
  })
})
