import { Effect } from "effect"
import { CurrentShop } from "./Visit.ts"

/** Logs a change in one line, with the person and the store. `change` must contain no text from outside except ids. */
export const logChange = (change: string) =>
  CurrentShop.use(({ actor, shop }) =>
    Effect.log(`Settings of the store ${shop.id}: ${JSON.stringify(actor)} ${change}`),
  )
