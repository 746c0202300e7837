/**
 * All tasks of the settings app in a real browser, by keyboard only: with and without scripts, wide and at 320 px,
 * light and dark.
 */
import { readFile } from "node:fs/promises"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest"
import { type BusyShop, missedEvents } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { type Keyboard, keyboardOn } from "../../../conformance/testkit/browsers/Keyboard.ts"
import { openSite, type SettingsSite, thanks } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { manageKey } from "../../../conformance/testkit/hosts/TestHost.ts"

const wide = { width: 1280, height: 800 }
const narrow = { width: 320, height: 640 }

/**
 * With scripts, and in the whole matrix without them, each at both widths. Tests of the app's routes send all its forms
 * as a browser without scripts does, tests of pages see each view at 320 px, and the flows of a first run take both
 * ways each time.
 */
const modes = [
  { name: "with scripts, wide, light", javaScriptEnabled: true, viewport: wide, colorScheme: "light" },
  ...(inject("wholeMatrix")
    ? ([
        { name: "without scripts, at 320 px, dark", javaScriptEnabled: false, viewport: narrow, colorScheme: "dark" },
        { name: "with scripts, at 320 px, dark", javaScriptEnabled: true, viewport: narrow, colorScheme: "dark" },
        { name: "without scripts, wide, light", javaScriptEnabled: false, viewport: wide, colorScheme: "light" },
      ] as const)
    : []),
] as const

let browser: Browser
let site: SettingsSite
const shops = new Map<string, BusyShop>()

