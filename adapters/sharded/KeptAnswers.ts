import { Context, Effect } from "effect"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { byId, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** Kept answers of several stores. A change is part of the transaction of its shop's store. */
export const make = (stores: Stores): KeptAnswers["Service"] =>
  KeptAnswers.of({
    ...routed(stores)(KeptAnswers, { eraseTexts: byId }),
    once: (request, change) =>
      Effect.flatMap(stores.find(request.shop), ({ ports }) => Context.get(ports, KeptAnswers).once(request, change)),
  })
