import { expect, it } from "vitest"
import { isOfManagement } from "./RequestPath.ts"

it.each([
  ["/settings", true],
  ["/settings/acme/tokens", true],
  ["/manage/v1/shops", true],
  ["/ingest/shopify/acme", true],
  ["/settings-eu/api/v1/orders", false],
  ["/acme/api/v1/orders", false],
  ["/api/v1/orders", false],
])("The path %s MUST be one of management: %s", (path, expected) => {
  expect(isOfManagement(path)).toBe(expected)
})
