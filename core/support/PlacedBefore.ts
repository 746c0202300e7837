/** Reports that contradict an order that was placed before, and the words that refuse them (D6, D81). */
import { Effect } from "effect"
import { fromWire } from "../model/catalog/Design.ts"
import { Conflict, type Difference, refusedAt } from "../model/Errors.ts"
import { format, type Instant } from "../model/Instant.ts"
import * as Order from "../model/orders/Order.ts"
import { linesOf, type OrderLines } from "../model/orders/OrderLine.ts"
import type { OrderWithDesigns } from "../ports/OrderStore.ts"

interface Line {
  readonly designId: string
  readonly lineItemId: string
}

/** A conflict with what is stored, which also says so to programs. */
export const differing = (message: string, conflict: Difference) => new Conflict({ message, conflict })

/** A placed order is a fact: a report may repeat its data and its lines, but not change them (D6). */
export const refuseOtherContent = Effect.fnUntraced(function* (
  existing: OrderWithDesigns,
  again: { readonly name: string; readonly orderedAt: Instant; readonly lines: ReadonlyArray<Line> },
) {
  const before = Order.fromHead(existing.order.head)
  const order = `The order ${JSON.stringify(existing.order.id)} was placed with`
  if (before.name !== again.name) {
    const [held, given] = [before.name, again.name]
    const message = `${order} the name ${JSON.stringify(held)}, which can't be changed to ${JSON.stringify(given)}`
    return yield* differing(message, { field: "name", held, given })
  }
  if (existing.order.orderedAt !== again.orderedAt) {
    const [held, given] = [before.orderedAt, format(again.orderedAt)]
    const message = `${order} the time (orderedAt) ${held}, which can't be changed to ${given}`
    return yield* differing(message, { field: "orderedAt", held, given })
  }
  const lines = new Map(again.lines.map((line) => [line.designId, line.lineItemId]))
  for (const { id: designId, wire } of existing.designs) {
    const given = lines.get(designId)
    const held = fromWire(wire).order?.lineItemId ?? ""
    if (given !== undefined && given !== held) {
      const where = `the design ${JSON.stringify(designId)} on the line item ${JSON.stringify(held)}`
      const message = `${order} ${where}, which can't be changed to ${JSON.stringify(given)}`
      return yield* differing(message, { field: "lineItemId", designId, held, given })
    }
  }
})

/** A line has at most one design (D81). Lines that were placed before stay as they are. */
export const refuseSharedLines = Effect.fnUntraced(function* (
  { lines, orderId }: { readonly lines: ReadonlyArray<Line>; readonly orderId: string },
  existing: { readonly designs: OrderWithDesigns["designs"]; readonly lines: OrderLines | undefined } | undefined,
) {
  const linked = new Set(existing?.designs.map(({ id }) => id))
  const held = new Map(
    linesOf(existing?.designs ?? [], existing?.lines).map((line) => [line.lineItemId, line.designId]),
  )
  const byLine = Map.groupBy(lines, ({ lineItemId }) => lineItemId)
  for (const [index, { designId, lineItemId }] of lines.entries()) {
    if (linked.has(designId)) continue
    const line = `The line item ${JSON.stringify(lineItemId)}`
    const named = (byLine.get(lineItemId) ?? []).map((each) => JSON.stringify(each.designId))
    const other = held.get(lineItemId)
    const path = `lines[${index}].designId`
    if (named.length > 1) return yield* refused(path, `${line} has the designs ${named.join(" and ")}`)
    if (other !== undefined) {
      const of = `of the order ${JSON.stringify(orderId)} has the design ${JSON.stringify(other)}`
      return yield* refused(path, `${line} ${of}, and can't have ${JSON.stringify(designId)}`)
    }
  }
})

const refused = (path: string, shared: string) => refusedAt(path, `${shared}: a line has at most one design`)
