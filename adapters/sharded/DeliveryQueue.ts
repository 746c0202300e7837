import { Context, Effect, Option } from "effect"
import { type Claim, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { makeClaim } from "./Claims.ts"
import { byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/** The queue of deliveries over several stores. */
export const make = (stores: Stores): DeliveryQueue["Service"] => {
  const release = (claims: ReadonlyArray<Claim>) =>
    stores.eachItsOwn(claims, byShop, ({ ports }, own) =>
      Effect.as(Context.get(ports, DeliveryQueue).release(own), own),
    )

  const releaseIfPossible = (claims: ReadonlyArray<Claim>) =>
    Effect.catch(Effect.asVoid(release(claims)), (error) =>
      Effect.logWarning("Could not release deliveries; their leases run out", error),
    )

  return DeliveryQueue.of({
    ...routed(stores)(DeliveryQueue, { add: byShop, recover: byShop }),

    claim: makeClaim(stores, releaseIfPossible),

    settle: (settlements, advance) =>
      stores.eachItsOwn(
        settlements,
        ({ claim }) => claim.shop,
        ({ ports }, own) => Context.get(ports, DeliveryQueue).settle(own, advance),
      ),

    release: (claims) => Effect.asVoid(release(claims)),

    nextDue: (now) =>
      Effect.map(
        stores.askEach(({ ports }) => Context.get(ports, DeliveryQueue).nextDue(now)),
        (found) => {
          const instants = found.flatMap(Option.toArray)
          return instants.length === 0 ? Option.none() : Option.some(Math.min(...instants))
        },
      ),
  })
}
