import { Context } from "effect"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { claim, release } from "./Claims.ts"
import { byShop, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"
import { walk } from "./Walk.ts"

/** The queue of deliveries over all buckets. */
export const make = (stores: Stores): DeliveryQueue["Service"] =>
  DeliveryQueue.of({
    ...routed(stores)(DeliveryQueue, { add: byShop, recover: byShop, tryNow: byShop, resend: byShop }),
    claim: (request) => claim(stores, request),
    settle: (settlements, advance) =>
      stores.eachItsOwn(
        settlements,
        ({ claim }) => claim.shop,
        (ports, own) => Context.get(ports, DeliveryQueue).settle(own, advance),
      ),
    release: (claims) => release(stores, claims),
    walk: (step) => walk(stores, step),
    placeOf: (shop) => stores.directory.map().of(shop)?.number,
  })
