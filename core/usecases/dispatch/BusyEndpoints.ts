import type { Busy, Claim } from "../../ports/DeliveryQueue.ts"

type EndpointKey = Pick<Busy, "shop" | "endpointId">

/** Counts the claims that a worker holds: those that wait for a slot and those under way. */
export class BusyEndpoints {
  readonly #shops = new Map<string, Map<string, number>>()
  #unproven = 0

  /** Counts one more claim. */
  add({ endpointId, proven, shop }: EndpointKey & Pick<Claim, "proven">): void {
    if (!proven) this.#unproven++
    const counts = this.#shops.get(shop)
    if (counts === undefined) this.#shops.set(shop, new Map([[endpointId, 1]]))
    else counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  }

  /** Counts one claim less: one that was added before. */
  remove({ endpointId, proven, shop }: EndpointKey & Pick<Claim, "proven">): void {
    const counts = this.#shops.get(shop)
    const count = counts?.get(endpointId)
    if (counts === undefined || count === undefined) return
    if (!proven) this.#unproven--
    if (count > 1) counts.set(endpointId, count - 1)
    else if (counts.size > 1) counts.delete(endpointId)
    else this.#shops.delete(shop)
  }

  /** How many claims of an endpoint are held. */
  ofEndpoint({ endpointId, shop }: EndpointKey): number {
    return this.#shops.get(shop)?.get(endpointId) ?? 0
  }

  /** How many claims of a shop are held. */
  ofShop(shop: string): number {
    let held = 0
    for (const count of this.#shops.get(shop)?.values() ?? []) held += count
    return held
  }

  /** How many claims are held of endpoints that were not proven when they were claimed. */
  get unproven(): number {
    return this.#unproven
  }

  /** Every endpoint with its count, as a claim takes it. */
  list(): ReadonlyArray<Busy> {
    return [...this.#shops].flatMap(([shop, counts]) =>
      Array.from(counts, ([endpointId, attempts]) => ({ shop, endpointId, attempts })),
    )
  }
}
