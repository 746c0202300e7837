import { describe, expect, it } from "vitest"
import type { Design } from "../../model/Design.ts"
import { designLine, headerLine } from "./DesignTable.ts"

const design = (fields: Partial<Design> = {}): Design => ({
  id: "d-1",
  status: "ordered",
  customizer: { id: 101, title: "Ring", version: 2 },
  order: { id: "1", name: "#1027", lineItemId: "l-1" },
  selection: {},
  summary: [],
  productionData: [],
  price: { base: 100, lines: [], rounding: 0, total: 150, currency: "EUR" },
  images: {},
  thumbnail: "https://i.example.com/1",
  createdAt: "2026-01-01T00:00:00.000+00:00",
  orderedAt: "2026-01-02T00:00:00.000+00:00",
  ...fields,
})

const fixed =
  "1,#1027,2026-01-02T00:00:00.000+00:00,l-1,d-1,ordered,2026-01-01T00:00:00.000+00:00,101,Ring,2,100,150,EUR"

const lineOf = (productionData: Design["productionData"], keys: ReadonlyArray<string>) =>
  designLine(design({ productionData }), new Set(keys))

describe("A design in a table", () => {
  it("MUST be a line of RFC 4180, with a cell for each production key of the table (D75)", () => {
    expect(headerLine(["METAL", "a,b"])).toBe(
      "order_id,order_name,ordered_at,line_item_id,design_id,status,created_at,customizer_id,customizer_title," +
        'customizer_version,price_base,price_total,currency,production.METAL,"production.a,b"\r\n',
    )
    const entries = [
      { key: "TEXT", value: 'Say "hi",\nAda' },
      { key: "METAL", value: "AU585" },
      { key: "BADGES", values: ["a", "b"] },
      { key: "BADGES", value: "c" },
    ]
    expect(lineOf(entries, ["METAL", "NONE", "TEXT", "BADGES", "constructor"])).toBe(
      `${fixed},AU585,,"Say ""hi"",\nAda",a; b; c,\r\n`,
    )
    const draft = design({ order: null, orderedAt: null, status: "draft" })
    expect(designLine(draft, new Set())).toBe(",,,,d-1,draft,2026-01-01T00:00:00.000+00:00,101,Ring,2,100,150,EUR\r\n")
  })

  it("MUST have no line in a table that lacks one of its production keys", () => {
    expect(lineOf([{ key: "METAL", value: "AU585" }], ["STONE"])).toBeUndefined()
  })
})

describe("A text of a table", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["\tx", "'\tx"],
    ["\rx", '"\'\rx"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ["1=1", "1=1"],
    ["a-b", "a-b"],
  ])("MUST begin with an apostrophe if a spreadsheet would take it for a formula: %j", (value, cell) => {
    expect(lineOf([{ key: "T", value }], ["T"])).toBe(`${fixed},${cell}\r\n`)
  })
})
