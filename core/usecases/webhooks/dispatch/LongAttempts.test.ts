import { describe, expect, it } from "@effect/vitest"
import { testClaim } from "../../../../conformance/testkit/workers/TestClaim.ts"
import { LongAttempts } from "./LongAttempts.ts"

const newcomer = (deliveryId: string, body = "{}") => testClaim({ deliveryId, proven: false, body })
const ids = (claims: ReturnType<LongAttempts["leave"]>) => claims.map(({ deliveryId }) => deliveryId)

describe("LongAttempts (D45)", () => {
  it("MUST let the oldest attempts at newcomers leave, some at once, and no others", () => {
    const long = new LongAttempts(64)
    long.begin(testClaim({ deliveryId: "proven" }))
    long.begin(testClaim({ deliveryId: "troubled", proven: false, troubled: true }))
    const all = Array.from({ length: 8 }, (_, index) => newcomer(`${index}`))
    for (const claim of all) long.begin(claim)
    expect(all[1] !== undefined && long.end(all[1])).toBe(false)
    expect(ids(long.leave())).toEqual(["0", "2", "3", "4", "5"])
    expect(ids(long.leave())).toEqual(["6", "7"])
    expect(ids(long.leave())).toEqual([])
    expect(all[2] !== undefined && long.end(all[2])).toBe(true)
    expect(all[2] !== undefined && long.end(all[2])).toBe(false)
  })

  it("MUST let no more leave than eight for each slot, until one of them ends", () => {
    const long = new LongAttempts(1)
    const all = Array.from({ length: 10 }, (_, index) => newcomer(`${index}`))
    for (const claim of all) long.begin(claim)
    for (let time = 0; time < 8; time++) expect(ids(long.leave())).toEqual([`${time}`])
    expect(long.leave()).toEqual([])
    expect(all[3] !== undefined && long.end(all[3])).toBe(true)
    expect(ids(long.leave())).toEqual(["8"])
  })

  it("MUST let none leave whose body is more than fits alongside those of the others that left", () => {
    const long = new LongAttempts(64)
    const half = "x".repeat(32 * 1024 * 1024)
    const [one, two, three] = [newcomer("1", half), newcomer("2", half), newcomer("3", "x")]
    for (const claim of [one, two, three]) long.begin(claim)
    expect(ids(long.leave())).toEqual(["1", "2"])
    expect(long.leave()).toEqual([])
    long.end(two)
    expect(ids(long.leave())).toEqual(["3"])
  })
})
