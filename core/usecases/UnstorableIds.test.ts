/** Ids that can't exist: stores never get them, and some stores could not store them. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { makeWorld, type World } from "../../conformance/testkit/workers/TestWorker.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { DeliveryLog } from "../ports/DeliveryLog.ts"
import { OrderStore } from "../ports/OrderStore.ts"
import { TokenStore } from "../ports/TokenStore.ts"
import { deleteToken } from "./access/ManageTokens.ts"
import { deleteDesign } from "./catalog/DeleteDesign.ts"
import { publishCustomizer } from "./catalog/PublishCustomizer.ts"
import { readCustomizer } from "./catalog/ReadCustomizer.ts"
import { readDesign } from "./catalog/ReadDesign.ts"
import { redactDesign } from "./catalog/RedactDesign.ts"
import { cancelOrder } from "./orders/CancelOrder.ts"
import { readOrder } from "./orders/ReadOrders.ts"
import { redactOrder } from "./orders/RedactOrder.ts"
import { readDelivery } from "./webhooks/ManageDeliveries.ts"

const asked = () => Effect.die(new Error("The store was asked"))

const definition = { schemaVersion: 1, steps: [{ id: "s", title: "S", view: "v" }], questions: [], rules: [] } as const

const refused: ReadonlyArray<readonly [name: string, of: (world: World) => Effect.Effect<unknown, unknown>]> = [
  ["readOrder", ({ run, shop }) => run(readOrder(shop, "\0"))],
  ["cancelOrder", ({ run, shop }) => run(cancelOrder(shop, "\0"))],
  ["redactOrder", ({ run, shop }) => run(redactOrder(shop, "\0"))],
  ["redactDesign", ({ run, shop }) => run(redactDesign(shop, "\0"))],
  ["deleteDesign", ({ run, shop }) => run(deleteDesign(shop, "\0"))],
  ["readDesign", ({ run, shop }) => run(readDesign(shop, ""))],
  ["readCustomizer", ({ run, shop }) => run(readCustomizer(shop, 0.5))],
  ["publishCustomizer", ({ run, shop }) => run(publishCustomizer(shop, 0.5, { definition }))],
  ["deleteToken", ({ run, shop }) => run(deleteToken(shop, "\0"))],
  [
    "readDelivery",
    (world) => Effect.flatMap(world.endpoint(), ({ id }) => world.run(readDelivery(world.shop, id, "\ud800"))),
  ],
]

describe("An id that can't exist", () => {
  it.effect.each(refused)("MUST be refused with NotFound without asking the store: %s", ([, of]) =>
    Effect.gen(function* () {
      const { ports } = yield* makeWorld()
      const [orders, customizers, tokens, log] = [
        Context.get(ports, OrderStore),
        Context.get(ports, CustomizerStore),
        Context.get(ports, TokenStore),
        Context.get(ports, DeliveryLog),
      ]
      const unasked = ports.pipe(
        Context.add(OrderStore, { ...orders, order: asked, designs: asked, readDesign: asked }),
        Context.add(CustomizerStore, {
          ...customizers,
          find: asked,
          publish: (shop, id, ...rest) => (id === 101 ? customizers.publish(shop, id, ...rest) : asked()),
        }),
        Context.add(TokenStore, { ...tokens, revoke: asked }),
        Context.add(DeliveryLog, { ...log, find: asked }),
      )
      const world = yield* makeWorld({ ports: unasked })
      expect(yield* Effect.flip(of(world))).toMatchObject({ _tag: "NotFound" })
    }),
  )
})
