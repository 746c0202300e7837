import { expect, it } from "@effect/vitest"
import type { Design } from "../../model/Design.ts"
import { row } from "./DesignTable.ts"

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
