import type { Busy } from "../../core/ports/DeliveryQueue.ts"

/** Number of deliveries of each shop and endpoint that a worker has claimed. */
export class Held {
  readonly #shops = new Map<string, Map<string, number>>()

  constructor(busy: ReadonlyArray<Busy>) {
    for (const one of busy) this.add(one, one.attempts)
  }

  add({ endpointId, shop }: Pick<Busy, "shop" | "endpointId">, attempts = 1): void {
    const endpoints = this.#shops.get(shop) ?? new Map<string, number>()
    this.#shops.set(shop, endpoints.set(endpointId, (endpoints.get(endpointId) ?? 0) + attempts))
  }

  ofEndpoint({ endpointId, shop }: Pick<Busy, "shop" | "endpointId">): number {
    return this.#shops.get(shop)?.get(endpointId) ?? 0
  }

  ofShop(shop: string): number {
    return [...(this.#shops.get(shop)?.values() ?? [])].reduce((sum, attempts) => sum + attempts, 0)
  }
}
