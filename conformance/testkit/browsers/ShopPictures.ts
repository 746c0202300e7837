/** Pictures of the shop in `hosts/embed/examples/shop`, its ERP and its production, for the guide. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { shopExample } from "../processes/ShopExample.ts"

const directory = join(import.meta.dirname, "../../../hosts/embed/screenshots")

/** The rings that are ordered: what is clicked, and what is engraved. */
const rings = [
  { choices: ["Silver", "56", "Emerald"], engraving: "" },
  { choices: ["Platinum", "52", "Diamond"], engraving: "Ada ♥ Grace" },
  { choices: ["Yellow gold", "54", "Ruby", "Sapphire", "Diamond"], engraving: "For ever & ever" },
]

const take = async (browser: Browser, addresses: Readonly<Record<"storefront" | "erp" | "production", string>>) => {
  const context = await browser.newContext({ viewport: { width: 760, height: 480 }, colorScheme: "light" })
  const page = await context.newPage()
  const shoot = (name: string) => page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
  for (const { choices, engraving } of rings) {
    await page.goto(addresses.storefront)
    for (const choice of choices) await page.getByLabel(choice, { exact: false }).first().check()
    await page.getByLabel("Engraving").fill(engraving)
    await page.getByRole("button", { name: "Save the design" }).click()
    await page.getByText(/^Saved as/).waitFor()
    if (choices === rings.at(-1)?.choices) await shoot("storefront")
    await page.getByRole("button", { name: "Order it" }).click()
    await page.getByText(/^Thank you/).waitFor()
  }
  for (const name of ["erp", "production"] as const) {
    await page.goto(addresses[name])
    await page.locator("main", { hasText: `${name === "erp" ? "Ordered" : "Tickets"}: ${rings.length}` }).waitFor()
    await page.waitForLoadState("networkidle")
    await shoot(name)
  }
  await context.close()
}

/** Writes the pictures to hosts/embed/screenshots. */
export const shopPictures = (browser: Browser): Promise<void> =>
  Effect.gen(function* () {
    yield* Effect.promise(() => mkdir(directory, { recursive: true }))
    const shop = yield* shopExample
    yield* shop.run
    yield* Effect.promise(() => take(browser, shop))
  }).pipe(Effect.scoped, Effect.runPromise)
