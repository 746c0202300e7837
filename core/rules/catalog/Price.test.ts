import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import {
  answer,
  definitionOf,
  evaluated,
  everyDefinition,
  problemsOf,
  questions,
  run,
} from "../../../conformance/testkit/definitions/Evaluations.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import type { EvaluationInput } from "./Evaluation.ts"

describe("the price", () => {
  const priced = (...prices: ReadonlyArray<number>): Definition =>
    definitionOf(prices.map((price, index) => ({ id: `t${index}`, step: "s", title: "", type: "text", price })))
  const chosen = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, { text: "x" }]))
  const priceOf = (prices: ReadonlyArray<number>, input: Partial<EvaluationInput>) => {
    const selection = Object.fromEntries(Object.entries(chosen).slice(0, prices.length))
    return run(priced(...prices), selection, input).pipe(Result.map(({ price }) => price))
  }

  it.each([
    [1_002, 5, -2, 1_000],
    [1_003, 5, 2, 1_005],
    [1_005, 10, 5, 1_010],
    [1_004, 10, -4, 1_000],
    [0, 100, 0, 0],
    [49, 100, -49, 0],
    [50, 100, 50, 100],
    [1, Number.MAX_SAFE_INTEGER, -1, 0],
    [2 ** 52 - 1, Number.MAX_SAFE_INTEGER, -(2 ** 52 - 1), 0],
    [2 ** 52, Number.MAX_SAFE_INTEGER, 2 ** 52 - 1, Number.MAX_SAFE_INTEGER],
  ])("MUST round %d in steps of %d by %d", (basePrice, roundingStep, rounding, total) => {
    expect(Result.getOrThrow(priceOf([], { basePrice, roundingStep }))).toEqual({
      base: basePrice,
      lines: [],
      rounding,
      total,
      currency: "EUR",
    })
  })

  it("MUST NOT fall below 0: the rounding line compensates", () => {
    expect(Result.getOrThrow(priceOf([-703], { basePrice: 300, roundingStep: 5 }))).toMatchObject({
      rounding: 403,
      total: 0,
    })
  })

  it("MUST never be -0", () => {
    const price = Result.getOrThrow(priceOf([-5], { basePrice: 5 }))
    expect(Object.values(price).filter((value) => Object.is(value, -0))).toEqual([])
    const zero = definitionOf([{ ...questions.one, answers: [answer("a", { price: -0, variantId: "v" })] }])
    expect(evaluated(zero, { one: "a" }, { basePrice: -0 }).price).toEqual({
      base: 0,
      lines: [{ q: "one", a: "a", amount: 0, variantId: "v" }],
      rounding: 0,
      total: 0,
      currency: "EUR",
    })
  })

  const most = Number.MAX_SAFE_INTEGER

  it("MUST be refused exactly if the sum leaves ±(2^53 − 1) (F-39)", () => {
    expect(Result.getOrThrow(priceOf([1], { basePrice: most - 1 })).total).toBe(most)
    expect(Result.getOrThrow(priceOf([1, -1], { basePrice: most })).total).toBe(most)
    // Floating point loses precision on the way: 2^53 + 3 is not representable.
    expect(Result.getOrThrow(priceOf([1, 3, -4], { basePrice: most })).total).toBe(most)
    expect(Result.getOrThrow(priceOf([-most], { basePrice: 0 }))).toMatchObject({ rounding: most, total: 0 })
    for (const prices of [[1], [most], [most, most, -most], [1, 1, -1], [2]]) {
      expect(Result.getOrThrow(Result.flip(priceOf(prices, { basePrice: most }))).listed).toEqual([
        { path: "price", message: expect.stringContaining("2^53") },
      ])
    }
    expect(Result.isFailure(priceOf([-most, -1], { basePrice: 0 }))).toBe(true)
  })

  it("MUST be refused if rounding leaves ±(2^53 − 1) (F-39)", () => {
    expect(Result.isFailure(priceOf([], { basePrice: most, roundingStep: 10 }))).toBe(false)
    expect(Result.isFailure(priceOf([], { basePrice: most - 1, roundingStep: 2 ** 52 + 1 }))).toBe(true)
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("MUST refuse a base price of %d (F-34)", (basePrice) => {
    expect(problemsOf(everyDefinition, {}, { basePrice })).toEqual([
      { path: "basePrice", message: expect.stringMatching(/ integer number of cents, 0 or more, not -?[\dN]/) },
    ])
  })

  it.each([0, -5, 0.5, Number.NaN, 2 ** 53])("MUST refuse a rounding step of %d", (roundingStep) => {
    expect(problemsOf(everyDefinition, {}, { roundingStep })).toEqual([
      { path: "roundingStep", message: expect.stringMatching(/ integer number of cents, 1 or more, not -?[\dN]/) },
    ])
  })
})
