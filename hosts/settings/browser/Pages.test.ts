/**
 * Every view of the settings app: axe finds no violations in any colours, nothing is wider than the window at any
 * width, the HTML is valid, and a first visit loads at most 40 KiB.
 */
import { Effect } from "effect"
import { HtmlValidate } from "html-validate"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { axe, excess, violations } from "../../../conformance/testkit/browsers/Axe.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { views } from "../../../conformance/testkit/browsers/SettingsViews.ts"
import { otherShops } from "../../../conformance/testkit/browsers/views/OtherShops.ts"
import type { View } from "../../../conformance/testkit/browsers/views/View.ts"

const widths = [1280, 1024, 768, 320]

const colours = [
  { name: "light", colorScheme: "light", forcedColors: "none" },
  { name: "dark", colorScheme: "dark", forcedColors: "none" },
  { name: "forced colours", colorScheme: "light", forcedColors: "active" },
] as const

type Colours = (typeof colours)[number]

const isWhole = inject("wholeMatrix")

/** The size limit of a page and its style sheet, script and icon, as they are sent on a first visit, in bytes. */
const maximumSize = 40 * 1024

const html = new HtmlValidate({ extends: ["html-validate:standard"] })

let browser: Browser
let site: SettingsSite
let all: ReadonlyArray<View>
let files = 0

beforeAll(async () => {
  site = await openSite()
  all = views(site, { busy: await site.fill(), ...(await otherShops(site)) })
  await site.startWorker()
  for (const file of ["style.css", "script.js", "icon.svg"]) {
    const headers = { "accept-encoding": "gzip" }
    const response = await Effect.runPromise(site.send("GET", `/settings/${file}`, { headers }))
    files += Number(response.headers["content-length"])
  }
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: width === 320 ? 640 : 800 })

const recolour = (page: Page, { colorScheme, forcedColors }: Colours) =>
  page.emulateMedia({ colorScheme, forcedColors })

/**
 * The problems of the shown page in its modes. In the whole matrix these are all widths in all colours. Otherwise every
 * page is looked at whether it is too wide, at the widest and the narrowest, and every second one, as neighbours look
 * alike, by axe in one of the modes.
 */
const problemsIn = async (page: Page, index: number): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const isLookedAt = isWhole || index % 2 === 0
  if (isLookedAt) await page.evaluate(await axe)
  for (const [place, width] of widths.entries()) {
    const mode = Math.floor(index / 2) % (widths.length * colours.length)
    const isSeen = isWhole || width === 1280 || width === 320 || place === Math.floor(mode / colours.length)
    if (!isSeen) continue
    await resize(page, width)
    const tooWide = await excess(page)
    if (tooWide > 0) found.push(`at ${width} px: ${tooWide} px too wide`)
    for (const [turn, each] of colours.entries()) {
      // In turn: each part of a page is seen in each of the twelve modes.
      const isTurn = isLookedAt && mode === place * colours.length + turn
      if (!isWhole && !isTurn) continue
      await recolour(page, each)
      for (const violation of await violations(page)) found.push(`at ${width} px, ${each.name}: ${violation}`)
    }
  }
  return found
}

/** The problems of the HTML of a page, and its size. */
const problemsOf = async (text: string): Promise<ReadonlyArray<string>> => {
  const bytes = Buffer.byteLength(text) + files
  const { results } = await html.validateString(text)
  return [
    ...(bytes > maximumSize ? [`${bytes} bytes on a first visit`] : []),
    ...results.flatMap(({ messages }) => messages).map((one) => `${one.ruleId}: ${one.message} ${one.selector}`),
  ]
}

it("The tools MUST find the problems of a page", async () => {
  const bad = `<!doctype html><html><body><p><div style="width:3000px"></p><img src="data:,">`
  const page = await browser.newPage()
  await page.setContent(bad)
  await page.evaluate(await axe)
  expect((await violations(page)).map((found) => found.split(":")[0])).toEqual(
    expect.arrayContaining(["html-has-lang", "image-alt"]),
  )
  expect(await excess(page)).toBeGreaterThan(0)
  expect((await problemsOf(bad + "x".repeat(maximumSize))).toString()).toMatch(/bytes on a first visit.*close-order/)
  await page.close()
})

describe("The pages of the settings app", () => {
  it("MUST be accessible, valid, as wide as the window at most, and with their files 40 KiB at most", {
    timeout: isWhole ? 1_800_000 : 300_000,
  }, async () => {
    const context = await browser.newContext({ reducedMotion: "reduce" })
    await context.route(
      (url) => url.hostname !== "127.0.0.1",
      (route) => route.fulfill({ status: 204 }),
    )
    const page = await context.newPage()
    let shown: { readonly status: number; readonly text: Promise<string> } | undefined
    page.on("response", (response) => {
      // Not the pages that scripts read to keep the shown one up to date, and not what only leads on.
      if (!response.request().isNavigationRequest() || response.status() === 303) return
      // At once, as the browser drops the bodies of pages that it has left: those on the way to a view, which nobody reads.
      const text = response.text()
      text.catch(() => undefined)
      shown = { status: response.status(), text }
    })
    const found: Array<string> = []
    for (const [index, { name, open }] of all.entries()) {
      await resize(page, 1280)
      await open(page)
      await page.waitForLoadState()
      const text = (await shown?.text) ?? ""
      if (shown === undefined || shown.status >= 500) found.push(`${name}: the status ${shown?.status}`)
      const [inModes, inText] = await Promise.all([problemsIn(page, index), problemsOf(text)])
      found.push(...[...inModes, ...inText].map((problem) => `${name}: ${problem}`))
    }
    expect(found).toEqual([])
    await context.close()
  })
})
