import { Clock, Context, Effect, Option } from "effect"
import { refusedAt } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { Shop, ShopInput } from "../../model/shops/Shop.ts"
import { unfitFor } from "../../model/webhooks/PublicAddress.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { Upkeep } from "../../ports/Upkeep.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { auditing } from "../../support/Auditing.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** The public address of the REST API, with or without `{shop}`. Default: none is known. */
export const PublicUrl = Context.Reference<string | undefined>("designwire/PublicUrl", {
  defaultValue: () => undefined,
})

const read = reader(ShopInput)
const check = reader(Shop)

/**
 * Creates a shop or replaces its settings; its data stays. Fails with `InvalidInput`, and with `Refused` for a new shop
 * whose id can't be part of the public address (D15a).
 */
export const putShop = Effect.fn("ManageShops.put")(function* (id: string, input: ShopInput) {
  const settings = yield* Effect.fromResult(read(input))
  const shop = yield* Effect.fromResult(
    check({ ...settings, id, plan: settings.plan ?? "pro", roundingStep: settings.roundingStep ?? 1 }),
  )
  yield* requireAddress(shop.id)
  yield* auditing(AuditRules.shop, (audited) => ShopStore.use((shops) => shops.put(shop, audited)))
  return shop
})

/** A shop that is older than the form of the address stays: its tokens work at other addresses of the host. */
const requireAddress = Effect.fnUntraced(function* (id: string) {
  const url = yield* PublicUrl
  const problem = url === undefined ? undefined : unfitFor(url, id)
  if (problem === undefined) return
  if (Option.isSome(yield* ShopStore.use((shops) => shops.find(id)))) return
  const message = `A shop's id ${problem}. Choose another id, or name shops in the path of the address`
  return yield* refusedAt("id", message)
})

/** A shop. Fails with `NotFound`. */
export const getShop = Effect.fn("ManageShops.get")(shopOf)

/** The records that one step of removing a shop deletes: a few milliseconds of a store's time. */
const removeLimit = 1000

/**
 * Deletes a shop with all its data (D43): tokens and endpoints at once, the rest in short steps. It can't be undone. If
 * it fails, e.g. because the store is down, the shop is still there and part of its data may be gone: call it again.
 * Fails with `NotFound`.
 */
export const deleteShop = Effect.fn("ManageShops.delete")(function* (id: string) {
  const shop = yield* shopOf(id)
  const now = yield* Clock.currentTimeMillis
  const step = ShopStore.use((shops) => shops.remove({ shop: shop.id, now, limit: removeLimit }))
  yield* Effect.repeat(step, { until: (isGone) => isGone })
})

/** Shops that were removed this long ago hold nothing any more: no call is under way for so long. */
const lateCalls = 24 * 60 * 60 * 1000

/**
 * Drops what calls that were under way have stored of removed shops (D43), in short steps. Servers, workers and
 * `createDesignwire` do so every half minute.
 */
export const purgeRemovedShops = Effect.fn("ManageShops.purge")(function* () {
  const since = (yield* Clock.currentTimeMillis) - lateCalls
  const step = Upkeep.use((upkeep) => upkeep.purgeRemoved({ since, limit: removeLimit }))
  yield* Effect.repeat(step, { until: (isDone) => isDone })
})

/** {@link purgeRemovedShops} every 30 seconds, so that a removed shop is empty a minute after the last call for it. */
export const keepRemovedShopsEmpty: Effect.Effect<never, never, Upkeep> = Effect.suspend(() => {
  let isFailing = false
  return purgeRemovedShops().pipe(
    Effect.tap(() => Effect.sync(() => (isFailing = false))),
    Effect.catch((error) => {
      // Once per outage.
      const report = isFailing
        ? Effect.void
        : Effect.logWarning("Could not clear removed shops; trying again", error).pipe(logged("shops.clear_failed"))
      isFailing = true
      return report
    }),
    Effect.delay("30 seconds"),
    Effect.forever,
  )
})

/** All shops, by id. */
export const listShops = Effect.gen(function* () {
  const { list } = yield* ShopStore
  const all: Array<Shop> = []
  for (;;) {
    const found = yield* list({ search: null, after: all.at(-1)?.id ?? null, limit: listLimit })
    all.push(...found)
    if (found.length < listLimit) return all
  }
})

/** Shops that are read at once. */
const listLimit = 1_000
