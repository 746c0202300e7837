import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { memberOf, replaceMembers, split } from "./JsonText.ts"

const values = Arbitrary.array(Arbitrary.schema(Schema.Tuple([Schema.String, Schema.Json])), {
  minLength: 1,
  maxLength: 8,
})
const samples = Arbitrary.sampleEffect(values, { count: 500, seed: 2026, size: 20 })

/** Written as given: an object of JavaScript would put some names first. */
const objectOf = (entries: ReadonlyArray<readonly [string, string]>): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`

describe("JsonText", () => {
  it.effect("MUST take any array apart into the texts of its elements", () =>
    Effect.gen(function* () {
      for (const sample of yield* samples) {
        const texts = sample.map(([, value]) => JSON.stringify(value))
        expect(split(`[${texts.join(",")}]`)).toEqual(texts)
      }
    }),
  )

  it.effect("MUST replace the value of one member of any object, and nothing else", () =>
    Effect.gen(function* () {
      for (const sample of yield* samples) {
        const entries = sample.map(
          ([name, value], index) => [`${name}${sample.length - index}`, JSON.stringify(value)] as const,
        )
        for (const [index, [name, value]] of entries.entries()) {
          expect(memberOf(objectOf(entries), name)).toBe(value)
          const replaced = objectOf(entries.with(index, [name, '"another"']))
          expect(replaceMembers(objectOf(entries), new Map([[name, '"another"']]))).toBe(replaced)
        }
      }
    }),
  )

  it("MUST NOT find a member that is nested deeper or only part of a text", () => {
    const text = '{"a":{"x":1},"b":"\\"x\\":2","c":["x"]}'
    expect(memberOf(text, "x")).toBeUndefined()
    expect(memberOf(text, "c")).toBe('["x"]')
    expect([split("{}"), split("[]")]).toEqual([[], []])
  })
})
