import { Effect } from "effect"
import { compareIds } from "../../core/model/Ids.ts"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import type { State } from "./State.ts"

/** Sealed secrets in memory. */
export const make = (state: State): SealedSecrets["Service"] =>
  SealedSecrets.of({
    list: (after, limit) =>
      Effect.sync(() =>
        [...state.holdings.values()]
          .flatMap(({ endpoints }) => [...endpoints.values()])
          .map(({ id, secret, shop }): SealedSecret => ({ shop, endpointId: id, sealed: secret }))
          .filter((secret) => after === null || compare(secret, after) > 0)
          .sort(compare)
          .slice(0, limit),
      ),

    replace: ({ endpointId, sealed, shop }, anew) =>
      Effect.sync(() => {
        const endpoints = state.holdings.get(shop)?.endpoints
        const endpoint = endpoints?.get(endpointId)
        if (endpoints === undefined || endpoint?.secret !== sealed) return false
        endpoints.set(endpointId, { ...endpoint, secret: anew })
        return true
      }),
  })

const compare = (left: SealedSecret, right: SealedSecret): number =>
  compareIds(left.shop, right.shop) || compareIds(left.endpointId, right.endpointId)
