/** The sample shop of `designwire serve --demo` as input of the management API. */
import { Effect } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import customizers from "../../../hosts/cli/demo/customizers.json" with { type: "json" }
import designs from "../../../hosts/cli/demo/designs.json" with { type: "json" }
import orders from "../../../hosts/cli/demo/orders.json" with { type: "json" }
import shop from "../../../hosts/cli/demo/shop.json" with { type: "json" }
import { manage, type Send } from "../../testkit/hosts/TestHost.ts"

const without = (object: Json, ...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Its source. */
export const sampleShop = {
  id: shop.id,
  settings: without(shop, "id"),
  customizers: customizers.map((one) => ({
    id: String(one.id),
    description: without(one, "id", "definition"),
    definition: one.definition,
  })),
  designs: designs.map((one) => ({ id: one.id, input: without(one, "id") })),
  orders: orders.map((one) => ({ id: one.id, input: without(one, "id", "cancelled") })),
}

/** Sends a request to the management API; returns the body, empty if there is none. */
export type Manage = (method: string, path: string, body?: unknown) => Effect.Effect<Json>

/** Manages a host. */
export const managing =
  (send: Send): Manage =>
  (method, path, body) =>
    Effect.map(manage(send, method, path, body), (answer) => (answer.text === "" ? {} : (answer.json as Json)))

/** The part of the sample shop to use. */
type Some = Partial<Pick<typeof sampleShop, "designs" | "orders">>

/** Creates a shop with the customizers of the sample shop, and some of its designs and orders. */
export const fillShop = Effect.fnUntraced(function* (ask: Manage, id: string, { designs = [], orders = [] }: Some) {
  yield* ask("PUT", `/shops/${id}`, sampleShop.settings)
  for (const { definition, description, id: customizer } of sampleShop.customizers) {
    yield* ask("PUT", `/shops/${id}/customizers/${customizer}`, description)
    yield* ask("POST", `/shops/${id}/customizers/${customizer}/publish`, { definition })
  }
  for (const { id: design, input } of designs) yield* ask("PUT", `/shops/${id}/designs/${design}`, input)
  for (const { id: order, input } of orders) yield* ask("PUT", `/shops/${id}/orders/${order}`, input)
})
