/** The lines of an order: which design is on which line, and how many pieces of it (D81). */
import { Schema } from "effect"
import { type Design, fromWire } from "../catalog/Design.ts"
import { DesignId, LineItemId } from "../Ids.ts"
import { means } from "../Means.ts"

/** A line as it is stored. A line of 0 pieces is gone: its platform has removed it. */
export interface OrderLine {
  readonly lineItemId: string
  readonly designId: string
  readonly quantity: number
  /** The design of another order, or an earlier one of this order, that the design of this line was copied from. */
  readonly copyOf: string | null
}

/** The lines of an order, by design in the order of the designs. They replace those that were stored before. */
export interface OrderLines {
  /** The order's id. */
  readonly order: string
  /** The order that this one is a part of, as its platform says; `null` if it is a whole one. */
  readonly parent: string | null
  readonly lines: ReadonlyArray<OrderLine>
}

/** A line of an order as readers see it (D81). */
export const LineOfOrder = Schema.Struct({
  lineItemId: means("The id of the line on the platform", LineItemId),
  designId: means("The design of the line", DesignId),
  copyOf: means(
    "The design of which this one is a copy, for a reorder; null for the buyer's own",
    Schema.NullOr(DesignId),
  ),
  quantity: means("The pieces to be made, as reported last; 0 once the platform has removed the line", Schema.Int),
  status: means(
    "Whether the design of the line is ordered or was cancelled",
    Schema.Literals(["draft", "ordered", "cancelled"]),
  ),
}).annotate({ identifier: "OrderLine", description: "A line of an order, with its design and how many pieces of it" })
export type LineOfOrder = typeof LineOfOrder.Type

/** The lines of an order, in the order of its designs, then as reported. */
export const LinesOfOrder = Schema.Struct({ data: Schema.Array(LineOfOrder) }).annotate({
  identifier: "OrderLines",
  description: "The lines of an order that have a design",
})
export type LinesOfOrder = typeof LinesOfOrder.Type

/** A design of an order, as far as its lines are concerned. */
type Held = { readonly id: string } & ({ readonly wire: string } | Pick<Design, "order">)

const lineItemOf = (held: Held): string | undefined => ("wire" in held ? fromWire(held.wire) : held).order?.lineItemId

/** The line that a design has in its order if nothing else is stored: one piece on its line item. */
const impliedLine = (held: Held): OrderLine => ({
  lineItemId: lineItemOf(held) ?? held.id,
  designId: held.id,
  quantity: 1,
  copyOf: null,
})

/** The lines of an order's designs: those that are stored, and implied ones. */
export const linesOf = (designs: ReadonlyArray<Held>, stored: OrderLines | undefined): ReadonlyArray<OrderLine> => {
  const byDesign = Map.groupBy(stored?.lines ?? [], ({ designId }) => designId)
  return designs.flatMap((design) => byDesign.get(design.id) ?? [impliedLine(design)])
}
