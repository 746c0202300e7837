import { expect, it } from "vitest"
import { nextPage } from "./SettingsLink.ts"

it.each([
  "acme/",
  "acme/webhooks/whe_0/deliveries/dlv_0",
  "acme/webhooks/whe_0?state=failed&event=order.cancelled",
  "webhooks/new",
  "stores",
  "acme/events/design.ordered.schema.json",
  "acme/?next=//evil.test/..",
])("MUST lead to the page within the app: %s", (page) => {
  expect(nextPage(page)).toBe(page)
  const { href } = new URL(`../${page}`, "https://host.test/settings/a/")
  expect(href.startsWith("https://host.test/settings/")).toBe(true)
})

it.each([
  null,
  "",
  "/",
  "//evil.test",
  "/\\evil.test",
  "\\\\evil.test",
  "acme/\\..\\..\\admin",
  "https://evil.test/",
  "https:evil.test",
  "javascript:alert(1)",
  "data:text/html,x",
  "../admin",
  "..",
  "acme/../../admin",
  "acme/%2e%2e/%2E./admin",
  "acme/.%2e",
  "./acme",
  "acme//evil\t.test",
  "\t//evil.test",
  " acme",
  "acme/\r\nset-cookie:x=1",
  "acme/\u0000",
  "acme/\u202egnp",
  "acme#x",
  "acme?x#y",
  "@evil.test",
  ":80/",
  `acme/${"x".repeat(2048)}`,
])("MUST lead to the first page instead of %j", (page) => {
  expect(nextPage(page)).toBe("")
})
