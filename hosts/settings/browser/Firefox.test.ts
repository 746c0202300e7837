/** The main tasks of the settings app in Firefox, by keyboard only. Skipped without a Firefox. */

import { Context, Effect } from "effect"
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
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { changing } from "../../../core/rules/webhooks/EndpointUpdates.ts"

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
      // Beyond the last stop is the toolbar of Firefox. Keys sent by the driver still reach the page, but press nothing.
      if (!(await page.evaluate("document.hasFocus()"))) break
    }
    throw new Error(`Tab reaches nothing named ${name} at ${page.url()}`)
  }
  /** Goes back to an element before the focused one. */
  const back = async (name: RegExp) => {
    await page.keyboard.down("Shift")
    await to(name)
    await page.keyboard.up("Shift")
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

  const comeByLink = async () => {
    const { json } = await Effect.runPromise(
      manage(site.send, "POST", `/shops/${shop.id}/settings-link`, { actor: "jo@acme-prints.example.com" }),
    )
    await page.goto(site.origin + (json as { readonly url: string }).url)
    await follow("Open the settings")
  }

  it("MUST sign in by a link, create a token, add, test and pause an endpoint, find a delivery, and sign out", async () => {
    await comeByLink()
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

    await back(/^Find an order/)
    await page.keyboard.type(event)
    await enter()
    expect(await read()).toContain(event)

    await follow("Sign out")
    expect(await read()).toContain("You are signed out")
    await go("/tokens")
    expect(page.url()).toContain("/settings/sign-in?")

    expect(errors).toEqual([])
  })

  it("MUST load more tabs than a browser allows connections, and bring a tab up to date when it is shown", async () => {
    await comeByLink()
    const path = `/webhooks/${shop.endpoints.healthy}`
    await go(path)
    const head = (tab: FirefoxPage) => tab.evaluate("document.querySelector('[data-live=head]').innerText")
    const redescribed = async (tab: FirefoxPage, description: string) => {
      const { update } = Context.get(site.ports, EndpointStore)
      await Effect.runPromise(update(shop.id, shop.endpoints.healthy, changing({ description })))
      await expect.poll(() => head(tab), { timeout: 30_000 }).toContain(description)
    }
    await redescribed(page, "ERP, one tab")
    await page.evaluate("document.querySelector('main a').focus()")
    let last = page
    for (let more = 0; more < 7; more++) {
      last = await firefox.newPage()
      await last.goto(`${site.origin}/settings/${shop.id}${path}`)
    }
    expect(await page.evaluate("document.visibilityState")).toBe("hidden")
    await redescribed(last, "ERP, many tabs")
    expect(await head(page)).toContain("ERP, one tab")
    await page.bringToFront()
    await expect.poll(() => head(page), { timeout: 30_000 }).toContain("ERP, many tabs")
    expect(await page.evaluate("document.activeElement.matches('main a')")).toBe(true)
    expect(errors).toEqual([])
  })
})
