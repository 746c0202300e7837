import { expect, it } from "@effect/vitest"
import { platformDomain } from "./PlatformDomain.ts"

it.each([
  ["acme.myshopify.com", "acme.myshopify.com"],
  [" https://Acme.MyShopify.com/ ", "acme.myshopify.com"],
  ["https://acme.example.com/Store/", "acme.example.com/Store"],
  ["http://localhost:8080", "localhost:8080"],
  ["https://acme.example.com:443/", "acme.example.com"],
  ["[::1]:8080", "[::1]:8080"],
])("The domain %j MUST have the form %j (D87)", (text, domain) => {
  expect(platformDomain(text)).toBe(domain)
})

it.each([
  ...["", " ", "https://", "a b.example.com", "me@example.com", "https://me:secret@example.com", "example.com?a=1"],
  ...["example.com#a", "example.com\\a", "ftp://example.com/", "*.example.com", `${"a".repeat(300)}.example.com`],
])("%j MUST NOT be a domain (D87)", (text) => {
  expect(platformDomain(text)).toBeUndefined()
})
