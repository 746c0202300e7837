import { Effect, Option } from "effect"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"

/** Makes each read once: a key's later reads get what its first one got. */
const once = <A, E>(read: (...key: ReadonlyArray<string>) => Effect.Effect<A, E>) => {
  const known = new Map<string, Effect.Effect<A, E>>()
  return Effect.fnUntraced(function* (...key: ReadonlyArray<string>) {
    const name = JSON.stringify(key)
    const found = known.get(name) ?? (yield* Effect.cached(read(...key)))
    known.set(name, found)
    return yield* found
  })
}

/**
 * Lets a page read its shop and the shop's endpoints once, together, and a delivery once, however often use cases and
 * parts of the page need them. For requests that change nothing: they don't see changes after the first read.
 */
export const sharingReads = Effect.fnUntraced(function* <A, E, R>(page: Effect.Effect<A, E, R>) {
  const [stored, log] = [yield* EndpointStore, yield* DeliveryLog]
  const view = once((shop = "") => stored.withShop(shop))
  const delivery = once((shop = "", id = "") => log.find(shop, null, id))
  const find: typeof log.find = (shop, endpointId, id) =>
    Effect.map(
      delivery(shop, id),
      Option.filter((found) => endpointId === null || found.delivery.endpointId === endpointId),
    )
  const endpointsOf = (shop: string) =>
    Effect.map(view(shop), (found) => Option.match(found, { onNone: () => [], onSome: ({ endpoints }) => endpoints }))
  const shops = ShopStore.of({
    ...(yield* ShopStore),
    find: (id) => Effect.map(view(id), (found) => Option.map(found, ({ shop }) => shop)),
  })
  const endpoints = EndpointStore.of({
    ...stored,
    withShop: view,
    list: endpointsOf,
    find: (shop, id) =>
      Effect.map(endpointsOf(shop), (all) => Option.fromUndefinedOr(all.find((endpoint) => endpoint.id === id))),
  })
  return yield* page.pipe(
    Effect.provideService(ShopStore, shops),
    Effect.provideService(EndpointStore, endpoints),
    Effect.provideService(DeliveryLog, DeliveryLog.of({ ...log, find })),
  )
})
