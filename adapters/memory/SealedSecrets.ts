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
          .map(({ id, rotation, secret, shop }) => ({ shop, endpointId: id, secrets: [secret, rotation?.secret] }))
          .filter((endpoint) => after === null || compare(endpoint, after) > 0)
          .sort(compare)
          .slice(0, limit)
          .flatMap(({ secrets, ...endpoint }) =>
            secrets.flatMap((sealed): SealedSecret | [] => (sealed === undefined ? [] : { ...endpoint, sealed })),
          ),
      ),

    replace: ({ endpointId, sealed, shop }, anew) =>
      Effect.sync(() => {
        const endpoints = state.holdings.get(shop)?.endpoints
        const endpoint = endpoints?.get(endpointId)
        if (endpoints === undefined || endpoint === undefined) return false
        const { rotation, secret } = endpoint
        if (secret === sealed) endpoints.set(endpointId, { ...endpoint, secret: anew })
        else if (rotation?.secret === sealed)
          endpoints.set(endpointId, { ...endpoint, rotation: { ...rotation, secret: anew } })
        else return false
        return true
      }),
  })

type Place = Pick<SealedSecret, "shop" | "endpointId">

const compare = (left: Place, right: Place): number =>
  compareIds(left.shop, right.shop) || compareIds(left.endpointId, right.endpointId)
