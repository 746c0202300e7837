import type { Page } from "playwright-core"
import type { BusyShop } from "../BusyShop.ts"
import { type Go, inTurn, press, type View } from "./View.ts"

/** A delivery in each of its states. */
export const deliveryViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => {
  const first = (endpoint: string, state: string) =>
    inTurn(go(`/webhooks/${endpoint}?state=${state}`), press("[data-live=log] tbody a"))
  return [
    { name: "delivery", open: first(endpoints.healthy, "succeeded") },
    { name: "delivery-failed", open: first(endpoints.failing, "failed") },
    { name: "delivery-pending", open: first(endpoints.failing, "pending") },
    { name: "delivery-tried", open: press("text=Try now") },
  ]
}

/** The lists of deliveries, and what a search finds. */
export const deliveryListViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => {
  const find = (textOf: (page: Page) => Promise<string>): View["open"] =>
    inTurn(go("/deliveries"), async (page) => go(`/find?q=${encodeURIComponent(await textOf(page))}`)(page))
  const older = press(".pager a:last-child")
  return [
    { name: "deliveries", open: go("/deliveries") },
    { name: "deliveries-next", open: older },
    {
      name: "deliveries-filtered",
      open: go(`/deliveries?state=failed&endpoint=${endpoints.failing}&from=2026-01-01`),
    },
    { name: "deliveries-none", open: go("/deliveries?kind=ping&state=dropped") },
    { name: "deliveries-refused", open: go("/deliveries?from=yesterday") },
    { name: "waiting", open: go("/deliveries/waiting") },
    { name: "waiting-endpoint", open: go(`/deliveries/waiting?endpoint=${endpoints.failing}`) },
    { name: "find", open: go("/find?q=1001") },
    { name: "find-next", open: older },
    { name: "find-design", open: go("/find?q=dsn_example") },
    {
      name: "find-event",
      open: find(async (page) => (await page.locator("main .event-id").first().textContent()) ?? ""),
    },
    {
      name: "find-delivery",
      open: find(async (page) => {
        const address = await page.locator("main tbody a").first().getAttribute("href")
        return address?.split("/").at(-1) ?? ""
      }),
    },
    { name: "find-nothing", open: go("/find?q=nothing") },
    { name: "find-empty", open: go("/find") },
  ]
}
