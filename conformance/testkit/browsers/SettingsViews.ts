/** All pages of the settings app in all states that matter, and how a real browser reaches them. */
import type { Page } from "playwright-core"
import { manageKey } from "../hosts/TestHost.ts"
import type { BusyShop } from "./BusyShop.ts"
import type { SettingsSite } from "./SettingsSite.ts"

/** A page of the app in a certain state. */
export interface View {
  /** The name of its screenshot. */
  readonly name: string
  /** Brings the browser to it. Views are opened in order, in the same browser. */
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
  await page.click(`a[href="./${shop}/"]`)
}

/** The shops whose pages are shown. */
interface Shops {
  readonly busy: BusyShop
  /** The id of a shop to which nothing has happened. */
  readonly empty: string
  /** The id of a shop on the free plan. */
  readonly free: string
}

/** Opens a page by its path in the app. */
type Go = (path: string) => View["open"]

type InStore = (shop: string, path: string) => View["open"]

const submit = (page: Page) => page.click("main button[type=submit]")

/** All views of a site. Some of them change the busy shop, e.g. by turning an endpoint on. */
export const views = (site: Pick<SettingsSite, "origin">, { busy, empty, free }: Shops): ReadonlyArray<View> => {
  const { origin } = site
  /** The beginning of the paths of the store that was chosen last. */
  let store = ""
  const go: Go = (path) => (page) => page.goto(`${origin}/settings${store}${path}`)
  const inStore: InStore = (shop, path) => async (page) => {
    await chooseStore(page, origin, shop)
    store = `/${shop}`
    await go(path)(page)
  }
  return [
    ...signInViews(go, (page) => signIn(page, site, busy.id)),
    { name: "overview", open: inStore(busy.id, "/") },
    ...webhookViews(go),
    ...endpointViews(go, busy),
    ...deliveryViews(go, busy),
    ...listViews(go, busy),
    { name: "events", open: go("/events") },
    ...catalogueViews(go),
    ...tokenViews(go),
    { name: "audit", open: go("/audit") },
    { name: "audit-none", open: go("/audit?to=2020-01-01") },
    ...resultViews(go, busy),
    { name: "not-found", open: go("/nothing") },
    { name: "empty-overview", open: inStore(empty, "/") },
    { name: "empty-orders", open: go("/orders") },
    { name: "empty-customizers", open: go("/customizers") },
    { name: "empty-tokens", open: go("/tokens") },
    { name: "empty-webhooks", open: go("/webhooks") },
    { name: "free-tokens", open: inStore(free, "/tokens") },
    { name: "free-webhooks", open: go("/webhooks") },
  ]
}

const signInViews = (go: Go, signIn: View["open"]): ReadonlyArray<View> => [
  { name: "sign-in", open: go("/sign-in") },
  {
    name: "sign-in-refused",
    open: async (page) => {
      await page.fill("#key", "not the key")
      await submit(page)
    },
  },
  {
    name: "stores",
    open: async (page) => {
      await signIn(page)
      await go("/stores")(page)
    },
  },
]

const webhookViews = (go: Go): ReadonlyArray<View> => [
  { name: "webhooks", open: go("/webhooks") },
  { name: "webhooks-new", open: go("/webhooks/new") },
  {
    name: "webhooks-new-refused",
    open: async (page) => {
      await page.fill("#url", "https://10.0.0.1/webhooks")
      await page.uncheck("[value='design.ordered']")
      await page.uncheck("[value='order.cancelled']")
      await submit(page)
    },
  },
]

const endpointViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  { name: "endpoint", open: go(`/webhooks/${endpoints.healthy}`) },
  { name: "endpoint-filtered", open: go(`/webhooks/${endpoints.healthy}?state=failed&event=order.cancelled`) },
  { name: "endpoint-failing", open: go(`/webhooks/${endpoints.failing}`) },
  { name: "endpoint-empty", open: go(`/webhooks/${endpoints.quiet}`) },
  { name: "endpoint-off", open: go(`/webhooks/${endpoints.off}`) },
  { name: "endpoint-edit", open: go(`/webhooks/${endpoints.healthy}/update`) },
  { name: "endpoint-delete", open: go(`/webhooks/${endpoints.quiet}/delete`) },
  { name: "endpoint-rotate", open: go(`/webhooks/${endpoints.quiet}/rotate`) },
  { name: "endpoint-rotated", open: submit },
  { name: "endpoint-rotating", open: go(`/webhooks/${endpoints.quiet}`) },
  { name: "endpoint-rotate-again", open: go(`/webhooks/${endpoints.quiet}/rotate`) },
  { name: "resend", open: go(`/webhooks/${endpoints.healthy}/resend?state=succeeded`) },
  { name: "resend-nothing", open: go(`/webhooks/${endpoints.quiet}/resend`) },
  { name: "resend-refused", open: go(`/webhooks/${endpoints.healthy}/resend?from=soon&to=never`) },
  {
    name: "resend-selected",
    open: async (page) => {
      await go(`/webhooks/${endpoints.healthy}`)(page)
      for (const index of [0, 2]) await page.locator("main input[type=checkbox]").nth(index).check()
      await page.click("text=Send selected again")
    },
  },
  {
    name: "resend-progress",
    open: async (page) => {
      // With scripts it would go on by itself.
      await page.route(/script\.js/, (route) => route.abort())
      await go(`/webhooks/${endpoints.healthy}/resend?state=failed&next=r1&sent=1000&total=10000`)(page)
      await page.unroute(/script\.js/)
    },
  },
  { name: "recover", open: go(`/webhooks/${endpoints.off}/recover`) },
  { name: "recover-refused", open: go(`/webhooks/${endpoints.healthy}/recover?since=soon`) },
  { name: "endpoint-verify", open: go(`/webhooks/${endpoints.healthy}/secret`) },
]

const deliveryViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => {
  /** The first delivery of an endpoint in a state. */
  const first = (endpoint: string, state: string) => async (page: Page) => {
    await go(`/webhooks/${endpoint}?state=${state}`)(page)
    await page.click("main table tbody a")
  }
  return [
    { name: "delivery", open: first(endpoints.healthy, "succeeded") },
    { name: "delivery-failed", open: first(endpoints.failing, "failed") },
    { name: "delivery-pending", open: first(endpoints.failing, "pending") },
  ]
}

const listViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  { name: "deliveries", open: go("/deliveries") },
  { name: "deliveries-filtered", open: go(`/deliveries?state=failed&endpoint=${endpoints.failing}&from=2026-01-01`) },
  { name: "deliveries-none", open: go("/deliveries?kind=ping&state=dropped") },
  { name: "deliveries-refused", open: go("/deliveries?from=yesterday") },
  { name: "waiting", open: go("/deliveries/waiting") },
  { name: "find", open: go("/find?q=1001") },
  { name: "find-nothing", open: go("/find?q=nothing") },
]

const catalogueViews = (go: Go): ReadonlyArray<View> => [
  { name: "orders", open: go("/orders") },
  { name: "orders-none", open: go("/orders?text=nothing&status=cancelled&from=2026-01-01") },
  {
    name: "order",
    open: async (page) => {
      await go("/orders")(page)
      await page.click("main .orders a")
    },
  },
  { name: "design", open: (page) => page.click("main .designs a") },
  { name: "customizers", open: go("/customizers") },
  { name: "customizer", open: (page) => page.click("main table a") },
  { name: "customizer-rules", open: (page) => page.click("main .ranges a:last-child") },
  { name: "evaluate", open: (page) => page.click("main .title .button.main") },
  {
    name: "evaluate-chosen",
    open: async (page) => {
      await page.locator("main fieldset:not([hidden]) input[type=radio]").last().check()
      await page.click("main form button")
      await page.waitForLoadState()
    },
  },
  {
    name: "publish-checked",
    open: async (page) => {
      await go("/customizers")(page)
      await page.click("main table a")
      await page.click("main .title .button:last-child")
      await page.fill("#definition", '{"schemaVersion":2,\n"steps":[{}]}')
      await page.click("main form button")
      await page.waitForLoadState()
    },
  },
]

const tokenViews = (go: Go): ReadonlyArray<View> => [
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
]

/** The pages after a form that changes something. */
const resultViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  {
    name: "endpoint-added",
    open: async (page) => {
      await go("/webhooks/new")(page)
      await page.fill("#url", "http://127.0.0.1:8443/new")
      await submit(page)
    },
  },
  {
    name: "endpoint-tested",
    open: async (page) => {
      await go(`/webhooks/${endpoints.healthy}`)(page)
      await page.click("text=Send test event")
      await page.waitForLoadState()
    },
  },
  {
    name: "endpoint-missed",
    open: async (page) => {
      await go(`/webhooks/${endpoints.off}`)(page)
      await page.click("main section form button")
      await page.waitForLoadState()
    },
  },
]
