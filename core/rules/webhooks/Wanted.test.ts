import { describe, expect, it } from "vitest"
import type { EventKind } from "../../model/events/Event.ts"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import { isWanted } from "./Wanted.ts"

const designOf = (id: number) => ({ customizer: { id } })
const bodyOf = (data: object) => JSON.stringify({ data })
const one = bodyOf({ design: designOf(7) })
const order = bodyOf({ order: { designs: [designOf(7), designOf(8)] } })

const wants = (event: EventKind, body: string, customizers: ReadonlyArray<number> | null) =>
  isWanted({ event, body }, { kinds: ["design.ordered", "order.cancelled"], options: { ...usualOptions, customizers } })

describe("The events that an endpoint wants (D76)", () => {
  it("MUST be all of its kinds if it names no customizers, without a look at them (D76)", () => {
    expect(wants("design.ordered", "not read", null)).toBe(true)
    expect(wants("design.created", "not read", null)).toBe(false)
  })

  it("MUST show a design of a customizer that it names (D76)", () => {
    expect([[7], [8, 7], [8], [70]].map((ids) => wants("design.ordered", one, ids))).toEqual([true, true, false, false])
    expect(wants("design.created", one, [7])).toBe(false)
  })

  it("MUST show one such design at least, if they are about an order (D76)", () => {
    expect([[7], [8], [9]].map((ids) => wants("order.cancelled", order, ids))).toEqual([true, true, false])
    expect(wants("order.cancelled", bodyOf({ order: { designs: [] } }), [7])).toBe(false)
  })
})
