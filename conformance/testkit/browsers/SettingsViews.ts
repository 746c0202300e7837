/** All pages of the settings app in all states that matter, and how a real browser reaches them. */
import type { BusyShop } from "./BusyShop.ts"
import type { SettingsSite } from "./SettingsSite.ts"
import { catalogueViews, manyOrdersViews } from "./views/CatalogueViews.ts"
import { deliveryListViews, deliveryViews } from "./views/DeliveryViews.ts"
import { changedViews, endpointViews, resendViews, webhookViews } from "./views/EndpointViews.ts"
import { linkViews } from "./views/LinkViews.ts"
import type { OtherShops } from "./views/OtherShops.ts"
import { signInViews } from "./views/SignInViews.ts"
import { manyTokensViews, tokenViews } from "./views/TokenViews.ts"
import { chooseStore, type Go, press, signIn, type View } from "./views/View.ts"

/** All views of a site. Some of them change the busy shop, e.g. by turning an endpoint on. */
export const views = (
  site: Pick<SettingsSite, "origin" | "send">,
  { busy, empty, free, many }: OtherShops & { readonly busy: BusyShop },
): ReadonlyArray<View> => {
  const { origin } = site
  /** The beginning of the paths of the store that was chosen last. */
  let store = ""
  const go: Go = (path) => (page) => page.goto(`${origin}/settings${store}${path}`)
  const inStore =
    (shop: string, path: string): View["open"] =>
    async (page) => {
      await chooseStore(page, origin, shop)
      store = `/${shop}`
      await go(path)(page)
    }
  return [
    ...signInViews(go, (page) => signIn(page, site, busy.id)),
    { name: "overview", open: inStore(busy.id, "/") },
    { name: "overview-30d", open: go("/?range=30d") },
    ...webhookViews(go),
    ...endpointViews(go, busy),
    ...resendViews(go, busy),
    ...deliveryViews(go, busy),
    ...deliveryListViews(go, busy),
    { name: "events", open: go("/events") },
    ...catalogueViews(go),
    ...tokenViews(go),
    ...changedViews(go, busy),
    { name: "audit", open: go("/audit") },
    { name: "audit-next", open: press("[rel=next]") },
    { name: "audit-filtered", open: go("/audit?subject=token") },
    { name: "audit-none", open: go("/audit?to=2020-01-01") },
    { name: "not-found", open: go("/nothing") },
    { name: "wrong-method", open: go(`/webhooks/${busy.endpoints.healthy}/test`) },
    {
      name: "outdated-form",
      open: async (page) => {
        await go("/tokens")(page)
        await page
          .locator("main [name=form]")
          .first()
          .evaluate((field) => field.setAttribute("value", "outdated"))
        await page.fill("#name", "Late")
        await press("form button")(page)
      },
    },
    { name: "empty-overview", open: inStore(empty, "/") },
    { name: "empty-orders", open: go("/orders") },
    { name: "empty-customizers", open: go("/customizers") },
    { name: "empty-tokens", open: go("/tokens") },
    { name: "empty-webhooks", open: go("/webhooks") },
    { name: "empty-deliveries", open: go("/deliveries") },
    { name: "empty-waiting", open: go("/deliveries/waiting") },
    { name: "empty-audit", open: go("/audit") },
    { name: "free-overview", open: inStore(free, "/") },
    { name: "free-tokens", open: go("/tokens") },
    { name: "free-webhooks", open: go("/webhooks") },
    { name: "tokens-many", open: inStore(many, "/tokens") },
    ...manyTokensViews(go),
    ...manyOrdersViews(go),
    ...linkViews(site, busy),
  ]
}
