/** Content that cases find in a shop that they did not fill. */
import { Effect, type Redacted } from "effect"
import { CaseSkipped } from "../runner/CaseSkipped.ts"
import { objectOf, objectsOf, readPage, textOf } from "./Asking.ts"
import { ObservedShops } from "./ServiceCase.ts"

/** The token of the shop to look at. */
export const observed = Effect.gen(function* () {
  return (yield* (yield* ObservedShops).first).token
})

/** The token of the other shop. */
export const otherObserved = Effect.gen(function* () {
  return (yield* (yield* ObservedShops).other).token
})

/** An order of the shop, one of its designs and that design's customizer, with their addresses. */
export const someObjects = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
  const { orders } = yield* readPage(token, "?limit=1")
  const [order] = orders
  if (order === undefined) return yield* new CaseSkipped({ message: "the shop has no order to look at" })
  const [design] = yield* objectsOf("designs of the order", order["designs"])
  if (design === undefined) return yield* new CaseSkipped({ message: "the newest order has no design to look at" })
  const customizer = yield* objectOf("customizer of the design", design["customizer"])
  return {
    order: `/orders/${encodeURIComponent(yield* textOf("id of the order", order["id"]))}`,
    design: `/designs/${encodeURIComponent(yield* textOf("id of the design", design["id"]))}`,
    customizer: `/customizers/${String(customizer["id"])}`,
    orderedAt: yield* textOf("orderedAt of the order", order["orderedAt"]),
  }
})
