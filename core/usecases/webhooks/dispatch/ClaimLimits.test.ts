import { describe, expect, it } from "@effect/vitest"
import { testClaim } from "../../../../conformance/testkit/workers/TestClaim.ts"
import type { Attempt } from "../../../model/webhooks/Delivery.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"
import { ClaimLimits } from "./ClaimLimits.ts"

const claim = (endpointId: string, proven = true): Claim => testClaim({ shop: "s", endpointId, proven })

/** The shops that a claim names. */
const all = { newcomer: ["s"], troubled: ["s"], proven: ["s"] }

/** An attempt, settled. */
const settlement = (claim: Claim, attempt: Partial<Attempt>) => ({
  claim,
  attempt: { number: 1, at: 0, durationMs: 1, statusCode: 200, error: null, responseStart: "", ...attempt },
  status: "succeeded" as const,
  nextAttemptAt: null,
})

/** The limits of a worker with 8 slots, 4 of them for one shop, that holds claims. */
const holding = (perEndpoint: number, ...claims: ReadonlyArray<Claim>) => {
  const limits = new ClaimLimits({ concurrency: 8, perEndpoint })
  limits.add(claims)
  return limits
}

describe("ClaimLimits (D45)", () => {
  it("MUST be half of the slots for a shop, and what is left of it for endpoints that are not proven", () => {
    expect(holding(3).begin(all)).toEqual({
      perShop: 4,
      perEndpoint: 3,
      probation: { limit: 4, troubled: 2, perEndpoint: 1 },
      busy: [],
    })
    const limits = holding(3, claim("whe_1"), claim("whe_2", false), claim("whe_1"))
    expect(limits.begin(all)).toMatchObject({
      probation: { limit: 3 },
      busy: [
        { shop: "s", endpointId: "whe_1", attempts: 2 },
        { shop: "s", endpointId: "whe_2", attempts: 1 },
      ],
    })
    expect(holding(9, ...Array(5).fill(claim("whe_1", false))).begin(all).probation.limit).toBe(0)
  })

  it("MUST name the shop when a claim ends whose endpoint was at its limit", () => {
    const limits = holding(2, claim("whe_1"), claim("whe_1"))
    expect(limits.remove([claim("whe_1")])).toEqual(["s"])
    expect(limits.remove([claim("whe_1")])).toEqual([])
    expect(holding(2, claim("whe_1", false)).remove([claim("whe_1", false)])).toEqual(["s"])
  })

  it("MUST name the shop when a claim ends that was at its limit", () => {
    const limits = holding(8, ...["whe_1", "whe_2", "whe_3", "whe_4"].map((id) => claim(id)))
    expect(limits.remove([claim("whe_1")])).toEqual(["s"])
    expect(limits.remove([claim("whe_2")])).toEqual([])
    expect(limits.begin(all).busy).toHaveLength(2)
  })

  it("MUST count every claim that ends, whichever of them made room", () => {
    const limits = holding(2, claim("whe_1"), claim("whe_1"), claim("whe_2"))
    expect(limits.remove([claim("whe_2"), claim("whe_1"), claim("whe_1")])).toContain("s")
    expect(limits.begin(all).busy).toEqual([])
    expect(limits.remove([])).toEqual([])
  })

  it("MUST give back the share of an endpoint on probation when a claim of it ends, and only then", () => {
    const limits = holding(3, claim("whe_1", false), claim("whe_2", false), claim("whe_2"))
    limits.remove([claim("whe_2")])
    expect(limits.begin(all).probation.limit).toBe(2)
    limits.remove([claim("whe_2", false)])
    expect(limits.begin(all).probation.limit).toBe(3)
    limits.remove([claim("whe_2", false), claim("whe_1", false)])
    expect(limits.begin(all).probation.limit).toBe(4)
  })

  it("MUST leave a part of the share of endpoints that are not proven to newcomers", () => {
    const hanging = (endpointId: string) => testClaim({ shop: "s", endpointId, proven: false, troubled: true })
    const part = (concurrency: number) => new ClaimLimits({ concurrency, perEndpoint: 8 }).begin(all).probation.troubled
    expect([1, 2, 4, 8, 16, 32, 64, 128].map(part)).toEqual([1, 1, 1, 2, 4, 12, 24, 48])
    const limits = holding(3, claim("whe_1", false), hanging("whe_2"))
    expect(limits.begin(all).probation).toEqual({ limit: 2, troubled: 1, perEndpoint: 1 })
    limits.remove([hanging("whe_2")])
    expect(limits.begin(all).probation).toEqual({ limit: 3, troubled: 2, perEndpoint: 1 })
    expect(holding(3, ...Array(3).fill(hanging("whe_1"))).begin(all).probation.troubled).toBe(0)
  })

  it("MUST give back the shares of an attempt that left its slot at once and not again, and not its endpoint's", () => {
    const [long, other] = [claim("whe_1", false), claim("whe_2", false)]
    const limits = holding(3, long, other)
    limits.leave([long])
    expect(limits.begin(all)).toMatchObject({
      probation: { limit: 3 },
      busy: [{ endpointId: "whe_1" }, { endpointId: "whe_2" }],
    })
    expect(limits.remove([long])).toEqual(["s"])
    expect(limits.begin(all)).toMatchObject({ probation: { limit: 3 }, busy: [{ endpointId: "whe_2" }] })
    limits.remove([other])
    expect(limits.begin(all).probation.limit).toBe(4)
  })

  it("MUST count claims of the named shops only", () => {
    const limits = holding(3, claim("whe_1"), testClaim({ shop: "other" }))
    expect(limits.begin({ newcomer: ["s"], troubled: [], proven: ["s"] }).busy).toHaveLength(1)
    expect(limits.begin({ newcomer: [], troubled: ["s", "other"], proven: [] }).busy).toHaveLength(2)
  })

  it("MUST lower the limit of an endpoint whose attempt failed or was slow", () => {
    const attempts = [{}, { statusCode: 500 }, { durationMs: 2000 }]
    const room = attempts.map((attempt) => holding(2, claim("whe_1")).settle([settlement(claim("whe_1"), attempt)]))
    expect(room).toEqual([[], ["s"], ["s"]])
    expect(holding(2, claim("whe_1", false)).settle([settlement(claim("whe_1", false), {})])).toEqual(["s"])
  })

  it("MUST name every shop of which a claim ends while another claim is under way, within its limits or not", () => {
    const limits = holding(3, claim("whe_1"), claim("whe_2"))
    limits.begin(all)
    expect(limits.remove([claim("whe_1")])).toEqual(["s"])
    limits.add([])
    expect(limits.remove([claim("whe_2")])).toEqual([])
  })
})
