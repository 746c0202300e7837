import { Effect } from "effect"
import { PlanRequired } from "../model/Errors.ts"
import { includesApi, type Shop } from "../model/shops/Shop.ts"

/** Fails with `PlanRequired` if the shop's plan does not include webhooks (D8). */
export const requireWebhooks = (shop: Shop): Effect.Effect<void, PlanRequired> =>
  includesApi(shop.plan)
    ? Effect.void
    : Effect.fail(new PlanRequired({ message: "Webhooks are part of the Pro and Plus plans; the shop's plan is free" }))
