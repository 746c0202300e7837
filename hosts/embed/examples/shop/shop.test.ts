/** The shop, its ERP and its production in a browser, and over restarts. */
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { axe, excess, violations } from "../../../../conformance/testkit/browsers/Axe.ts"
import { openChromium } from "../../../../conformance/testkit/browsers/Chromium.ts"
import { send, stop } from "../../../../conformance/testkit/processes/Processes.ts"
import { type ShopExample, shopExample } from "../../../../conformance/testkit/processes/ShopExample.ts"

const chromium = Effect.acquireRelease(
  Effect.promise(() => openChromium()),
  (browser) => Effect.promise(() => browser.close()),
)

const open = async (browser: Browser, url: string): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText()

const save = (page: Page) => page.getByRole("button", { name: "Save the design" })
const order = (page: Page) => page.getByRole("button", { name: "Order it" })

const choose = (page: Page, label: string) => page.getByLabel(label).click()

/** What is wrong with a page in this state, for anyone: by axe, and at 320 px. */
const faults = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(await axe)
  const found = [...(await violations(page))]
  await page.setViewportSize({ width: 320, height: 640 })
  found.push(...(await violations(page)), ...((await excess(page)) > 0 ? ["wider than the window"] : []))
  await page.setViewportSize({ width: 1280, height: 720 })
  return found
}

/** Waits until a page shows a text. It renews itself. */
const shown = (page: Page, words: string): Promise<void> => page.locator("main", { hasText: words }).waitFor()

/** Saves and orders a ring without a browser. */
const place = Effect.fnUntraced(function* ({ storefront }: ShopExample, selection: Readonly<Record<string, unknown>>) {
  const saved = yield* send("POST", `${storefront}/designs`, { body: selection })
  const { id } = saved.json() as { readonly id: string }
  return (yield* send("POST", `${storefront}/orders`, { body: id })).json() as { readonly name: string }
})

const plain = { metal: "silver", size: "s54" }

describe("The examples of a shop", () => {
  it.each([
    ["the storefront with its page", ["storefront.mts", "storefront.page.mts"]],
    ["the ERP", ["erp.mts"]],
    ["the production queue", ["production.mts"]],
    ["the command", ["start.mts"]],
  ])("MUST be under 150 lines each: %s", (_, files) => {
    const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), "utf8").trimEnd())
    expect(texts.join("\n").split("\n").length).toBeLessThan(150)
  })

  it.live("MUST lead a buyer to a ring that is ordered, booked and made", () =>
    Effect.gen(function* () {
      const shop = yield* shopExample
      const command = yield* shop.run
      const browser = yield* chromium
      yield* Effect.promise(async () => {
        const page = await open(browser, shop.storefront)
        expect(await text(page, "#price")).toBe("€129.00")
        await choose(page, "Yellow gold")
        await choose(page, "Diamond")
        expect(await text(page, "#price")).toBe("€779.00")
        expect(await text(page, "#summary")).toMatch(/Metal\s+Yellow gold\s+Size\s+50\s+Stones\s+Diamond/)
        expect(await page.getByText("Typeface").isVisible()).toBe(false)

        await page.getByLabel("Engraving").fill("For ever, <b>& ever</b>")
        expect(await text(page, "#engraving-problem")).toBe("At most 18 letters.")
        expect([await text(page, "#price"), await text(page, "#summary")]).toEqual(["—", ""])
        expect(await save(page).isEnabled()).toBe(false)
        expect(await faults(page)).toEqual([])
        await page.getByLabel("Engraving").fill("<b>& ever</b>")
        expect(await text(page, "#engraving-problem")).toBe("")
        await choose(page, "Script")
        expect(await text(page, "#price")).toBe("€797.00")

        await choose(page, "Silver")
        expect(await text(page, "#stones-problem")).toMatch(/^At most 3, and only what/)
        await choose(page, "Diamond")
        expect(await page.getByLabel("Diamond").isEnabled()).toBe(false)
        await choose(page, "Ruby")

        expect(await order(page).isEnabled()).toBe(false)
        await save(page).click()
        await page.getByText(/^Saved as dsn_/).waitFor()
        expect(await faults(page)).toEqual([])
        await order(page).click()
        await page.getByText("Thank you! Your order is #1001.").waitFor()
        expect(await order(page).isEnabled()).toBe(false)

        const erp = await open(browser, shop.erp)
        await shown(erp, "Metal: Silver · Size: 50 · Stones: Ruby · Engraving: <b>& ever</b> · Typeface: Script")
        await shown(erp, "Ordered: 1, for €192.00.")
        await erp.waitForFunction("document.querySelector('img').naturalWidth > 0")
        expect(await faults(erp)).toEqual([])

        const production = await open(browser, shop.production)
        await shown(production, "METAL    AG925")
        await shown(production, "TEXT     <b>& ever</b>")
        expect(await faults(production)).toEqual([])
      })
      yield* command.line(/^ORDER #1001, line 1001-1$/)
      // As browsers open them ahead of requests.
      const unused = connect(Number(new URL(shop.storefront).port), "127.0.0.1")
      unused.on("error", () => undefined)
      yield* Effect.promise(() => once(unused, "connect"))
      expect(yield* stop(command, "SIGINT")).toMatchObject({ code: 0, signal: null })
    }).pipe(Effect.scoped),
  )

  it.live("MUST book each ring once and print one ticket of it, whatever is restarted or sent again", () =>
    Effect.gen(function* () {
      const shop = yield* shopExample
      const first = yield* shop.run
      expect(yield* place(shop, plain)).toMatchObject({ name: "#1001" })
      yield* first.line(/^ORDER #1001/)
      first.child.kill("SIGKILL")
      yield* first.ended

      const second = yield* shop.run
      expect(yield* place(shop, plain)).toMatchObject({ name: "#1002" })
      yield* second.line(/^ORDER #1002/)
      const browser = yield* chromium
      const page = yield* Effect.promise(() => open(browser, shop.erp))
      yield* Effect.promise(() => shown(page, "Ordered: 2, for €258.00."))
      expect(yield* stop(second)).toMatchObject({ code: 0, signal: null })
      expect(second.printed()).not.toMatch(/ORDER #1001/)
      expect(readdirSync(join(shop.directory, "data/tickets")).length).toBe(2)
      const db = new DatabaseSync(join(shop.directory, "data/erp.sqlite"))
      expect(db.prepare("SELECT number FROM rings").all()).toEqual([{ number: "#1001" }, { number: "#1002" }])
      db.close()
    }).pipe(Effect.scoped),
  )

  it.live("MUST refuse choices that the browser would not have sent, and deliveries that nobody signed", () =>
    Effect.gen(function* () {
      const shop = yield* shopExample
      yield* shop.run
      const refused = yield* send("POST", `${shop.storefront}/designs`, { body: { ...plain, stones: ["diamond"] } })
      expect([refused.status, refused.json()]).toMatchObject([422, { problems: [{ path: "stones" }] }])
      expect((yield* send("POST", `${shop.storefront}/orders`, { body: "dsn_none" })).status).toBe(404)
      expect((yield* send("GET", `${shop.storefront}/designs/dsn_none.svg`)).status).toBe(404)
      expect((yield* send("POST", `${shop.production}/webhooks`, { body: {} })).status).toBe(401)
    }).pipe(Effect.scoped),
  )
})
