import type { OrderLines } from "../../model/orders/OrderLine.ts"
import { planOf } from "./Decide.ts"
import type { PlatformOrder } from "./Reading.ts"

/**
 * The lines with which an order is placed that seems to be new and whose designs seem to be drafts; `undefined` if
 * there is more to decide, or nothing to place. `lines`: those to be stored, if they say more than the designs.
 */
export const newOrder = (order: PlatformOrder) => {
  if (order.parentId !== null || order.note !== null || order.lines.some(({ problem }) => problem !== null))
    return undefined
  const draft = { isDraft: true, orderId: null, isInCurrency: true, isRedacted: false, isOfWhole: false }
  const known = new Map(order.lines.map(({ designId }) => [designId ?? "", draft]))
  const stage = { kind: "make", words: "" } as const
  const plan = planOf({ order, stage, held: undefined, known, copies: false, isByHand: false })
  if (plan.links.length === 0 || plan.held.length > 0) return undefined
  const lines = plan.lines.flatMap(({ designId, ...line }) => (designId === null ? [] : [{ ...line, designId }]))
  const isImplied = lines.length === plan.links.length && lines.every(({ quantity }) => quantity === 1)
  const stored: OrderLines | undefined = isImplied ? undefined : { order: order.id, parent: null, lines }
  return { links: plan.links, lines: stored }
}
