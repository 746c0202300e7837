/** Hosts that can't reach one database of buckets, but the directory. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { newShopInUse, newShopMoves, placesOf, type ShopUse } from "../../conformance/testkit/databases/MovingShops.ts"
import { inProcess, manage, read } from "../../conformance/testkit/hosts/TestHost.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { moveShop } from "./index.ts"

/** A shop in the first database, which has the directory, and one in the second. */
const newShops = Effect.gen(function* () {
  const found: [ShopUse | undefined, ShopUse | undefined] = [undefined, undefined]
  while (found[0] === undefined || found[1] === undefined) {
    const use = yield* newShopInUse
    found[placesOf(use.shop).home % 2] ??= use
  }
  return [found[0], found[1]] as const
})

it.live(
  "a host that is cut off from a database MUST answer 503 for its shops, with a time to retry, and serve others",
  () =>
    Effect.gen(function* () {
      const { newHost, onHost } = yield* newShopMoves()
      const [near, cut] = yield* onHost(newShops)
      const host = yield* newHost(often)
      const send = yield* inProcess(Layer.effectContext(host.onHost(Effect.context<StoragePorts>())))
      const tokenOf = ({ shop }: ShopUse) =>
        Effect.map(manage(send, "POST", `/shops/${shop}/tokens`, { name: "ERP" }), (answer) => {
          expect(answer.status).toBe(201)
          return (answer.json as { readonly token: string }).token
        })
      const [nearToken, cutToken] = [yield* tokenOf(near), yield* tokenOf(cut)]
      const orders = (token: string) =>
        Effect.map(read(send, token, "/orders"), ({ headers, status }) => [status, headers["retry-after"]])
      expect([yield* orders(nearToken), yield* orders(cutToken)]).toEqual([
        [200, undefined],
        [200, undefined],
      ])
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* host.cutOff(placesOf(cut.shop).home)
          for (let time = 1; time <= 3; time++) {
            expect(yield* orders(cutToken)).toEqual([503, "1"])
            expect(yield* orders(nearToken)).toEqual([200, undefined])
          }
          const described = yield* manage(send, "GET", `/shops/${cut.shop}`)
          expect(described.status).toBe(503)
          expect((yield* manage(send, "GET", `/shops/${near.shop}`)).status).toBe(200)
          yield* host.onHost(near.write)
        }),
      )
      expect(yield* Effect.repeat(orders(cutToken), { until: ([status]) => status === 200, times: 50 })).toEqual([
        200,
        undefined,
      ])
      yield* onHost(Effect.andThen(near.check, cut.check))
    }).pipe(Effect.scoped),
)

/** How often a host reads the directory, in milliseconds. */
const often = 20

it.live(
  "a host that is cut off while a shop moves away MUST serve it from its new place, and write nothing at the old one",
  () =>
    Effect.gen(function* () {
      const { newHost, onHost, options, rowsOf } = yield* newShopMoves()
      const [near, cut] = yield* onHost(newShops)
      const { far, home } = placesOf(cut.shop)
      const host = yield* newHost(often)
      yield* host.onHost(cut.write)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* host.cutOff(home)
          const tried: Array<unknown> = []
          yield* moveShop({
            ...options(cut.shop, far),
            onStep: (step) => {
              if (!["follow", "drain"].includes(step)) return Effect.void
              const write = Effect.map(Effect.flip(host.onHost(cut.write)), (error) => tried.push(error))
              return Effect.orDie(Effect.andThen(write, host.onHost(near.write)))
            },
          })
          expect(tried.length).toBeGreaterThan(1)
          for (const error of tried) expect(error).toMatchObject({ _tag: "StorageError", isRetryable: true })
          // It needs the old place no more.
          yield* host.onHost(Effect.andThen(cut.write, cut.checkEvents))
        }),
      )
      yield* host.onHost(cut.write)
      expect(yield* rowsOf(cut.shop, home)).toEqual({})
      yield* onHost(Effect.andThen(cut.check, near.check))
    }).pipe(Effect.scoped),
)
