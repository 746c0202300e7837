/** Every page of the settings app in every state worth a look, and the way to it in a real browser. */
import type { Page } from "playwright-core"
import type { BusyShop } from "./BusyShop.ts"
import type { SettingsSite } from "./SettingsSite.ts"
import { manageKey } from "./TestHost.ts"

/** What a browser can show of the app. */
export interface View {
  /** As its screenshot is called. */
  readonly name: string
  /** Brings a page to it. Views come in their order, on one page, signed in from the second on. */
  readonly open: (page: Page) => Promise<unknown>
}

/** Signs in with the management key and chooses a store. */
export const signIn = async (page: Page, { origin }: Pick<SettingsSite, "origin">, shop: string): Promise<void> => {
  await page.goto(`${origin}/settings/sign-in`)
  await page.fill("#key", manageKey)
  await page.click("main button[type=submit]")
  await chooseStore(page, origin, shop)
}

const chooseStore = async (page: Page, origin: string, shop: string): Promise<void> => {
  await page.goto(`${origin}/settings/stores`)
  await page.click(`button[value="${shop}"]`)
}

/** All views of a site, for a busy shop, and one to which nothing has happened yet. Some of them change the busy shop: one view of it turns an endpoint on. */
export const views = (
  site: Pick<SettingsSite, "origin">,
  { endpoints, id }: BusyShop,
  others: { readonly empty: string; readonly free: string },
): ReadonlyArray<View> => {
  const { origin } = site
  const go = (path: string) => (page: Page) => page.goto(`${origin}/settings${path}`)
  const endpoint = (name: keyof BusyShop["endpoints"]) => `/webhooks/${endpoints[name]}`
  /** The delivery page of the first of a log that fits a filter. */
  const delivery = (path: string) => async (page: Page) => {
    await go(path)(page)
    await page.click("main table tbody a")
  }
  const inStore = (shop: string, path: string) => async (page: Page) => {
    await chooseStore(page, origin, shop)
    await go(path)(page)
  }
  return [
    { name: "sign-in", open: go("/sign-in") },
    {
      name: "sign-in-refused",
      open: async (page) => {
        await page.fill("#key", "not the key")
        await page.click("main button[type=submit]")
      },
    },
    {
      name: "stores",
      open: async (page) => {
        await signIn(page, site, id)
        await go("/stores")(page)
      },
    },
    { name: "overview", open: inStore(id, "/") },
    { name: "webhooks", open: go("/webhooks") },
    { name: "webhooks-new", open: go("/webhooks/new") },
    {
      name: "webhooks-new-refused",
      open: async (page) => {
        await page.fill("#url", "https://10.0.0.1/webhooks")
        await page.uncheck("[value='design.ordered']")
        await page.uncheck("[value='order.cancelled']")
        await page.click("main button[type=submit]")
      },
    },
    { name: "endpoint", open: go(endpoint("healthy")) },
    { name: "endpoint-filtered", open: go(`${endpoint("healthy")}?state=failed&event=order.cancelled`) },
    { name: "endpoint-failing", open: go(endpoint("failing")) },
    { name: "endpoint-empty", open: go(endpoint("quiet")) },
    { name: "endpoint-off", open: go(endpoint("off")) },
    { name: "endpoint-edit", open: go(`${endpoint("healthy")}/edit`) },
    { name: "endpoint-delete", open: go(`${endpoint("quiet")}/delete`) },
    { name: "endpoint-rotate", open: go(`${endpoint("quiet")}/rotate`) },
    {
      name: "endpoint-rotated",
      open: async (page) => {
        await page.click("main button[type=submit]")
      },
    },
    { name: "endpoint-rotating", open: go(endpoint("quiet")) },
    { name: "endpoint-rotate-again", open: go(`${endpoint("quiet")}/rotate`) },
    { name: "endpoint-verify", open: go(`${endpoint("healthy")}/secret`) },
    { name: "delivery", open: delivery(`${endpoint("healthy")}?state=succeeded`) },
    { name: "delivery-failed", open: delivery(`${endpoint("failing")}?state=failed`) },
    { name: "delivery-pending", open: delivery(`${endpoint("failing")}?state=pending`) },
    { name: "events", open: go("/events") },
    { name: "tokens", open: go("/tokens") },
    {
      name: "token-delete",
      open: async (page) => {
        const link = page.locator("main table a").first()
        await page.goto(new URL((await link.getAttribute("href")) ?? "", page.url()).href)
      },
    },
    {
      name: "token-delete-dialog",
      open: async (page) => {
        await go("/tokens")(page)
        await page.locator("main table a").first().click()
        await page.waitForSelector("dialog[open]")
      },
    },
    {
      name: "token-created",
      open: async (page) => {
        await go("/tokens")(page)
        await page.fill("#name", "Warehouse")
        await page.click("main form button")
      },
    },
    {
      name: "endpoint-added",
      open: async (page) => {
        await go("/webhooks/new")(page)
        await page.fill("#url", "http://127.0.0.1:8443/new")
        await page.click("main button[type=submit]")
      },
    },
    {
      name: "endpoint-tested",
      open: async (page) => {
        await go(endpoint("healthy"))(page)
        await page.click("text=Send test event")
        await page.waitForLoadState()
      },
    },
    {
      name: "endpoint-missed",
      open: async (page) => {
        await go(endpoint("off"))(page)
        await page.click("main section form button")
        await page.waitForLoadState()
      },
    },
    { name: "not-found", open: go("/nothing") },
    { name: "empty-overview", open: inStore(others.empty, "/") },
    { name: "empty-tokens", open: go("/tokens") },
    { name: "empty-webhooks", open: go("/webhooks") },
    { name: "free-tokens", open: inStore(others.free, "/tokens") },
    { name: "free-webhooks", open: go("/webhooks") },
  ]
}
