import { Effect } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import { resealed, sealedOf } from "../../../core/model/webhooks/SealedTexts.ts"
import { type SealedSecret, SealedSecrets } from "../../../core/ports/SealedSecrets.ts"
import type { State } from "../State.ts"

/** Sealed secrets in memory. */
export const make = (state: State): SealedSecrets["Service"] =>
  SealedSecrets.of({
    list: (after, limit) =>
      Effect.sync(() =>
        [...state.holdings.values()]
          .flatMap(({ endpoints }) => [...endpoints.values()])
          .map((endpoint) => ({ shop: endpoint.shop, endpointId: endpoint.id, secrets: sealedOf(endpoint) }))
          .filter((endpoint) => after === null || compare(endpoint, after) > 0)
          .sort(compare)
          .slice(0, limit)
          .flatMap(({ secrets, ...endpoint }) => secrets.map((sealed): SealedSecret => ({ ...endpoint, sealed }))),
      ),

    replace: ({ endpointId, sealed, shop }, anew) =>
      Effect.sync(() => {
        const endpoints = state.holdings.get(shop)?.endpoints
        const endpoint = endpoints?.get(endpointId)
        if (endpoints === undefined || endpoint === undefined) return false
        const changed = resealed(endpoint, sealed, anew)
        if (changed === undefined) return false
        endpoints.set(endpointId, changed)
        return true
      }),
  })

type Place = Pick<SealedSecret, "shop" | "endpointId">

const compare = (left: Place, right: Place): number =>
  compareIds(left.shop, right.shop) || compareIds(left.endpointId, right.endpointId)
