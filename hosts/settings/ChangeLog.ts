import { Effect } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { CurrentShop } from "./Visit.ts"

/** Logs a change in one line, with the person and the store. `change` must contain no text from outside except ids. */
export const logChange = (change: string) =>
  CurrentShop.use(({ actor, shop }) =>
    Effect.log(`Settings of the shop ${shop.id}: ${JSON.stringify(actor)} ${change}`).pipe(
      logged("settings.changed", { shop: shop.id }),
    ),
  )
