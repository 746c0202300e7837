/**
 * Hostile texts from outside, everywhere that the settings app shows such texts, in a real browser: none of them runs,
 * and none makes a page too wide.
 */
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { shopInput } from "../../../conformance/suites/service/Samples.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { signIn } from "../../../conformance/testkit/browsers/views/View.ts"
import { bodyOf, manage } from "../../../conformance/testkit/hosts/TestHost.ts"
import { attempted } from "../../../conformance/testkit/workers/Attempted.ts"

const shop = "hostile"

/** Runs if it becomes part of a page: as an element, in an attribute, in a script, or as the URL of a link. */
const markup = [
  `</script></title></code></bdi>"'><script>window.ran=1</script>`,
  `<img src=x onerror=window.ran=1><a href="javascript:window.ran=1">x</a>`,
].join("")
const address = "javascript:window.ran=1"
const bidirectional = "\u202egnp.exe\u2066 \u200fשלום"
const word = "W".repeat(10_000)

/** A hostile text of at most 255 characters. */
const hostile = (label: string) => `${label} ${markup}${bidirectional}`.slice(0, 254)

const hostileResponse = `Response ${markup}${bidirectional}`

let browser: Browser
let site: SettingsSite
let page: Page
/** The pages that show such texts, and the texts that each must show. */
const paths: Array<readonly [path: string, shown: ReadonlyArray<string>]> = []

const call = (method: string, path: string, body: unknown, status = 200) =>
  Effect.runPromise(
    Effect.flatMap(manage(site.send, method, `/shops/${shop}${path}`, body), (answer) => bodyOf(status, answer)),
  )

