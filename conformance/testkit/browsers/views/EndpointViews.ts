import type { BusyShop } from "../BusyShop.ts"
import { type Go, inTurn, press, submit, type View } from "./View.ts"

/** The list of endpoints, and the page that adds one. */
export const webhookViews = (go: Go): ReadonlyArray<View> => [
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

/** An endpoint in each of its states, and its pages. */
export const endpointViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  { name: "endpoint", open: go(`/webhooks/${endpoints.healthy}`) },
  { name: "endpoint-30d", open: go(`/webhooks/${endpoints.healthy}?range=30d`) },
  { name: "endpoint-filtered", open: go(`/webhooks/${endpoints.healthy}?state=failed&event=order.cancelled`) },
  { name: "endpoint-failing", open: go(`/webhooks/${endpoints.failing}`) },
  { name: "endpoint-empty", open: go(`/webhooks/${endpoints.quiet}`) },
  { name: "endpoint-off", open: go(`/webhooks/${endpoints.off}`) },
  { name: "endpoint-edit", open: go(`/webhooks/${endpoints.healthy}/update`) },
  { name: "endpoint-edit-refused", open: inTurn((page) => page.fill("#url", "https://10.0.0.1/x"), submit) },
  { name: "endpoint-delete", open: go(`/webhooks/${endpoints.quiet}/delete`) },
  { name: "endpoint-rotate", open: go(`/webhooks/${endpoints.quiet}/rotate`) },
  { name: "endpoint-rotated", open: submit },
  { name: "endpoint-rotating", open: go(`/webhooks/${endpoints.quiet}`) },
  { name: "endpoint-rotate-again", open: go(`/webhooks/${endpoints.quiet}/rotate`) },
  { name: "endpoint-verify", open: go(`/webhooks/${endpoints.healthy}/secret`) },
]

/** The pages that send deliveries again. */
export const resendViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  { name: "resend", open: go(`/webhooks/${endpoints.healthy}/resend?state=succeeded`) },
  { name: "resend-nothing", open: go(`/webhooks/${endpoints.quiet}/resend`) },
  { name: "resend-refused", open: go(`/webhooks/${endpoints.healthy}/resend?from=soon&to=never`) },
  {
    name: "resend-selected",
    open: async (page) => {
      await go(`/webhooks/${endpoints.healthy}`)(page)
      for (const index of [0, 2]) await page.locator("main input[type=checkbox]").nth(index).check()
      await press("[data-selection]")(page)
    },
  },
  {
    name: "resend-progress",
    open: async (page) => {
      // With scripts it would continue by itself.
      await page.route(/script\.js/, (route) => route.abort())
      await go(`/webhooks/${endpoints.healthy}/resend?state=failed&next=r1&sent=1000&total=10000`)(page)
      await page.unroute(/script\.js/)
    },
  },
  { name: "resend-stopped", open: press(":is(a, button):text-is('Stop')") },
  { name: "recover", open: go(`/webhooks/${endpoints.off}/recover`) },
  { name: "recover-day", open: go(`/webhooks/${endpoints.off}/recover?since=24h`) },
  { name: "recover-refused", open: go(`/webhooks/${endpoints.healthy}/recover?since=soon`) },
]

/** The pages after a form that changes an endpoint. */
export const changedViews = (go: Go, { endpoints }: BusyShop): ReadonlyArray<View> => [
  {
    name: "endpoint-added",
    open: inTurn(go("/webhooks/new"), (page) => page.fill("#url", "http://127.0.0.1:8443/new"), submit),
  },
  { name: "webhooks-full", open: go("/webhooks") },
  { name: "webhooks-new-full", open: go("/webhooks/new") },
  { name: "endpoint-tested", open: inTurn(go(`/webhooks/${endpoints.healthy}`), press("text=Send test event")) },
  { name: "endpoint-missed", open: inTurn(go(`/webhooks/${endpoints.off}`), press("text=Enable")) },
  { name: "endpoint-paused", open: inTurn(go(`/webhooks/${endpoints.failing}`), press("text=Pause")) },
]
