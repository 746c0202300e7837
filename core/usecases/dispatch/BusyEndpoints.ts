import type { Busy } from "../../ports/DeliveryQueue.ts"

type EndpointKey = Pick<Busy, "shop" | "endpointId">

/** Counts, for each endpoint of each shop, the claims that a worker holds: those that wait for a slot and those under way. */
export class BusyEndpoints {
  readonly #shops = new Map<string, Map<string, number>>()

  /** Counts one more claim of an endpoint. */
  add({ endpointId, shop }: EndpointKey): void {
    const counts = this.#shops.get(shop)
    if (counts === undefined) this.#shops.set(shop, new Map([[endpointId, 1]]))
    else counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  }

  /** Counts one claim of an endpoint less: one that was added before. */
  remove({ endpointId, shop }: EndpointKey): void {
    const counts = this.#shops.get(shop)
    const count = counts?.get(endpointId)
    if (counts === undefined || count === undefined) return
    if (count > 1) counts.set(endpointId, count - 1)
    else if (counts.size > 1) counts.delete(endpointId)
    else this.#shops.delete(shop)
  }

  /** How many claims of an endpoint are held. */
  count({ endpointId, shop }: EndpointKey): number {
    return this.#shops.get(shop)?.get(endpointId) ?? 0
  }

  /** Every endpoint with its count, as a claim takes it. */
  list(): ReadonlyArray<Busy> {
    return [...this.#shops].flatMap(([shop, counts]) =>
      Array.from(counts, ([endpointId, attempts]) => ({ shop, endpointId, attempts })),
    )
  }
}
