import type { Busy } from "../ports/DeliveryQueue.ts"

type EndpointKey = Pick<Busy, "shop" | "endpointId">

/** Counts a worker's claims, waiting for a slot or under way, by endpoint and shop. */
export class BusyEndpoints {
  readonly #shops = new Map<string, Map<string, number>>()

  /** Begins with the counts of a claim request. */
  constructor(busy: ReadonlyArray<Busy> = []) {
    for (const one of busy) this.add(one, one.attempts)
  }

  /** Counts more claims of an endpoint. */
  add({ endpointId, shop }: EndpointKey, claims = 1): void {
    const counts = this.#shops.get(shop)
    if (counts === undefined) this.#shops.set(shop, new Map([[endpointId, claims]]))
    else counts.set(endpointId, (counts.get(endpointId) ?? 0) + claims)
  }

  /** Counts one claim of an endpoint less. Returns false if there was none. */
  remove({ endpointId, shop }: EndpointKey): boolean {
    const counts = this.#shops.get(shop)
    const count = counts?.get(endpointId)
    if (counts === undefined || count === undefined) return false
    if (count > 1) counts.set(endpointId, count - 1)
    else if (counts.size > 1) counts.delete(endpointId)
    else this.#shops.delete(shop)
    return true
  }

  /** The number of claims of an endpoint. */
  ofEndpoint({ endpointId, shop }: EndpointKey): number {
    return this.#shops.get(shop)?.get(endpointId) ?? 0
  }

  /** The number of claims of a shop. */
  ofShop(shop: string): number {
    let claims = 0
    for (const count of this.#shops.get(shop)?.values() ?? []) claims += count
    return claims
  }

  /** Every endpoint of these shops, by default of all, with its count, as a claim request needs them. */
  list(shops: Iterable<string> = this.#shops.keys()): ReadonlyArray<Busy> {
    return [...new Set(shops)].flatMap((shop) =>
      Array.from(this.#shops.get(shop) ?? [], ([endpointId, attempts]) => ({ shop, endpointId, attempts })),
    )
  }
}
