/** Orders, designs and customizers in a real browser, by keyboard only, with and without scripts (D69). */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { type Keyboard, keyboardOn } from "../../../conformance/testkit/browsers/Keyboard.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"

const sound = {
  schemaVersion: 1,
  steps: [{ id: "look", title: "Look", view: "front" }],
  questions: [{ id: "text", step: "look", title: "Engraving", type: "text", maxLength: 20 }],
  rules: [],
}

/** Of another version, and with a length that is a text. */
const faulty = { ...sound, schemaVersion: 2, questions: sound.questions.map((each) => ({ ...each, maxLength: "20" })) }

/** With scripts, and in the whole matrix without them: tests of the app's routes send every form so. */
const modes: ReadonlyArray<readonly [string, boolean]> = [
  ["with scripts", true],
  ...(inject("wholeMatrix") ? [["without scripts", false] as const] : []),
]

let browser: Browser
let site: SettingsSite
let shop: BusyShop

beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe.each(modes)("The catalogue, %s", (_, javaScriptEnabled) => {
  let page: Page
  let keyboard: Keyboard
  const read = async () => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ")
  const go = (path: string) => page.goto(`${site.origin}/settings${path}`)

  beforeAll(async () => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 320, height: 640 } })
    await context.route(
      (url) => url.hostname !== "127.0.0.1",
      (route) => route.fulfill({ status: 204 }),
    )
    page = await context.newPage()
    keyboard = keyboardOn(page)
    await signIn(page, site, shop.id)
  })

  it("MUST lead from a search to an order, its design, and its customizer", async () => {
    await go("/orders")
    const name = (await page.locator("main .orders a strong").first().innerText()).trim()
    await keyboard.fill("Number or name", name)
    await keyboard.follow("Filter")
    expect(await page.locator("main .orders > li").count()).toBe(1)
    await keyboard.follow(name)
    expect(await page.title()).toContain(`Order ${name}`)
    await page.locator("main .designs a").first().focus()
    await keyboard.follow(/./)
    expect(await read()).toContain("Production data")
    await keyboard.follow(/, version \d+$/)
    expect(await read()).toContain("Definition, version")
  })

  it("MUST evaluate choices: at once with scripts, keeping the focus, and by a button without", async () => {
    await go("/customizers")
    await page.locator("main table a").first().focus()
    await keyboard.follow(/./)
    await keyboard.follow("Try it")
    const before = await page.locator("#result").innerText()
    const chosen = page.locator("main fieldset:not([hidden]) input[type=radio]:not([value=''])").nth(1)
    await chosen.focus()
    await page.keyboard.press("Space")
    if (javaScriptEnabled) {
      await page.waitForURL(/q0=1/)
      expect(await page.locator("#result").innerText()).not.toBe(before)
      expect(await page.locator("main input[type=radio]:focus:checked").count()).toBe(1)
    } else {
      await keyboard.follow("Evaluate")
      expect(await page.locator("#result").innerText()).not.toBe(before)
    }
    expect(await chosen.isChecked()).toBe(true)
    const shown = await page.locator("#result").innerText()
    // The address names these choices.
    await page.reload()
    expect(await page.locator("#result").innerText()).toBe(shown)
  })

  it("MUST check a definition and name the place of a problem", async () => {
    await go("/customizers")
    await page.locator("main table a").first().focus()
    await keyboard.follow(/./)
    await keyboard.follow("Check or publish a definition")
    await keyboard.fill("Definition", '{"schemaVersion": 2}')
    await keyboard.follow("Check")
    expect(await read()).toContain("Line 1, column 19 schemaVersion")
    expect(await page.inputValue("#definition")).toBe('{"schemaVersion": 2}')
  })

  it("MUST publish a definition once it is mended, and not before, and show it as the published version (D69)", async () => {
    await go("/customizers")
    await page.locator("main table a").last().focus()
    await keyboard.follow(/./)
    const customizer = page.url()
    const versionOf = async () => Number(/Published version (\d+)/.exec(await read())?.[1])
    const before = await versionOf()
    const texts = { faulty: JSON.stringify(faulty, undefined, 2), sound: JSON.stringify(sound, undefined, 2) }
    await keyboard.follow("Check or publish a definition")
    for (const button of ["Check", "Publish"]) {
      await keyboard.fill("Definition", texts.faulty)
      await keyboard.follow(button)
      const shown = await read()
      expect(shown).toContain("2 problems: this can't be published")
      expect(shown).toContain("Line 2, column 20 schemaVersion")
      expect(shown).toMatch(/Line \d+, column \d+ questions\S*maxLength/)
      // The focus is at the problems, before the field, which holds what was sent.
      await page.waitForSelector("#check:focus")
      expect((await page.inputValue("#definition")).replaceAll("\r\n", "\n")).toBe(texts.faulty)
    }
    await keyboard.fill("Definition", texts.sound)
    await keyboard.follow("Check")
    await page.waitForSelector("#check:focus")
    expect(await read()).toContain("No problems: this can be published. Steps: 1, questions: 1, rules: 0.")
    await keyboard.follow("Publish")
    expect(page.url()).toBe(customizer)
    expect(await read()).toContain(`Version ${before + 1} is published`)
    expect(await versionOf()).toBe(before + 1)
    expect(await read()).toContain("Engraving")
  })
})
