/** The checklist of a new store in a real browser, from the first token to its end, by keyboard only. */
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { shopInput } from "../../../conformance/suites/service/Samples.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { type Keyboard, keyboardOn } from "../../../conformance/testkit/browsers/Keyboard.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { manage, manageKey } from "../../../conformance/testkit/hosts/TestHost.ts"

let browser: Browser
let site: SettingsSite

beforeAll(async () => {
  site = await openSite()
  // With a single store, nobody has to choose.
  await Effect.runPromise(manage(site.send, "PUT", "/shops/another", shopInput))
  await site.startWorker()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe.each([
  ["with scripts", true],
  ["without scripts", false],
] as const)("The checklist of a new store, %s", (name, javaScriptEnabled) => {
  const shop = name.replaceAll(" ", "-")
  let page: Page
  let keyboard: Keyboard
  const read = async () => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ")
  /** By the menu, which is folded. */
  const overview = async () => {
    await page.locator(".menu summary").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await keyboard.follow("Overview")
    return read()
  }

  beforeAll(async () => {
    await Effect.runPromise(manage(site.send, "PUT", `/shops/${shop}`, shopInput))
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 320, height: 640 } })
    page = await context.newPage()
    keyboard = keyboardOn(page)
    await page.goto(`${site.origin}/settings/`)
    await keyboard.fill("Management key", manageKey)
    await keyboard.follow("Sign in")
    await keyboard.follow(new RegExp(`${shop} · `))
  })

  it("MUST lead through every step by keyboard, and go away at the end", async () => {
    expect(await read()).toContain("Set up this shop 0 of 5 done")
    await keyboard.follow("Go to the API tokens")
    await keyboard.fill("New token", "ERP")
    await keyboard.follow("Create token")
    const [, token = "", url = ""] = /curl -H 'Authorization: Bearer (cmz_\w+)' '(\S+)'/.exec(await read()) ?? []
    await keyboard.follow("I have stored it")
    expect(await overview()).toContain("1 of 5 done")

    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    expect(await overview()).toContain("2 of 5 done")

    await keyboard.follow("Create an endpoint")
    await keyboard.fill("URL", `${site.receiver.ok}?${shop}`)
    await keyboard.follow("Create endpoint")
    expect(await read()).toContain("whsec_")
    await keyboard.follow("I have stored it")
    expect(await overview()).toContain("3 of 5 done")

    await keyboard.follow("Ruby")
    expect(await read()).toContain("def genuine?")
    await keyboard.follow("Send test event")
    expect(await read()).toMatch(/A test event was sent\..*Delivered/)
    expect(await overview()).not.toContain("Set up this shop")
  })

  it("MUST be hidden by keyboard, for good", async () => {
    const other = `${shop}-hidden`
    await Effect.runPromise(manage(site.send, "PUT", `/shops/${other}`, shopInput))
    await page.goto(`${site.origin}/settings/${other}/`)
    expect(await read()).toContain("Set up this shop")
    await keyboard.follow("Hide this list")
    expect(await read()).toContain("The list is hidden.")
    expect(await overview()).not.toContain("Set up this shop")
  })
})
