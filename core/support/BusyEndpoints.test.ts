import { describe, expect, it } from "@effect/vitest"
import { BusyEndpoints } from "./BusyEndpoints.ts"

const one = { shop: "a", endpointId: "whe_1" }
const two = { shop: "a", endpointId: "whe_2" }
const elsewhere = { shop: "b", endpointId: "whe_1" }

const holding = (...endpoints: ReadonlyArray<typeof one>): BusyEndpoints => {
  const busy = new BusyEndpoints()
  for (const endpoint of endpoints) busy.add(endpoint)
  return busy
}

describe("BusyEndpoints", () => {
  it("MUST count each endpoint of each shop separately, and list it once", () => {
    const busy = holding(one, two, one, elsewhere, one)
    expect([one, two, elsewhere].map((endpoint) => busy.ofEndpoint(endpoint))).toEqual([3, 1, 1])
    expect(["a", "b", "c"].map((shop) => busy.ofShop(shop))).toEqual([4, 1, 0])
    expect(busy.list()).toEqual([
      { ...one, attempts: 3 },
      { ...two, attempts: 1 },
      { ...elsewhere, attempts: 1 },
    ])
  })

  it("MUST leave out endpoints without claims", () => {
    const busy = holding(one, one, two, elsewhere)
    for (const endpoint of [one, two, elsewhere]) expect(busy.remove(endpoint)).toBe(true)
    expect(busy.list()).toEqual([{ ...one, attempts: 1 }])
    busy.remove(one)
    expect(busy.list()).toEqual([])
    expect(busy.ofEndpoint(one)).toBe(0)
  })

  it("MUST begin with the counts of a claim request, and add several claims at once", () => {
    const busy = new BusyEndpoints([
      { ...one, attempts: 3 },
      { ...elsewhere, attempts: 1 },
    ])
    busy.add(one)
    busy.add(two, 2)
    expect([one, two, elsewhere].map((endpoint) => busy.ofEndpoint(endpoint))).toEqual([4, 2, 1])
    expect(busy.ofShop("a")).toBe(6)
  })

  it("MUST ignore the end of a claim that it does not count", () => {
    const busy = holding(one)
    for (const endpoint of [two, elsewhere]) expect(busy.remove(endpoint)).toBe(false)
    expect(busy.list()).toEqual([{ ...one, attempts: 1 }])
  })
})
