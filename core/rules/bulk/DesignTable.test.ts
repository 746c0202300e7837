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
