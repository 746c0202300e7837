import { type Go, inTurn, press, type View } from "./View.ts"

const checkDefinition = (text: string): View["open"] =>
  inTurn((page) => page.fill("#definition", text), press("text=Check"))

/** Orders, designs and customizers. */
export const catalogueViews = (go: Go): ReadonlyArray<View> => [
  { name: "drafts", open: go("/drafts") },
  { name: "drafts-none", open: go("/drafts?to=2020-01-01") },
  { name: "platforms", open: go("/platforms") },
  { name: "platform", open: go("/platforms/shopify") },
  { name: "inbox", open: go("/inbox") },
  { name: "inbox-event", open: press("table a") },
  { name: "inbox-none", open: go("/inbox?q=nothing") },
  { name: "orders", open: go("/orders") },
  { name: "orders-searched", open: go("/orders?text=1027") },
  { name: "orders-none", open: go("/orders?text=nothing&status=cancelled&from=2026-01-01") },
  { name: "order", open: inTurn(go("/orders"), press(".orders a")) },
  { name: "ticket", open: press(".title .button") },
  { name: "production", open: go("/production") },
  { name: "production-filtered", open: go("/production?customizer=101&from=2026-01-01") },
  { name: "production-none", open: go("/production?to=2020-01-01") },
  { name: "design", open: inTurn(go("/orders"), press(".orders a"), press(".designs a")) },
  { name: "customizers", open: go("/customizers") },
  { name: "customizer", open: press("table a") },
  { name: "customizer-rules", open: press(".ranges a:last-child") },
  { name: "evaluate", open: press(".title .button.main") },
  {
    name: "evaluate-chosen",
    open: inTurn(
      (page) => page.locator("main fieldset:not([hidden]) input[type=radio]").last().check(),
      press("form button"),
    ),
  },
  {
    name: "evaluate-refused",
    open: (page) => {
      const { href } = new URL("?base=much&q0=nothing&q1=nothing", page.url())
      return page.goto(href)
    },
  },
  { name: "publish", open: inTurn(go("/customizers"), press("table a"), press(".title .button:last-child")) },
  { name: "publish-checked", open: checkDefinition('{"schemaVersion":2,\n"steps":[{}]}') },
  {
    name: "publish-sound",
    open: async (page) => {
      const sound = await page.request.get(page.url().replace(/publish$/, "definition"))
      await checkDefinition(JSON.stringify(await sound.json()))(page)
    },
  },
]

/** The orders of a store with many. */
export const manyOrdersViews = (go: Go): ReadonlyArray<View> => [
  { name: "orders-many", open: go("/orders") },
  { name: "orders-next", open: press("nav.actions a") },
]
