import { describe, expect, it } from "vitest"
import {
  addressOf,
  fitsHost,
  generalAddress,
  isTemplateOrPlain,
  shopNames,
  shopPart,
  splitAtShop,
  unfitFor,
} from "./PublicAddress.ts"

const onHost = "https://{shop}.designs.example.com"
const onPath = "https://designs.example.com/{shop}"

describe("A public address", () => {
  it.each([
    [onHost, "host"],
    [`${onHost}:8443/api/v1/`, "host"],
    ["http://eu.{shop}.localhost:3000", "host"],
    [onPath, "path"],
    ["http://127.0.0.1:3000/a.b/{shop}/designs/v1//", "path"],
    ["http://[::1]:3000/{shop}", "path"],
    ["https://designs.example.com/designs", undefined],
  ] as const)("MUST be taken, and may name the shop: %s (D15a)", (address, part) => {
    expect([isTemplateOrPlain(address), shopPart(address)]).toEqual([true, part])
  })

  it.each([
    "https://{shop}.{shop}.example.com",
    "https://{shop}.example.com/{shop}",
    "https://example.com/{shop}/{shop}",
    "https://{shop}-designs.example.com",
    "https://designs.{shop}",
    "https://{shop}",
    "https://{shop}.0.0.1",
    "https://{shop}:secret@example.com",
    "https://example.com/designs-{shop}",
    "https://example.com/?shop={shop}",
    "https://example.com/#/{shop}",
    "https://example.com/../{shop}",
    "https://example.com/{shop}/a b",
    "https://{store}.example.com",
    "https://example.com/{Shop}",
    "ftp://{shop}.example.com",
    "{shop}.example.com",
    `https://{shop}.${"a23456789.".repeat(19)}com`,
  ])("MUST be refused unless the shop is one whole label or segment: %s (D15a)", (address) => {
    expect(isTemplateOrPlain(address)).toBe(false)
  })

  it("MUST have the shop at its place, and be the address of all shops without one", () => {
    expect(addressOf(onHost, "acme")).toBe("https://acme.designs.example.com")
    expect(addressOf(onPath, "acme")).toBe("https://designs.example.com/acme")
    expect(addressOf("https://designs.example.com", "acme")).toBe("https://designs.example.com")
  })

  it("MUST lose the segment of the shop for paths that name the shop themselves", () => {
    expect(generalAddress(`${onPath}/api/v1`)).toBe("https://designs.example.com/api/v1")
    for (const address of [onHost, "https://designs.example.com/designs"]) expect(generalAddress(address)).toBe(address)
  })

  it("MUST be split after the shop", () => {
    expect(splitAtShop(`${onHost}:8443/api/v1`)).toEqual({ server: `${onHost}:8443`, path: "/api/v1" })
    expect(splitAtShop("https://example.com/a/{shop}/b/")).toEqual({
      server: "https://example.com/a/{shop}",
      path: "/b",
    })
    expect(splitAtShop(onPath)).toEqual({ server: onPath, path: "" })
  })

  it("MUST say which shops its host can't name; a path names all", () => {
    for (const shop of ["a", "7", "a--b", "x".repeat(63)]) expect([shop, fitsHost(shop)]).toEqual([shop, true])
    for (const shop of ["a-", "xn--a", "xn--bcher-kva"]) {
      expect([shop, unfitFor(onHost, shop)]).toEqual([shop, expect.stringContaining(onHost)])
      for (const address of [onPath, "https://example.com"]) expect(unfitFor(address, shop)).toBeUndefined()
    }
  })
})

describe("The shop of a request", () => {
  it.each([
    ["acme.designs.example.com", "acme"],
    ["ACME.Designs.example.com:8443", "acme"],
    ["acme.designs.example.com.", "acme"],
    ["under_score.designs.example.com", "under_score"],
    ["designs.example.com", undefined],
    ["a.b.designs.example.com", undefined],
    ["acme.designsXexample.com", undefined],
    ["acme.designs.example.com.evil.test", undefined],
    ["acme.designs.example.com:", "acme"],
    ["127.0.0.1:3000", undefined],
    ["", undefined],
  ])("MUST be taken from the host %j (D15a)", (host, shop) => {
    const { inHost, inPath } = shopNames(`${onHost}:443/api/v1`)
    expect(inHost(host)).toBe(shop)
    expect(inPath("/acme/api/v1/orders")).toBeUndefined()
  })

  it.each([
    ["/acme/api/v1/orders?limit=1", { shop: "acme", rest: "/orders?limit=1" }],
    ["/acme/api/v1", { shop: "acme", rest: "" }],
    ["/acme/api/v1?limit=1", { shop: "acme", rest: "?limit=1" }],
    ["/settings/api/v1/", { shop: "settings", rest: "/" }],
    ["/acme/api/v10/orders", undefined],
    ["/api/v1/orders", undefined],
    ["/Acme/api/v1/orders", undefined],
    ["/%61cme/api/v1/orders", undefined],
    ["/acme/%61pi/v1/orders", undefined],
    ["//acme/api/v1/orders", undefined],
    ["/a/acme/api/v1/orders", undefined],
    ["/orders?next=/acme/api/v1/orders", undefined],
  ])("MUST be taken from the path %j (D15a)", (path, found) => {
    const { inHost, inPath } = shopNames(`${onPath}/api/v1`)
    expect(inPath(path)).toEqual(found)
    expect(inHost("acme.designs.example.com")).toBeUndefined()
  })

  it("MUST be found whether or not a proxy removed what precedes it (D15a)", () => {
    const { inPath } = shopNames("https://example.com/my.designs/{shop}/api/v1")
    for (const start of ["/my.designs", ""]) {
      expect(inPath(`${start}/acme/api/v1/orders`)).toEqual({ shop: "acme", rest: "/orders" })
    }
    expect(inPath("/myXdesigns/acme/api/v1/orders")).toBeUndefined()
  })

  it("MUST be found only behind the whole beginning if nothing follows it", () => {
    const { inPath } = shopNames("https://example.com/designs/{shop}")
    expect(inPath("/designs/acme/orders")).toEqual({ shop: "acme", rest: "/orders" })
    expect(inPath("/acme/orders")).toBeUndefined()
  })
})
