import { expect, it } from "@effect/vitest"
import type { Design } from "../../model/catalog/Design.ts"
import { heading, row } from "./DesignTable.ts"

const design = (text: string) =>
  ({
    ...{ id: "d-1", status: "draft", order: null, orderedAt: null, createdAt: "2026-10-01T00:00:00.000Z" },
    customizer: { id: 1, title: "Ring", version: 1 },
    price: { total: 100, currency: "EUR" },
    productionData: [{ key: "TEXT", value: text }],
  }) as unknown as Design

/** The field of a text in the line of its design. */
const fieldOf = (text: string): string => row(design(text), ["TEXT"]).split(",EUR,")[1]?.slice(0, -2) ?? ""

it.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
  "MUST put an apostrophe in front of a text that begins with %j (D75)",
  (first) => expect(fieldOf(`${first}1`).replaceAll('"', "")).toBe(`'${first}1`),
)

it.each([" =1", "\u00a0+1", "\u200b-1", "\ufeff@1", "\u2060 \u3000=1", "\u00ad\u180e=1", "\u202e=1", "\0=1"])(
  "MUST do so for one that blanks or invisible characters hide: %j (D75)",
  (text) => expect(fieldOf(text)).toBe(`'${text}`),
)

it("MUST write amounts with the decimals of their currency (D75)", () => {
  const priced = (total: number, currency: string) =>
    row({ ...design("a"), price: { total, currency } } as unknown as Design, [])
      .split(",")
      .slice(-2)[0]
  expect([priced(12_900, "EUR"), priced(5, "EUR"), priced(0, "EUR"), priced(-150, "EUR")]).toEqual([
    ...["129.00", "0.05", "0.00", "-1.50"],
  ])
  expect([priced(12_900, "JPY"), priced(12_900, "KWD")]).toEqual(["12900", "12.900"])
  expect(priced(Number.MAX_SAFE_INTEGER, "EUR")).toBe("90071992547409.91")
})

it("MUST write values of one key so that one with a separator can be told from two (D75)", () => {
  const several = (...lists: ReadonlyArray<ReadonlyArray<string>>) => {
    const productionData = lists.map((values) => ({ key: "TEXT", values }))
    return row({ ...design(""), productionData } as unknown as Design, ["TEXT"])
      .split(",EUR,")[1]
      ?.slice(0, -2)
  }
  expect(several(["a", "b"])).toBe("a; b")
  expect(several(["a"], ["b"])).toBe("a; b")
  const fields = [several(["a; b"]), several(["a; b", "c"]), several(['"a', 'b"']), several(['"a; b"'])]
  expect(fields).toEqual(['"""a; b"""', '"""a; b""; c"', '"""""""a""; b"""', '"""""""a; b"""""""'])
  expect(new Set([...fields, several(["a", "b"])]).size).toBe(fields.length + 1)
})

it("MUST begin with a byte order mark, by which spreadsheets know the encoding (D75)", () =>
  expect(heading(["TEXT"], false)).toMatch(/^\ufeffdesign_id,.*,production\.TEXT\r\n$/))

it("MUST leave other texts as they are, in quotes if they have a comma, a quote or a line break (D75)", () => {
  expect(["a=1", "Jo", "'Jo", "a,b", 'a"b', "a\nb"].map(fieldOf)).toEqual([
    ...["a=1", "Jo", "'Jo", '"a,b"', '"a""b"', '"a\nb"'],
  ])
})

it("MUST have every value of a production key, in the order of the design, whichever entries lie between (D75)", () => {
  const entries = [
    { key: "STONE", value: "ruby" },
    { key: "TEXT", value: "Jo" },
    { key: "STONE", values: ["opal", "jade"] },
    { key: "SIZE", value: "54" },
    { key: "STONE", value: "onyx" },
  ]
  const line = row({ ...design(""), productionData: entries } as unknown as Design, ["SIZE", "STONE", "TEXT"])
  const fields = line.split(",EUR,")[1]?.slice(0, -2).split(",") ?? []
  expect([fields[0], fields[2]]).toEqual(["54", "Jo"])
  const places = ["ruby", "opal", "jade", "onyx"].map((value) => fields[1]?.indexOf(value) ?? -1)
  expect(places).toEqual(places.filter((place) => place >= 0).toSorted((one, other) => one - other))
})