/** Adds a design for each of two customizers: one with hostile texts, one with long words. */
const addDesigns = async () => {
  const steps = [{ id: "s", title: hostile("Step"), view: "front" }]
  const answers = [{ id: "a", title: hostile("Answer"), productionCode: address }]
  const questions = [
    { id: "text", step: "s", title: hostile("Question"), type: "text", maxLength: 20_000 },
    { id: "upload", step: "s", title: "Upload", type: "upload" },
    { id: "choice", step: "s", title: "Choice", type: "single", answers },
  ]
  const product = { platformProductId: "gid://acme/Product/1", assetBase: "https://assets.example.com" }
  for (const [id, title, text, upload] of [
    [1, hostile("Title"), hostile("Text"), hostile("Upload")],
    [2, word.slice(0, 255), word, word.slice(0, 255)],
  ] as const) {
    await call("PUT", `/customizers/${id}`, { title, ...product })
    await call("POST", `/customizers/${id}/publish`, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
    const selection = { text: { text }, upload, choice: "a" }
    await call("PUT", `/designs/design-${id}`, { customizerId: id, basePrice: 100, selection }, 201)
  }
}

const orderDesigns = async () => {
  for (const id of [1, 2]) {
    await call("PUT", `/orders/${id}`, {
      name: id === 1 ? hostile("Order") : word.slice(0, 255),
      orderedAt: new Date().toISOString(),
      lines: [{ designId: `design-${id}`, lineItemId: hostile("Line") }],
    })
  }
}

const addToken = async (name: string) => String((await call("POST", "/tokens", { name }, 201))["id"])

const createEndpoint = async (url: string, description: string) =>
  String((await call("POST", "/webhooks", { url, description, events: ["design.ordered"] }, 201))["id"])

/** Attempts the deliveries of an endpoint, with hostile responses, and returns their ids. */
const attemptDeliveries = async (endpoint: string): Promise<ReadonlyArray<string>> => {
  const attempt = (responseStart: string) =>
    Effect.runPromise(attempted(site.ports, shop, { statusCode: 500, responseStart, error: null }))
  await attempt(hostileResponse)
  await call("POST", `/webhooks/${endpoint}/test`, undefined, 202)
  await attempt(word.slice(0, 1024))
  const { data } = (await call("GET", `/webhooks/${endpoint}/deliveries`, undefined)) as {
    readonly data: ReadonlyArray<{ readonly id: string }>
  }
  return data.map(({ id }) => id)
}

beforeAll(async () => {
  site = await openSite()
  await call("PUT", "", shopInput)
  await addDesigns()
  const token = await addToken(hostile("Token"))
  await addToken(word.slice(0, 255))
  const url = `http://127.0.0.1:8443/'"<script>window.ran=1</script>?${address}&${word.slice(0, 1500)}`
  const endpoint = await createEndpoint(url, hostile("Description"))
  await createEndpoint(`http://127.0.0.1:8443/${word.slice(0, 2000)}`, word.slice(0, 255))
  await orderDesigns()
  const deliveries = await attemptDeliveries(endpoint)
  const endpointTexts = [hostile("Description"), "%3Cscript%3Ewindow.ran=1%3C/script%3E"]
  paths.push(
    [
      "/",
      [hostile("Order").slice(0, 99), hostile("Title").slice(0, 99), hostile("Text").slice(0, 20), word.slice(0, 99)],
    ],
    ["/tokens", [hostile("Token"), word.slice(0, 255)]],
    [`/tokens/${token}/delete`, [hostile("Token")]],
    ["/webhooks", [hostile("Description").slice(0, 59), word.slice(0, 59)]],
    [`/webhooks/${endpoint}`, endpointTexts],
    [`/webhooks/${endpoint}/update`, []],
    [`/webhooks/${endpoint}/delete`, []],
    [`/webhooks/${endpoint}/secret`, []],
    ["/events", []],
    ["/deliveries", [hostile("Description").slice(0, 39)]],
    [`/deliveries?endpoint=${endpoint}&state=pending`, []],
    ["/deliveries/waiting", [hostile("Description").slice(0, 39)]],
    [`/find?q=${encodeURIComponent(hostile("Order"))}`, [hostile("Order").slice(0, 99)]],
    [`/find?q=${word.slice(0, 255)}`, [word.slice(0, 99)]],
    ["/audit", [hostile("Description").slice(0, 40)]],
    [`/webhooks/${endpoint}/recover`, []],
    [`/webhooks/${endpoint}/resend`, []],
    ["/orders", [hostile("Order").slice(0, 99), word.slice(0, 99)]],
    [`/orders?text=${encodeURIComponent(markup)}`, []],
    ["/orders/1", [hostile("Order").slice(0, 99), hostile("Line").slice(0, 59)]],
    ["/orders/2", [word.slice(0, 99)]],
    ["/designs/design-1", [hostile("Question").slice(0, 99), hostile("Text").slice(0, 250), address]],
    ["/designs/design-2", [word.slice(0, 299)]],
    ["/customizers", [hostile("Title").slice(0, 99), word.slice(0, 99)]],
    ["/customizers/1", [hostile("Title").slice(0, 99), hostile("Answer").slice(0, 99), address]],
    ["/customizers/2", [word.slice(0, 99)]],
    [
      `/customizers/1/evaluate?q0=${encodeURIComponent(hostile("Typed"))}&q1=${encodeURIComponent(markup)}&q2=0`,
      [hostile("Question").slice(0, 99), hostile("Typed").slice(0, 250)],
    ],
    [`/customizers/2/evaluate?base=${encodeURIComponent(markup)}&q0=${word.slice(0, 5000)}`, [word.slice(0, 250)]],
    ["/customizers/1/publish", [hostile("Title").slice(0, 99)]],
    ...deliveries.map((id) => [`/webhooks/${endpoint}/deliveries/${id}`, ["500"]] as const),
  )
  browser = await openChromium()
  // The pages must be safe even without their content policy.
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

/** Counts the parts of hostile texts that have become parts of a page. */
const inspection = `JSON.stringify({
  ran: window.ran ?? null,
  scripts: document.querySelectorAll("script:not([src*='script.js'])").length,
  images: document.querySelectorAll("img[src='x'], [onerror]").length,
  links: [...document.querySelectorAll("a, form, img")].filter((each) => /^javascript:/i.test(each.href ?? each.action ?? each.src)).length,
  wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
})`

const harmless = { ran: null, scripts: 0, images: 0, links: 0, wide: 0 }

const inspect = async () => JSON.parse(await page.evaluate<string>(inspection))

/** The text of a page, in the order of its characters, which right-to-left marks do not change. */
const textOfPage = async () => (await page.locator("body").textContent()) ?? ""

describe("Hostile texts in a browser", () => {
  it("The inspection MUST find texts that have become part of a page", async () => {
    await page.goto("about:blank")
    await page.setContent(`<p>${markup}</p><p style="white-space:nowrap">${word}</p><script>window.ran=1</script>`)
    expect(await inspect()).toMatchObject({ ran: 1, images: 1, links: 1, wide: expect.any(Number) })
    expect((await inspect()).wide).toBeGreaterThan(0)
  })

  it("MUST be shown as text on every page, and fit into 320 px", async () => {
    for (const [path, shown] of paths) {
      const response = await page.goto(`${site.origin}/settings${path}`)
      expect([path, response?.status()]).toEqual([path, 200])
      // A picture that can't be loaded shows its text.
      await page.evaluate<void>("for (const image of document.images) image.loading = 'eager'")
      await page.waitForFunction("[...document.images].every((image) => image.complete)")
      expect([path, await inspect()]).toEqual([path, harmless])
      // Values in a row are isolated, each by itself.
      const inRow = await page.locator("main .designs bdi").allTextContents()
      expect([path, inRow.filter((text) => / · |(Question|Upload).*: /.test(text))]).toEqual([path, []])
      const read = await textOfPage()
      for (const text of shown) expect(read).toContain(text)
    }
  })

  it("MUST be shown as text in the response and the body of a delivery", async () => {
    const deliveries = paths.filter(([path]) => path.includes("/deliveries/"))
    let read = ""
    for (const [path] of deliveries) {
      await page.goto(`${site.origin}/settings${path}`)
      for (const summary of await page.locator("summary").all()) await summary.click()
      expect([path, await inspect()]).toEqual([path, harmless])
      read += await textOfPage()
    }
    expect(read).toContain(hostileResponse)
    expect(read).toContain(word.slice(0, 1024))
    expect(read).toContain(JSON.stringify(hostile("Text")))
  })

  it("MUST stay text in a refused form, in the message after a form, and in a question", async () => {
    await page.goto(`${site.origin}/settings/webhooks/new`)
    await page.evaluate("document.querySelector('form[method=post] #url').type = 'text'")
    for (const url of [address, markup, word.slice(0, 2048)]) {
      await page.fill("#url", url)
      await page.fill("#description", hostile("Typed"))
      await page.click("main button[type=submit]")
      await page.waitForLoadState()
      expect(await inspect()).toEqual(harmless)
      expect(await page.inputValue("#description")).toBe(hostile("Typed"))
      await page.evaluate("document.querySelector('#url').type = 'text'")
    }
    await page.goto(`${site.origin}/settings/tokens`)
    await page.fill("#name", hostile("New token"))
    await page.click("main form button")
    await page.waitForLoadState()
    expect(await inspect()).toEqual(harmless)
    expect(await textOfPage()).toContain(`The token “${hostile("New token")}” is ready`)
    await page.goto(`${site.origin}/settings/tokens`)
    await page.locator("main table a").first().click()
    await page.waitForSelector("dialog[open]")
    expect(await inspect()).toEqual(harmless)
    expect(await page.locator("dialog").textContent()).toContain(hostile("New token"))
  })

  it("MUST stay text in a definition that is checked", async () => {
    await page.goto(`${site.origin}/settings/customizers/1/publish`)
    const steps = [{ id: markup, title: hostile("Step"), [markup]: 1 }]
    for (const text of [JSON.stringify({ steps, [word]: 1 }, undefined, 1), `{"${markup.replaceAll('"', "'")}" ]`]) {
      await page.fill("#definition", text)
      await page.click("main form button")
      await page.waitForLoadState()
      expect(await inspect()).toEqual(harmless)
      expect(await page.inputValue("#definition")).toBe(text.length > 8192 ? "" : text)
    }
  })

  it("MUST do nothing as part of a URL", async () => {
    for (const path of [
      `/sign-in?once=${encodeURIComponent(markup)}`,
      `/webhooks/${encodeURIComponent(markup)}`,
      `/tokens/${encodeURIComponent(address)}/delete`,
      `/${encodeURIComponent(markup)}`,
      `${paths[4]?.[0]}?state=${encodeURIComponent(markup)}&event=${encodeURIComponent(markup)}`,
    ]) {
      await page.goto(`${site.origin}/settings${path}`)
      expect([path, await inspect()]).toEqual([path, harmless])
    }
  })
})
