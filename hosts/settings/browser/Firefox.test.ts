/** The main tasks of the settings app in Firefox, by keyboard only. Skipped without a Firefox. */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import {
  type Firefox,
  type FirefoxPage,
  noFirefox,
  openFirefox,
} from "../../../conformance/testkit/browsers/Firefox.ts"
import { focused } from "../../../conformance/testkit/browsers/Keyboard.ts"
import { openSite, type SettingsSite, thanks } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { manage } from "../../../conformance/testkit/hosts/TestHost.ts"

describe.skipIf(noFirefox !== undefined)(`The settings app in Firefox${noFirefox ? `: ${noFirefox}` : ""}`, () => {
  let firefox: Firefox
  let page: FirefoxPage
  let site: SettingsSite
  let shop: BusyShop
  const errors: Array<string> = []

  beforeAll(async () => {
    site = await openSite()
    shop = await site.fill()
    await site.startWorker()
    firefox = await openFirefox()
    page = await firefox.newPage()
    page.on("pageerror", ({ message }) => errors.push(message))
  })

  afterAll(async () => {
    await firefox?.close()
    await site?.close()
  })

  const read = async () => String(await page.evaluate("document.querySelector('main').innerText"))
  const go = (path: string) => page.goto(`${site.origin}/settings/${shop.id}${path}`)
  const to = async (name: string | RegExp) => {
    for (let stop = 0; stop < 200; stop++) {
      const here = String(await page.evaluate(focused))
      if (typeof name === "string" ? here === name : name.test(here)) return
      await page.keyboard.press("Tab")
    }
    throw new Error(`Tab reaches nothing named ${name} at ${page.url()}`)
  }
  /** Presses Enter, and waits for the next page. */
  const enter = async () => {
    await page.evaluate("globalThis.isLeft = true")
    await page.keyboard.press("Enter")
    const isNext = "globalThis.isLeft === undefined && document.readyState === 'complete'"
    await expect.poll(() => page.evaluate(isNext), { timeout: 60_000 }).toBe(true)
  }
  const follow = async (name: string | RegExp) => {
    await to(name)
    await enter()
  }
  const fill = async (name: string, text: string) => {
    await to(name)
    await page.keyboard.type(text)
  }

  it("MUST sign in by a link, create a token, add, test and pause an endpoint, and find a delivery", async () => {
    const { json } = await Effect.runPromise(
      manage(site.send, "POST", `/shops/${shop.id}/settings-link`, { actor: "jo@acme-prints.example.com" }),
    )
    await page.goto(site.origin + (json as { readonly url: string }).url)
    await follow("Open the settings")
    expect(page.url()).toBe(`${site.origin}/settings/${shop.id}/`)

    await follow("API tokens")
    await fill("New token", "Warehouse")
    await follow("Create token")
    const [token = ""] = /cmz_[0-9A-Za-z]{49}/.exec(await read()) ?? []
    const authorization = `Bearer ${token}`
    expect((await fetch(`${site.origin}/api/v1/orders`, { headers: { authorization } })).status).toBe(200)
    await follow("I have stored it")
    expect(await read()).not.toContain(token)

    await go("/webhooks/new")
    await fill("URL", `${site.receiver.ok}?firefox`)
    await follow("Create endpoint")
    expect(await read()).toMatch(/whsec_[\w+/=]+/)
    await follow("I have stored it")
    await follow("Go to the endpoint")
    await follow("Send test event")
    expect(await read()).toMatch(/Delivered\s+200, in \d+ ms/)
    expect(await read()).toContain(thanks)
    const [event = ""] = /evt_\w+/.exec(await read()) ?? []
    await follow("Pause")
    expect(await read()).toContain("Paused")

    await to(/^Find an order/)
    await page.keyboard.type(event)
    await enter()
    expect(await read()).toContain(event)

    expect(errors).toEqual([])
  })
})
