/** Texts that somebody outside has chosen, everywhere where the settings app shows such texts, in a real browser: none of them runs, none bursts a page. */
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { attempted } from "../../../conformance/worlds/Attempted.ts"
import { openChromium } from "../../../conformance/worlds/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/worlds/SettingsSite.ts"
import { signIn } from "../../../conformance/worlds/SettingsViews.ts"
import { bodyOf, manage, shopSettings } from "../../../conformance/worlds/TestHost.ts"

const shop = "hostile"

/** Runs wherever it becomes part of a page: as an element, in an attribute, in a script, as the address of a link. */
const markup = `</script></title></code></bdi>"'><script>window.ran=1</script><img src=x onerror=window.ran=1><a href="javascript:window.ran=1">x</a>`
const address = "javascript:window.ran=1"
const turned = "\u202egnp.exe\u2066 \u200fשלום"
const word = "W".repeat(10_000)

/** Of at most 255 characters. */
const short = (mark: string) => `${mark} ${markup}${turned}`.slice(0, 254)

let browser: Browser
let site: SettingsSite
let page: Page
/** Where pages with a text are, and what they must show. */
const paths: Array<readonly [path: string, shown: ReadonlyArray<string>]> = []

beforeAll(async () => {
  site = await openSite()
  const call = async (method: string, path: string, body: unknown, status = 200) =>
    Effect.runPromise(
      Effect.flatMap(manage(site.send, method, `/shops/${shop}${path}`, body), (a) => bodyOf(status, a)),
    )
  await call("PUT", "", shopSettings)
  const steps = [{ id: "s", title: short("Step"), view: "front" }]
  const questions = [
    { id: "text", step: "s", title: short("Question"), type: "text", maxLength: 20_000 },
    { id: "upload", step: "s", title: "Upload", type: "upload" },
    {
      id: "choice",
      step: "s",
      title: "Choice",
      type: "single",
      answers: [{ id: "a", title: short("Answer"), productionCode: address }],
    },
  ]
  for (const [id, title, text] of [
    [1, short("Title"), short("Text")],
    [2, word.slice(0, 255), word],
  ] as const) {
    await call("PUT", `/customizers/${id}`, {
      title,
      platformProductId: "gid://acme/Product/1",
      assetBase: "https://assets.example.com",
    })
    await call("POST", `/customizers/${id}/publish`, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
    const upload = id === 1 ? short("Upload") : word.slice(0, 255)
    const selection = { text: { text }, upload, choice: "a" }
    await call("PUT", `/designs/design-${id}`, { customizerId: id, basePrice: 100, selection }, 201)
  }
  const token = String((await call("POST", "/tokens", { name: short("Token") }, 201))["id"])
  await call("POST", "/tokens", { name: word.slice(0, 255) }, 201)
  const add = async (url: string, description: string) =>
    String((await call("POST", "/webhooks", { url, description, events: ["design.ordered"] }, 201))["id"])
  const url = `http://127.0.0.1:8443/'"<script>window.ran=1</script>?${address}&${word.slice(0, 1500)}`
  const endpoint = await add(url, short("Description"))
  await add(`http://127.0.0.1:8443/${word.slice(0, 2000)}`, word.slice(0, 255))
  for (const id of [1, 2]) {
    await call("PUT", `/orders/${id}`, {
      name: id === 1 ? short("Order") : word.slice(0, 255),
      orderedAt: new Date().toISOString(),
      lines: [{ designId: `design-${id}`, lineItemId: short("Line") }],
    })
  }
  const answers = [`Response ${markup}${turned}`, word.slice(0, 1024)]
  for (const responseStart of answers) {
    await Effect.runPromise(attempted(site.ports, shop, { statusCode: 500, responseStart, error: null }))
    if (responseStart === answers[0]) await call("POST", `/webhooks/${endpoint}/test`, undefined, 202)
  }
  const { data } = (await call("GET", `/webhooks/${endpoint}/deliveries`, undefined)) as {
    readonly data: ReadonlyArray<{ readonly id: string }>
  }
  const tokenTexts = [short("Token"), word.slice(0, 255)]
  paths.push(
    ["/", [short("Order"), short("Title"), short("Text").slice(0, 100), word.slice(0, 255)]],
    ["/tokens", tokenTexts],
    [`/tokens/${token}/delete`, [short("Token")]],
    ["/webhooks", [short("Description"), "%3Cscript%3Ewindow.ran=1%3C/script%3E"]],
    [`/webhooks/${endpoint}`, [short("Description"), "%3Cscript%3Ewindow.ran=1%3C/script%3E"]],
    [`/webhooks/${endpoint}/edit`, []],
    [`/webhooks/${endpoint}/delete`, []],
    [`/webhooks/${endpoint}/secret`, []],
    ["/events", []],
    ...data.map(({ id }) => [`/webhooks/${endpoint}/deliveries/${id}`, ["500"]] as const),
  )
  browser = await openChromium()
  // Nothing is left to the policy of the pages: it must not be needed.
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, bypassCSP: true })
  await context.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.fulfill({ status: 204 }),
  )
  page = await context.newPage()
  await signIn(page, site, shop)
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** What of a hostile text has become more than text. */
const become = `JSON.stringify({
  ran: window.ran ?? null,
  scripts: document.querySelectorAll("script:not([src*='script.js'])").length,
  images: document.querySelectorAll("img[src='x'], [onerror]").length,
  links: [...document.querySelectorAll("a, form, img")].filter((each) => /^javascript:/i.test(each.href ?? each.action ?? each.src)).length,
  wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
})`

