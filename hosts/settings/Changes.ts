import { Effect } from "effect"
import { CurrentShop } from "./Visit.ts"

/** Tells the log what someone changed, in one line. `what` holds no text from outside but ids. */
export const changed = (what: string) =>
  CurrentShop.use(({ actor, shop }) => Effect.log(`Settings of the store ${shop.id}: ${JSON.stringify(actor)} ${what}`))
