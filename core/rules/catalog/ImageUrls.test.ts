import { describe, expect, it } from "@effect/vitest"
import { hostileIds } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { imageUrls, keepGiven } from "./ImageUrls.ts"

const shop = {
  id: "s",
  domain: "a.example",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://i.example/base",
} as const

describe("imageUrls (§2.1, D7)", () => {
  it("MUST give one URL per view in order, and the first view's thumbnail (D7)", () => {
    const { images, thumbnail } = imageUrls(shop, "d", ["front", "back"])
    expect(Object.entries(images)).toEqual([
      ["front", "https://i.example/base/designs/d/front.png"],
      ["back", "https://i.example/base/designs/d/back.png"],
    ])
    expect(thumbnail).toBe("https://i.example/base/designs/d/front_thumb.png")
  })

  it("MUST NOT double the slash of an image base that ends in one", () => {
    expect(imageUrls({ ...shop, imageBase: "https://i.example//" }, "d", ["v"]).images["v"]).toBe(
      "https://i.example/designs/d/v.png",
    )
  })

  it("MUST keep any id and any view a single path segment for every URL parser", () => {
    for (const name of hostileIds) {
      const text = imageUrls(shop, name, [name]).images[name] ?? ""
      const url = new URL(text)
      expect([name, url.search, url.hash]).toEqual([name, "", ""])
      const [, base, designs, design, file, ...rest] = url.pathname.split("/")
      expect([name, base, designs, rest]).toEqual([name, "base", "designs", []])
      expect(decodeURIComponent(design ?? "")).toBe(name === "." || name === ".." ? `=${name}` : name)
      expect(decodeURIComponent(file ?? "")).toBe(`${name}.png`)
    }
  })

  it("MUST give designs of different ids different URLs, as URL parsers read them", () => {
    const ids = [...hostileIds, "=.", "=..", "%2E", "%2e%2e", "%3D."]
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids.map((id) => new URL(imageUrls(shop, id, ["v"]).thumbnail).href)).size).toBe(ids.length)
  })

  it("MUST have a separate URL for a view named __proto__", () => {
    expect(Object.keys(imageUrls(shop, "d", ["__proto__"]).images)).toEqual(["__proto__"])
  })
})

describe("keepGiven (D7)", () => {
  const given = imageUrls(shop, "d", ["front", "back", "__proto__"])
  const moved = { ...shop, imageBase: "https://moved.example" }

  it("MUST keep published URLs, and make URLs for new views only (D7)", () => {
    const made = imageUrls(moved, "d", ["front", "side", "constructor", "__proto__"])
    const { images, thumbnail } = keepGiven(made, given, { sameFirstView: true })
    expect(Object.entries(images)).toEqual([
      ["front", "https://i.example/base/designs/d/front.png"],
      ["side", "https://moved.example/designs/d/side.png"],
      ["constructor", "https://moved.example/designs/d/constructor.png"],
      ["__proto__", "https://i.example/base/designs/d/__proto__.png"],
    ])
    expect(thumbnail).toBe("https://i.example/base/designs/d/front_thumb.png")
  })

  it("MUST make a new thumbnail URL if the first view is another one", () => {
    const made = imageUrls(moved, "d", ["back", "front"])
    const { images, thumbnail } = keepGiven(made, given, { sameFirstView: false })
    expect(images).toEqual({
      back: "https://i.example/base/designs/d/back.png",
      front: "https://i.example/base/designs/d/front.png",
    })
    expect(thumbnail).toBe("https://moved.example/designs/d/back_thumb.png")
  })
})
