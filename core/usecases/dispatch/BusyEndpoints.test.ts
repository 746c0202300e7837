import { describe, expect, it } from "@effect/vitest"
import { BusyEndpoints } from "./BusyEndpoints.ts"

const one = { shop: "a", endpointId: "whe_1" }
const two = { shop: "a", endpointId: "whe_2" }
const elsewhere = { shop: "b", endpointId: "whe_1" }

describe("BusyEndpoints", () => {
  it("MUST count each endpoint of each shop apart, and list it once", () => {
    const busy = new BusyEndpoints()
    for (const claim of [one, two, one, elsewhere, one]) busy.add(claim)
    expect([one, two, elsewhere].map((endpoint) => busy.count(endpoint))).toEqual([3, 1, 1])
    expect(busy.list()).toEqual([
      { ...one, attempts: 3 },
      { ...two, attempts: 1 },
      { ...elsewhere, attempts: 1 },
    ])
  })

  it("MUST leave out endpoints of which nothing is held any more", () => {
    const busy = new BusyEndpoints()
    for (const claim of [one, one, two, elsewhere]) busy.add(claim)
    for (const claim of [one, two, elsewhere]) busy.remove(claim)
    expect(busy.list()).toEqual([{ ...one, attempts: 1 }])
    busy.remove(one)
    expect(busy.list()).toEqual([])
    expect(busy.count(one)).toBe(0)
  })

  it("MUST ignore the end of a claim that it does not count", () => {
    const busy = new BusyEndpoints()
    busy.add(one)
    for (const claim of [two, elsewhere]) busy.remove(claim)
    expect(busy.list()).toEqual([{ ...one, attempts: 1 }])
  })
})
