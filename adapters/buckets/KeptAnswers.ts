import { Context } from "effect"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { byId, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Kept answers of all buckets. A change is part of a transaction in its shop's bucket. */
export const make = (stores: Stores): KeptAnswers["Service"] =>
  KeptAnswers.of({
    ...routed(stores)(KeptAnswers, { eraseTexts: byId }),
    once: (request, change) =>
      stores.atShop(request.shop, (ports) => Context.get(ports, KeptAnswers).once(request, change)),
  })