const harmless = { ran: null, scripts: 0, images: 0, links: 0, wide: 0 }

const look = async () => JSON.parse(await page.evaluate<string>(become))

/** The text of a page, as characters: what a right-to-left mark does to its neighbours must stay within its own text. */
const words = async () => (await page.locator("body").textContent()) ?? ""

describe("Hostile texts in a browser", () => {
  it("The check MUST find what has become part of a page", async () => {
    await page.goto("about:blank")
    await page.setContent(`<p>${markup}</p><p style="white-space:nowrap">${word}</p><script>window.ran=1</script>`)
    expect(await look()).toMatchObject({ ran: 1, images: 1, links: 1, wide: expect.any(Number) })
    expect((await look()).wide).toBeGreaterThan(0)
  })

  it("MUST be shown as texts on every page, and fit into 320 px", async () => {
    for (const [path, shown] of paths) {
      const answer = await page.goto(`${site.origin}/settings${path}`)
      expect([path, answer?.status()]).toEqual([path, 200])
      expect([path, await look()]).toEqual([path, harmless])
      const read = await words()
      for (const text of shown) expect(read).toContain(text)
    }
  })

  it("MUST be what a delivery's page shows of the answer and the body", async () => {
    const deliveries = paths.filter(([path]) => path.includes("/deliveries/"))
    let read = ""
    for (const [path] of deliveries) {
      await page.goto(`${site.origin}/settings${path}`)
      for (const summary of await page.locator("summary").all()) await summary.click()
      expect([path, await look()]).toEqual([path, harmless])
      read += await words()
    }
    expect(read).toContain(`Response ${markup}${turned}`)
    expect(read).toContain(word.slice(0, 1024))
    expect(read).toContain(JSON.stringify(short("Text")))
  })

  it("MUST stay texts in forms that are refused, in what is told after a form, and in a question", async () => {
    await page.goto(`${site.origin}/settings/webhooks/new`)
    await page.evaluate("document.querySelector('form[method=post] #url').type = 'text'")
    for (const url of [address, markup, word.slice(0, 2048)]) {
      await page.fill("#url", url)
      await page.fill("#description", short("Typed"))
      await page.click("main button[type=submit]")
      await page.waitForLoadState()
      expect(await look()).toEqual(harmless)
      expect(await page.inputValue("#description")).toBe(short("Typed"))
      await page.evaluate("document.querySelector('#url').type = 'text'")
    }
    await page.goto(`${site.origin}/settings/tokens`)
    await page.fill("#name", short("New token"))
    await page.click("main form button")
    await page.waitForLoadState()
    expect(await look()).toEqual(harmless)
    expect(await words()).toContain(`The token “${short("New token")}” is ready`)
    await page.goto(`${site.origin}/settings/tokens`)
    await page.locator("main table a").first().click()
    await page.waitForSelector("dialog[open]")
    expect(await look()).toEqual(harmless)
    expect(await page.locator("dialog").textContent()).toContain(short("New token"))
  })

  it("MUST do nothing as part of an address", async () => {
    for (const path of [
      `/sign-in?once=${encodeURIComponent(markup)}`,
      `/webhooks/${encodeURIComponent(markup)}`,
      `/tokens/${encodeURIComponent(address)}/delete`,
      `/${encodeURIComponent(markup)}`,
      `${paths[4]?.[0]}?state=${encodeURIComponent(markup)}&event=${encodeURIComponent(markup)}`,
    ]) {
      await page.goto(`${site.origin}/settings${path}`)
      expect([path, await look()]).toEqual([path, harmless])
    }
  })
})