beforeAll(async () => {
  site = await openSite()
  for (const { name } of modes) shops.set(name, await site.fill())
  // With only one shop, the app leads to it rather than to a list.
  await site.fill()
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
    /** Errors in the console of the browser: from scripts, and from the content policy. */
    const errors: Array<string> = []
    /** The pages that were wider than the window. */
    const tooWide: Array<string> = []

    const text = () => page.locator("main").innerText()
    const go = (path: string) => page.goto(`${site.origin}/settings/${shop.id}${path}`)
    /** Presses a button that copies, if scripts run. */
    const expectCopied = async (button: string, copied: string) => {
      if (!scripts) return
      await keyboard.press(button)
      // Pages may write to the clipboard, and not read from it.
      await expect.poll(() => page.evaluate("globalThis.copied")).toBe(copied)
    }
    /** The link of the first delivery in the log of an endpoint, by the id of its event. */
    const firstLogged = async () =>
      new RegExp(await page.locator("[aria-labelledby=log] tbody .event-id").first().innerText())
    const endpoint = (which: keyof BusyShop["endpoints"]) => `/webhooks/${shop.endpoints[which]}`

    beforeAll(async () => {
      shop = shops.get(name) as BusyShop
      context = await browser.newContext({ ...mode, locale: "en-US" })
      if (scripts) await context.grantPermissions(["clipboard-read", "clipboard-write"])
      await context.addInitScript(`{
        const write = navigator.clipboard?.writeText.bind(navigator.clipboard)
        if (write) navigator.clipboard.writeText = (text) => write(text).then(() => { globalThis.copied = text })
      }`)
      // Pictures of designs come from elsewhere and are not available.
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.fulfill({ status: 204 }),
      )
      page = await context.newPage()
      keyboard = keyboardOn(page)
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
      page.on("pageerror", (error) => errors.push(error.message))
      page.on("load", async () => {
        const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth").catch(() => 0)
        if (excess > 0) tooWide.push(`${page.url()} by ${excess} px`)
      })
    })

    afterEach(() => {
      // The status of a refused form is not an error.
      expect(errors.splice(0).filter((text) => !/status of (403|404|409|422)/.test(text))).toEqual([])
      expect(tooWide.splice(0)).toEqual([])
    })

    afterAll(() => context?.close())

    it("MUST sign in with the management key, choose a store, and show its overview (D60)", async () => {
      await page.goto(`${site.origin}/settings/`)
      await keyboard.fill("Management key", "not the key")
      await keyboard.follow("Sign in")
      expect(await text()).toContain("This is not the management key.")
      await keyboard.fill("Management key", manageKey)
      await keyboard.follow("Sign in")
      expect(new URL(page.url()).pathname).toBe("/settings/stores")
      await keyboard.follow(new RegExp(`${shop.id} · plus plan`))
      expect(new URL(page.url()).pathname).toBe(`/settings/${shop.id}/`)
      const overview = await text()
      expect(overview).toMatch(
        /Delivered\s+6\d\s+Failed attempts\s+3\d\s+Given up\s+1\s[\s\S]*Pending now\s+10\s+Orders, all time\s+27/,
      )
      expect(overview).toContain("1 endpoint is off")
      expect(overview).toMatch(/#1027\s+Ordered\s+1 hour ago\s+EUR [\d.]+/)
    })

    it("MUST offer a link that skips the menu of a page", async () => {
      await go("/tokens")
      await keyboard.press("Skip to content")
      await page.keyboard.press("Tab")
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
      await expectCopied("Copy the token", token)
      if (!scripts) expect(await page.locator("[data-copy]:visible").count()).toBe(0)
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(token)
      expect(await text()).toContain(`cmz_…${token.slice(-4)}`)
      if (scripts) {
        await keyboard.press("Delete the token Warehouse")
        await page.waitForSelector("dialog[open]")
        // Screen readers announce a dialog by its name.
        expect(await page.getByRole("dialog", { name: /Warehouse/ }).count()).toBe(1)
        expect(await page.locator("dialog").innerText()).toMatch(/stop working at once[\s\S]*It was last used/)
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
        expect(await text()).toMatch(/stop working at once[\s\S]*It was last used/)
      }
      await keyboard.follow("Delete token")
      expect(await text()).toContain("The token “Warehouse” is deleted")
      expect(await orders()).toBe(401)
    })

    it("MUST add an endpoint, say why a URL is refused, and show the secret once together with examples", async () => {
      await go("/")
      await keyboard.follow(/^Webhooks/)
      expect(await text()).toContain("4 of 5 used")
      await keyboard.follow("Create endpoint")
      expect(await text()).toContain("Off by default, high volume")
      await keyboard.fill("URL", "https://10.0.0.1/hook")
      await keyboard.follow("Create endpoint")
      expect(await text()).toContain("Nothing can be sent to this host: it is not public, or it is blocked here.")
      expect(await page.inputValue("#url")).toBe("https://10.0.0.1/hook")
      await keyboard.fill("URL", `${site.receiver.ok}?new`)
      await keyboard.fill("Description", "Made by keyboard")
      await keyboard.check("design.created")
      await keyboard.follow("Create endpoint")
      const [secret = ""] = /whsec_[\w+/=]+/.exec(await text()) ?? []
      expect(secret).not.toBe("")
      for (const language of ["TypeScript", "Python", "PHP", "Ruby", "Go"]) expect(await text()).toContain(language)
      await expectCopied("Copy the signing secret", secret)
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(secret)
      await keyboard.follow("Go to the endpoint")
      expect(await text()).toContain("Nothing has been delivered yet")
    })

    it("MUST change an endpoint, and delete it after a question", async () => {
      await go("/webhooks")
      await keyboard.follow("Made by keyboard")
      await keyboard.follow("Update")
      await keyboard.fill("Description", "Changed by keyboard")
      await keyboard.check("order.cancelled")
      await keyboard.follow("Save")
      expect(await text()).toMatch(/Saved\.[\s\S]*Changed by keyboard[\s\S]*design\.ordered\s+design\.created/)
      await keyboard[scripts ? "press" : "follow"]("Delete")
      if (scripts) await page.waitForSelector("dialog[open]")
      await keyboard.follow("Delete endpoint")
      expect(await text()).toMatch(/is deleted\.[\s\S]*4 of 5 used/)
    })

    it("MUST rotate a signing secret: show the new one once and how long the old one signs, and promote", async () => {
      await go(endpoint("quiet"))
      await keyboard.follow("Rotate it")
      await keyboard.choose("How long the old secret still signs", "7 days")
      await keyboard.follow("Create a new secret")
      const [secret = ""] = /whsec_[\w+/=]+/.exec(await text()) ?? []
      expect(secret).not.toBe("")
      expect(await text()).toContain("keep the old one, which still signs")
      await expectCopied("Copy the signing secret", secret)
      await keyboard.follow("I have stored it")
      expect(await text()).not.toContain(secret)
      await keyboard.follow("Go to the endpoint")
      expect(await text()).toMatch(
        /signed with the old secret until \d+ \w+ \d+, [\d:]+ UTC, and with the new one after/,
      )
      await keyboard.follow("I have lost the new secret")
      expect(await text()).toContain("already a new secret that does not sign yet")
      await keyboard.follow("Cancel")
      await keyboard.follow("Sign with the new secret now")
      expect(await text()).toContain("Deliveries are now signed with the new secret")
      expect(await text()).not.toContain("A new signing secret is ready")
      await keyboard.follow("Rotate it")
      await keyboard.choose("How long the old secret still signs", "Not at all")
      await keyboard.follow("Create a new secret")
      expect(await text()).toMatch(/From now on, deliveries are signed with this one[\s\S]*whsec_/)
    })

    it("MUST send a test event, and show its status, its duration and the response", async () => {
      await go(endpoint("healthy"))
      await keyboard.follow("Send test event")
      const tested = await page.locator("section[aria-labelledby=tested]").innerText()
      expect(tested).toMatch(/Delivered\s+200, in \d+ ms/)
      expect(tested).toContain(thanks)
      const [first] = await page.locator("[aria-labelledby=log] tbody tr").all()
      expect(await first?.innerText()).toMatch(/design\.ordered\s+evt_\w+\s+Test/)
    })

    it("MUST filter the log by state and by event", async () => {
      await go(endpoint("failing"))
      expect(await page.locator("[aria-labelledby=log] tbody tr").count()).toBe(10)
      await keyboard.choose("State", "failed")
      await keyboard.follow("Filter")
      expect(await page.locator("[aria-labelledby=log] tbody tr").count()).toBe(1)
      await keyboard.choose("Event", "ping")
      await keyboard.follow("Filter")
      expect(await text()).toContain("No deliveries match this filter")
    })

    it("MUST find an order, and everything that waits", async () => {
      await go("/")
      await keyboard.fill(/^Find an order/, "#1027")
      await keyboard.follow("Find")
      expect(await text()).toMatch(/Results for #1027[\s\S]*Show it/)
      await keyboard.follow("Deliveries")
      await keyboard.choose("State", "Pending")
      await keyboard.follow("Filter")
      const pending = await page.locator("main tbody tr").count()
      expect(pending).toBeGreaterThan(0)
      expect(await page.locator("main tbody tr", { hasText: "Pending" }).count()).toBe(pending)
      await keyboard.follow("Waiting")
      // Those of an endpoint that is off are one line.
      const [held] = /\d+(?= held)/.exec(await text()) ?? []
      expect(await page.locator("main tbody tr").count()).toBe(pending - Number(held))
      expect(await text()).toContain("Retry ")
    })

    it("MUST pause an endpoint, enable it, and show both among the changes", async () => {
      await go(endpoint("quiet"))
      await keyboard.follow("Pause")
      expect(await text()).toContain("The endpoint is paused.")
      await keyboard.follow("Enable")
      expect(await text()).toContain("The endpoint is on again")
      await keyboard.follow("Changes")
      expect(await text()).toMatch(/Endpoint enabled[\s\S]*Endpoint paused/)
    })

    it("MUST show how an endpoint fails: its streak, the next attempt, and the last 50 results", async () => {
      await go(endpoint("failing"))
      const shown = await text()
      expect(shown).toContain("7 of the 20 attempts after which it is switched off")
      expect(shown).toMatch(/Next attempt\s+in 2\d minutes/)
      expect(shown).toContain("No response within 5 seconds")
      await go(endpoint("healthy"))
      expect(await page.locator("[aria-labelledby=log] tbody tr").count()).toBe(12)
      await keyboard.follow("All deliveries of this endpoint")
      expect(await page.locator("main tbody tr").count()).toBe(25)
      await keyboard.follow("Older")
      expect(await page.locator("main tbody tr").count()).toBe(25)
    })

    it("MUST show a delivery as it was sent, and let people copy, download and redeliver it", async () => {
      await go(`${endpoint("healthy")}?state=succeeded`)
      await keyboard.follow(await firstLogged())
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
      expect(await text()).toContain("the URLs of past attempts are not kept")
      await expectCopied("Copy the curl command", curl)
      await expectCopied("Copy the event id", eventId)
      await keyboard.press("Show the body formatted")
      expect(await text()).toContain(JSON.stringify(JSON.parse(body), undefined, 2))
      await keyboard.follow("Redeliver")
      expect(page.url()).not.toBe(shown)
      expect(await text()).toContain("with the same event id")
      expect(await text()).toContain(eventId)
    })

    it("MUST show the attempts of a delivery on a timeline, each with its response or its error", async () => {
      await go(`${endpoint("failing")}?state=failed`)
      await keyboard.follow(await firstLogged())
      const attempts = await page.locator("ol.timeline > li").allInnerTexts()
      expect(attempts.map((attempt) => attempt.split(/ in [\d,]+ ms/)[0])).toEqual([
        "500",
        "No response within 5 seconds",
        "302: Redirects are not followed",
        "The certificate was not accepted",
        "401",
        "No connection within 3 seconds",
        "500",
      ])
      expect(attempts[0]).toContain("NullPointerException")
    })

    it("MUST enable an endpoint, show how many events it missed, and send them", async () => {
      await go("/")
      await keyboard.follow("1 endpoint is off")
      await keyboard.follow("Analytics")
      await keyboard.follow("Enable")
      expect(await text()).toContain(`${missedEvents} events happened while it was off`)
      expect(await text()).not.toContain("endpoint is off")
      await keyboard.follow(`Send ${missedEvents} now`)
      expect(await text()).toContain(`${missedEvents} events are on the way`)
    })

    it("MUST send the events missed since a time", async () => {
      await go(endpoint("quiet"))
      await keyboard.follow("Look for missed events")
      await keyboard.to("Since, in UTC")
      await page.keyboard.type("01012020")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.type("120000AM")
      await keyboard.follow("Count")
      expect(await text()).toMatch(/It has missed \d+ events since/)
      await keyboard.follow(/^Send \d+ events$/)
      expect(await text()).toMatch(/\d+ events are on the way/)
    })

    it("MUST have a catalogue of events, with fields, examples and schemas", async () => {
      await go("/")
      await keyboard.follow("Event catalogue")
      await keyboard.press("Fields of order.cancelled")
      expect(await text()).toContain("data.order.designs[].price.lines[].amount")
      await keyboard.press("Example of ping")
      expect(await text()).toContain('"message": "A test of this webhook endpoint"')
      await keyboard.to("JSON Schema")
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
      expect(JSON.parse(await readFile(await download.path(), "utf8"))).toHaveProperty("$schema")
    })

    it("MUST NOT send a form twice within 8 seconds if scripts run", async () => {
      if (!scripts) return
      await page.clock.install()
      await go("/tokens")
      const isSent = async () =>
        page.evaluate(`document.querySelector("main form").dispatchEvent(
          new SubmitEvent("submit", { bubbles: true, cancelable: true }))`)
      expect([await isSent(), await isSent()]).toEqual([true, false])
      await page.clock.runFor(8_000)
      expect(await isSent()).toBe(true)
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
  it("MUST lead to the app once, and not leave the key in the URL", async () => {
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
