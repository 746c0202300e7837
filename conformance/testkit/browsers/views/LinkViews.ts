/** The pages of people who come by a link to one store. */
import { Effect } from "effect"
import { manage } from "../../hosts/TestHost.ts"
import type { BusyShop } from "../BusyShop.ts"
import type { SettingsSite } from "../SettingsSite.ts"
import { type Go, inTurn, press, submit, type View } from "./View.ts"

export const linkViews = (
  { origin, send }: Pick<SettingsSite, "origin" | "send">,
  { endpoints, id }: BusyShop,
): ReadonlyArray<View> => {
  const go: Go = (path) => (page) => page.goto(`${origin}/settings/${id}${path}`)
  const newLink =
    (readOnly: boolean): View["open"] =>
    async (page) => {
      const input = { actor: "jo@acme-prints.example.com", readOnly }
      const { json } = await Effect.runPromise(manage(send, "POST", `/shops/${id}/settings-link`, input))
      await page.context().clearCookies()
      await page.goto(origin + (json as { readonly url: string }).url)
    }
  let used = ""
  return [
    { name: "link", open: newLink(false) },
    {
      name: "link-overview",
      open: async (page) => {
        used = page.url()
        await submit(page)
      },
    },
    { name: "link-session", open: go("/sign-out") },
    { name: "link-used", open: (page) => page.goto(used) },
    { name: "link-read-only", open: newLink(true) },
    { name: "read-only-overview", open: submit },
    { name: "read-only-webhooks", open: go("/webhooks") },
    { name: "read-only-endpoint", open: go(`/webhooks/${endpoints.failing}`) },
    { name: "read-only-endpoint-edit", open: go(`/webhooks/${endpoints.healthy}/update`) },
    { name: "read-only-delivery", open: inTurn(go("/deliveries?state=pending"), press("tbody a")) },
    { name: "read-only-resend", open: go(`/webhooks/${endpoints.healthy}/resend?state=succeeded`) },
    { name: "read-only-tokens", open: go("/tokens") },
    {
      name: "read-only-publish",
      open: inTurn(go("/customizers"), press("table a"), press(".title .button:last-child")),
    },
    { name: "signed-out", open: inTurn(go("/sign-out"), submit) },
    { name: "link-invalid", open: go("/link?sig=invalid") },
  ]
}
