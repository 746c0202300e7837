import type { Busy, Claim } from "../../ports/DeliveryQueue.ts"

type EndpointKey = Pick<Busy, "shop" | "endpointId">

/** Counts a worker's claims, waiting for a slot or under way, by endpoint and shop. */
export class BusyEndpoints {
  readonly #shops = new Map<string, Map<string, number>>()
  #probation = 0

  /** Counts one more claim. */
  add({ endpointId, proven, shop }: EndpointKey & Pick<Claim, "proven">): void {
    if (!proven) this.#probation++
    const counts = this.#shops.get(shop)
    if (counts === undefined) this.#shops.set(shop, new Map([[endpointId, 1]]))
    else counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  }

  /** Counts one claim less. Claims that were not added are ignored. */
  remove({ endpointId, proven, shop }: EndpointKey & Pick<Claim, "proven">): void {
    const counts = this.#shops.get(shop)
    const count = counts?.get(endpointId)
    if (counts === undefined || count === undefined) return
    if (!proven) this.#probation--
    if (count > 1) counts.set(endpointId, count - 1)
    else if (counts.size > 1) counts.delete(endpointId)
    else this.#shops.delete(shop)
  }

  /** The number of claims of an endpoint. */
  ofEndpoint({ endpointId, shop }: EndpointKey): number {
    return this.#shops.get(shop)?.get(endpointId) ?? 0
  }

  /** The number of claims of a shop. */
  ofShop(shop: string): number {
    let held = 0
    for (const count of this.#shops.get(shop)?.values() ?? []) held += count
    return held
  }

  /** The number of claims whose endpoints were not proven when they were claimed. */
  get probation(): number {
    return this.#probation
  }

  /** Every endpoint with its count, as a claim request needs them. */
  list(): ReadonlyArray<Busy> {
    return [...this.#shops].flatMap(([shop, counts]) =>
      Array.from(counts, ([endpointId, attempts]) => ({ shop, endpointId, attempts })),
    )
  }
}
