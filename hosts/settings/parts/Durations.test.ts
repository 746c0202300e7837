import { expect, it } from "@effect/vitest"
import { durationBounds, ofAttempt, sum } from "../../../core/model/webhooks/AttemptCounts.ts"
import { english } from "../texts/English.ts"
import { german } from "../texts/German.ts"
import { medianOf, withinOf } from "./Durations.ts"

const of = (...durations: ReadonlyArray<number>) => sum(durations.map((each) => ofAttempt(each, "succeeded")))

it("Times MUST be as exact as the classes that they are counted in, in both languages (D60)", () => {
  expect([3, 60, 1500, 2500, 9000].map((each) => medianOf(of(each), english))).toEqual([
    ...["up to 5 ms", "about 60 ms", "about 1.4 s", "about 3 s", "over 5 s"],
  ])
  expect([60, 2500, 9000].map((each) => withinOf(of(each), english))).toEqual(["75 ms", "5 s", "over 5 s"])
  expect([medianOf(of(), english), withinOf(of(), english)]).toEqual(["–", "–"])
  expect([3, 1500, 9000].map((each) => medianOf(of(each), german.texts))).toEqual([
    ...["bis 5 ms", "etwa 1,4 s", "über 5 s"],
  ])
})

it("The time that is shown for a median MUST be in its class (D60)", () => {
  for (const [index, most] of durationBounds.entries()) {
    if (index === 0) continue
    const [, number = "", unit] = /about ([\d.]+) (m?s)/.exec(medianOf(of(most), english)) ?? []
    const shown = Number(number) * (unit === "s" ? 1000 : 1)
    expect([most, shown > (durationBounds[index - 1] ?? 0) && shown <= most]).toEqual([most, true])
  }
})
