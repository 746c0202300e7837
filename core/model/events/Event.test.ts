import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { reader } from "../Input.ts"
import type { Shop } from "../shops/Shop.ts"
import * as Event from "./Event.ts"

const happening: Event.Happening = {
  id: "evt_1",
  event: "design.ordered",
  now: Date.UTC(2026, 9, 5, 14, 48, 0, 7),
  data: Event.designData('{"id":"d"}'),
}

const shop: Shop = {
  id: "demo",
  domain: "demo.example.com",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://images.example.com",
}

/** The envelope of an event. */
const envelope = (changes: Partial<Event.Happening> = {}, domain = shop.domain): string =>
  Event.eventOf({ ...shop, domain }, { ...happening, ...changes }).body

describe("envelope", () => {
  it("MUST have the fields of the specification in its order, and no others (D10, §2.5-2 to §2.5-5, §9-2)", () => {
    expect(envelope()).toBe(
      '{"id":"evt_1","event":"design.ordered","apiVersion":"2026-10","createdAt":"2026-10-05T14:48:00.007+00:00","shop":"demo.example.com","data":{"design":{"id":"d"}},"test":false}',
    )
  })

  it("MUST always have test, true on test events (§2.5, D21, §2.5-7)", () => {
    expect(envelope({ test: true })).toMatch(/,"test":true\}$/)
    expect(envelope()).toMatch(/,"test":false\}$/)
  })

  it("MUST carry the bytes of a design as the REST API shows it, not the same value written again (D10, D21, §1-5)", () => {
    const wire = '{"z":1,"a":1.0,"n":12345678901234567890,"line":"F\\u00fcr \u2665 \u{1f48d}","data":"}"}'
    expect(envelope({ data: Event.designData(wire) })).toContain(`"data":{"design":${wire}},"test"`)
  })

  it("MUST be JSON whatever the texts in it are (§2.5)", () => {
    const domain = 'a"b\\c\n","data":{}'
    expect(JSON.parse(envelope({}, domain)).shop).toBe(domain)
  })
})

describe("data", () => {
  it("MUST be {design}, {order} and {message} (§6, §2.5-6)", () => {
    expect(Event.designData('{"id":"d"}')).toBe('{"design":{"id":"d"}}')
    expect(Event.orderData('{"id":"o"}')).toBe('{"order":{"id":"o"}}')
    expect(Event.pingData('say "hi"')).toBe('{"message":"say \\"hi\\""}')
  })
})

describe("kinds", () => {
  it("MUST leave out design.created unless it is asked for (§6, D31)", () => {
    expect(Event.defaultKinds).toEqual(["design.ordered", "order.cancelled"])
  })

  it("MUST let an endpoint choose every kind but ping (§6, D31)", () => {
    const read = reader(Event.EndpointKind)
    for (const kind of ["design.ordered", "order.cancelled", "design.created"]) {
      expect(Result.getOrThrow(read(kind))).toBe(kind)
    }
    expect(Result.isFailure(read("ping"))).toBe(true)
    expect(Result.getOrThrow(reader(Event.EventKind)("ping"))).toBe("ping")
  })
})
