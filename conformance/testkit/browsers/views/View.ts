/** What the views of the settings app have in common. */
import type { Page } from "playwright-core"
import { manageKey } from "../../hosts/TestHost.ts"
import type { SettingsSite } from "../SettingsSite.ts"

/** A page of the app in a certain state. */
export interface View {
  /** The name of its screenshot. */
  readonly name: string
  /** Brings the browser to it. Views are opened in order, in the same browser. */
  readonly open: (page: Page) => Promise<unknown>
}

/** Opens a page by its path in the store that is looked at. */
export type Go = (path: string) => View["open"]

/** Sends the page's form. */
export const submit: View["open"] = async (page) => {
  await page.click("main form[method=post] button[type=submit]")
  await page.waitForLoadState()
}

/** Follows a link or presses a button of the page's content. */
export const press =
  (selector: string): View["open"] =>
  async (page) => {
    await page.locator("main").locator(selector).first().click()
    await page.waitForLoadState()
  }

/** Opens a page, and does something there. */
export const inTurn =
  (...steps: ReadonlyArray<View["open"]>): View["open"] =>
  async (page) => {
    for (const step of steps) await step(page)
  }

/** Signs in with the management key and chooses a store. */
export const signIn = async (page: Page, { origin }: Pick<SettingsSite, "origin">, shop: string): Promise<void> => {
  await page.goto(`${origin}/settings/sign-in`)
  await page.fill("#key", manageKey)
  await submit(page)
  await chooseStore(page, origin, shop)
}

/** Chooses a store from the list. */
export const chooseStore = async (page: Page, origin: string, shop: string): Promise<void> => {
  await page.goto(`${origin}/settings/stores?q=${shop}`)
  await page.click(`a[href="./${shop}/"]`)
}
