import { Context, Effect, Result } from "effect"
import { DeliveryQueue, type Walked } from "../../core/ports/DeliveryQueue.ts"
import { claim } from "./Claims.ts"
import { byShop, routed } from "./Routing.ts"
import { answersOf, type Stores } from "./Stores.ts"

/** The queue of deliveries over several stores. */
export const make = (stores: Stores): DeliveryQueue["Service"] =>
  DeliveryQueue.of({
    ...routed(stores)(DeliveryQueue, { add: byShop, recover: byShop }),

    claim: (request) => claim(stores, request),

    settle: (settlements, advance) =>
      stores.eachItsOwn(
        settlements,
        ({ claim }) => claim.shop,
        ({ ports }, own) => Context.get(ports, DeliveryQueue).settle(own, advance),
      ),

    release: (claims) =>
      Effect.asVoid(
        stores.eachItsOwn(claims, byShop, ({ ports }, own) =>
          Effect.as(Context.get(ports, DeliveryQueue).release(own), own),
        ),
      ),

    // All stores at once, each from where it ended. A store at its end begins again while others go on.
    walk: Effect.fnUntraced(function* ({ after, limit, now }) {
      const places: ReadonlyArray<string | null> = after === null ? [] : JSON.parse(after)
      const results = yield* Effect.forEach(
        stores.all,
        (store, index) =>
          stores.tried(
            store,
            Context.get(store.ports, DeliveryQueue).walk({ now, limit, after: places[index] ?? null }),
          ),
        { concurrency: "unbounded" },
      )
      const steps = yield* answersOf(results)
      const next = results.map((result) => (Result.isSuccess(result) ? result.success.after : null))
      return {
        shops: steps.flatMap(({ shops }) => shops),
        after: next.every((place) => place === null) ? null : JSON.stringify(next),
        nextDue: firstOf(steps),
      }
    }),
  })

const firstOf = (steps: ReadonlyArray<Walked>): number | null => {
  const instants = steps.flatMap(({ nextDue }) => nextDue ?? [])
  return instants.length === 0 ? null : Math.min(...instants)
}
