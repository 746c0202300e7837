import { Console, Effect } from "effect"
import { printable } from "../../../core/model/log/Printable.ts"
import { type ChosenEndpoint, linesOf, sentAgain } from "./EndpointLogs.ts"
import { type ManageOptions, managedShop } from "./Manage.ts"

/** The shop, and the endpoints to list. */
export type DeliveriesOptions = ManageOptions & ChosenEndpoint

/** `designwire deliveries list`: the newest deliveries of a shop's endpoints, newest first. */
export const listDeliveries = Effect.fn("deliveries.list")(function* (options: DeliveriesOptions) {
  for (const line of yield* linesOf(yield* managedShop(options), options)) yield* Console.log(printable(line))
})

/** `designwire deliveries redeliver`: sends a delivery's body again, as a new delivery. */
export const redeliver = Effect.fn("deliveries.redeliver")(function* (
  options: DeliveriesOptions & { readonly delivery: string },
) {
  yield* Console.log(printable(yield* sentAgain(yield* managedShop(options), options)))
})
