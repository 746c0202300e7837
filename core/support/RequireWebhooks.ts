import { Effect } from "effect"
import { Conflict } from "../model/Errors.ts"
import { includesApi, type Shop } from "../model/Shop.ts"

/** Fails with `Conflict` where the shop's plan has no webhooks (D8). */
export const requireWebhooks = (shop: Shop): Effect.Effect<void, Conflict> =>
  includesApi(shop.plan)
    ? Effect.void
    : Effect.fail(new Conflict({ message: "Webhooks are part of the Pro and Plus plans; the shop's plan is free" }))
