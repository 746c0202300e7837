import { describe, expect, it } from "vitest"
import { namesIn, ownIdsIn, partsIn } from "./SearchTexts.ts"

describe("The texts that are looked for", () => {
  it("MUST be a number and the name behind #", () => {
    expect(namesIn("1027")).toEqual(["1027", "#1027"])
    expect(namesIn("#1027")).toEqual(["#1027"])
    expect(namesIn("R1027")).toEqual(["R1027"])
  })

  it.each([
    ["Where is order 1027?", "1027"],
    ["Bestellung „#1027“, bitte!", "#1027"],
    ["Order:#1027.", "1027"],
    ["Bestellung Nr.1027!", "1027"],
    ["(dlv_0354yBVDCwUyX8C39yi2L9)", "dlv_0354yBVDCwUyX8C39yi2L9"],
    ["https://admin.shopify.com/store/acme/orders/5678901234?from=mail", "5678901234"],
    ["https://erp.example.com/find?design=dsn_0354yBVDCwUyX8C39yi2L9&x=1", "dsn_0354yBVDCwUyX8C39yi2L9"],
    ["https://app.example.com/settings/acme/orders/gid%3A%2F%2Fshop%2FOrder%2F7", "gid://shop/Order/7"],
    ["id gid://shop/Order/7, please", "gid://shop/Order/7"],
    ["D-1", "d-1"],
    ["d-1", "D-1"],
    ["3F2504E0-4F89-41D3-9A0C-0305E82C3301", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
    ["#1027", "1027"],
  ])("MUST have the id or the number in %j", (text, expected) => {
    expect(partsIn(text)).toContain(expected)
  })

  it("MUST be few, without the text itself and words without a digit, whatever is pasted", () => {
    for (const text of ["", "1027", "hello world", "%", "%zz", "# # #", "???"]) expect(partsIn(text)).toEqual([])
    expect(partsIn(Array.from({ length: 100 }, (_, index) => `a${index}`).join(" "))).toHaveLength(8)
    expect(partsIn("100% 7")).toEqual(["100%", "7"])
  })

  it("MUST be ids as designwire makes them, each once, in whatever case they are", () => {
    const id = "0354ybvdcwuyx8c39yi2l9"
    expect(ownIdsIn([`dsn_${id}`, `DSN_${id.toUpperCase()}`, `Evt_${id}`, `dlv_${id}${id}`, `dlv_${id}`])).toEqual([
      { of: "design", id: `dsn_${id}` },
      { of: "event", id: `evt_${id}` },
      { of: "delivery", id: `dlv_${id}${id}` },
      { of: "delivery", id: `dlv_${id}` },
    ])
    for (const text of [id, "dsn_1", `dsn_${id}1`, `whe_${id}`, `dsn_${id.slice(1)}ß`]) {
      expect(ownIdsIn([text])).toEqual([])
    }
  })
})
