import { Result } from "effect"
import { expect, it } from "vitest"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { maximumDefinition, maximumSelection } from "./JsonSize.ts"
import { parseJson } from "./ParseJson.ts"

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

it.each([
  ["lists", nested("[", "]", 128), nested("[", "]", 129)],
  ["objects", nested('{"a":[', "]}", 64), nested('{"a":[', "]}", 65)],
  ["a list without an end", "", "[".repeat(2_000_000)],
])("JSON MUST be nested 128 levels at most: %s (D38a)", (_name, right, wrong) => {
  if (right !== "") expect(parseJson(right)).toEqual(Result.succeed(JSON.parse(right)))
  expect(parseJson(wrong)).toEqual(Result.fail("The JSON is nested more than 128 levels deep"))
})

it.each([
  ["lists", (count: number) => `[${Array(count).fill("[]").join(",")}]`, 75_000],
  ["numbers", (count: number) => `[${Array(count).fill("1").join(",")}]`, 150_000],
  ["keys", (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(",")}}`, 150_000],
])(
  "JSON MUST have 150,000 values at most, which is looked at before anything is parsed: %s (D38a)",
  (_name, json, most) => {
    expect(Result.isSuccess(parseJson(json(most)))).toBe(true)
    expect(parseJson(json(most + 1))).toEqual(Result.fail("The JSON has more than 150000 values"))
    // Nothing tries to parse it: that would fail.
    expect(parseJson(`${json(most + 1)},}`)).toEqual(Result.fail("The JSON has more than 150000 values"))
  },
)

it("texts MUST NOT count, whatever they are made of", () => {
  for (const text of ['[{,"'.repeat(200_000), "\\", '\\"', "\\\\".repeat(3), '"[', ",".repeat(200_000)]) {
    const json = JSON.stringify({ [text]: [text, text] })
    expect(parseJson(json)).toEqual(Result.succeed(JSON.parse(json)))
  }
})

it("anything else that is not JSON MUST be undefined", () => {
  for (const text of ["", "{", "}", "]]]", '"', '"\\', "\u00e9", "[1,]"]) {
    expect(parseJson(text)).toEqual(Result.fail(undefined))
  }
})

it("the largest input of every kind MUST be taken (D38a)", () => {
  const lines = Array.from({ length: 500 }, (_, index) => ({
    id: index + 1,
    properties: Object.fromEntries(Array.from({ length: 10 }, (_, name) => [`property ${name}`, "x".repeat(40)])),
  }))
  const definition = { steps: Array.from({ length: 200 }, (_, id) => ({ id: `s${id}`, title: "Step" })) }
  const padding = (json: string, size: number) => JSON.stringify(Array(Math.floor((size - json.length) / 4)).fill("x"))
  for (const json of [
    JSON.stringify(shopifyOrder({ id: 1, lines })),
    JSON.stringify(wooCommerceOrder({ id: 1, lines })),
    // The shortest texts that a list can have.
    padding(JSON.stringify(definition), maximumDefinition),
    padding("{}", maximumSelection),
  ]) {
    expect(Result.isSuccess(parseJson(json))).toBe(true)
  }
})
