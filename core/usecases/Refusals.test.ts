/** The refusals of use cases with their messages, which embedders see and developers act on. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { keyOf, makeWorld, type World } from "../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../model/catalog/Definition.ts"
import { createToken, deleteToken } from "./access/ManageTokens.ts"
import { deleteDesign } from "./catalog/DeleteDesign.ts"
import { publishCustomizer } from "./catalog/PublishCustomizer.ts"
import { putCustomizer } from "./catalog/PutCustomizer.ts"
import { readCustomizer } from "./catalog/ReadCustomizer.ts"
import { readDesign } from "./catalog/ReadDesign.ts"
import { redactDesign } from "./catalog/RedactDesign.ts"
import { saveDesign } from "./catalog/SaveDesign.ts"
import { cancelOrder } from "./orders/CancelOrder.ts"
import { placeOrder } from "./orders/PlaceOrder.ts"
import { redactOrder } from "./orders/RedactOrder.ts"
import { withdrawCancellation } from "./orders/WithdrawCancellation.ts"
import { deleteShop, getShop, putShop } from "./shops/ManageShops.ts"
import { readDelivery, readRequestHeaders, redeliver } from "./webhooks/ManageDeliveries.ts"

const orderedAt = "2026-10-05T14:48:00Z"
const product = { title: "Mug", platformProductId: "gid://p/Product/2", assetBase: "https://a.example" }
const settings = { domain: "shop.example.com", currency: "EUR", imageBase: "https://images.example.com/i" }

/** An order with one line for each design. */
const orderOf = (...designs: ReadonlyArray<string>) => ({
  name: "#2",
  orderedAt,
  lines: designs.map((designId) => ({ designId, lineItemId: `line-of-${designId}` })),
})

/**
 * A refusal: its tag, the beginning of its message, and its cause, with the design `d` in order `1` and `c` in the
 * cancelled order `2`.
 */
const refusals: ReadonlyArray<
  readonly [tag: string, message: string, of: (world: World) => Effect.Effect<unknown, unknown>]
> = [
  ["NotFound", 'There is no shop "no"', ({ run }) => run(cancelOrder("no", "1"))],
  ["NotFound", 'The shop has no order "no"', ({ run, shop }) => run(redactOrder(shop, "no"))],
  ["NotFound", 'The shop has no design "no"', ({ run, shop }) => run(redactDesign(shop, "no"))],
  ["NotFound", 'The shop has no design "no"', ({ run, shop }) => run(deleteDesign(shop, "no"))],
  ["DesignFrozen", 'The design "d" is ordered and can\'t be deleted', ({ run, shop }) => run(deleteDesign(shop, "d"))],
  ["DesignFrozen", 'The design "c" is cancelled and can\'t be', ({ run, shop }) => run(deleteDesign(shop, "c"))],
  ["NotFound", "There is no such design", ({ run, shop }) => run(readDesign(shop, "no"))],
  ["NotFound", "There is no such customizer", ({ run, shop }) => run(readCustomizer(shop, 9))],
  ["NotFound", "There is no such customizer", ({ run, shop }) => run(readCustomizer(shop, 0.5))],
  ["NotFound", 'The shop has no token "no"', ({ run, shop }) => run(deleteToken(shop, "no"))],
  [
    "NotFound",
    'The shop has no design "no": save it first; one that an open transaction has saved is there after its COMMIT',
    ({ run, shop }) => run(placeOrder(shop, "3", orderOf("no"))),
  ],
  [
    "Conflict",
    'The design "d" is ordered in the order "1"',
    ({ run, shop }) => run(placeOrder(shop, "3", orderOf("d"))),
  ],
  [
    "Conflict",
    'The order "2" is cancelled: no design can be ordered with it',
    ({ run, save, shop }) => Effect.andThen(save("new"), run(placeOrder(shop, "2", orderOf("c", "new")))),
  ],
  [
    "Refused",
    'The line item "l" has the designs "x" and "y": a line has at most one design',
    ({ run, shop }) =>
      run(
        placeOrder(shop, "3", { ...orderOf(), lines: ["x", "y"].map((designId) => ({ designId, lineItemId: "l" })) }),
      ),
  ],
  ["Conflict", 'The order "2" was cancelled, which is', ({ run, shop }) => run(withdrawCancellation(shop, "2"))],
  ["NotFound", 'The shop has no order "\\u0000"', ({ run, shop }) => run(withdrawCancellation(shop, "\0"))],
  ["DesignFrozen", 'The design "d" is ordered and can\'t be saved again', ({ save }) => save("d")],
  [
    "NotFound",
    "The shop has no customizer 9",
    ({ run, shop }) => run(saveDesign(shop, "x", { customizerId: 9, selection: {}, basePrice: 1 })),
  ],
  [
    "Conflict",
    "The customizer 8 was never published",
    ({ run, shop }) => run(saveDesign(shop, "x", { customizerId: 8, selection: {}, basePrice: 1 })),
  ],
  [
    "Refused",
    "The selection is not allowed",
    ({ run, shop }) => run(saveDesign(shop, "x", { customizerId: 101, selection: { metal: "no" }, basePrice: 1 })),
  ],
  [
    "TooLarge",
    "A selection may have at most 64 KiB",
    ({ run, shop }) =>
      run(saveDesign(shop, "x", { customizerId: 101, selection: { engrave: "x".repeat(65_536) }, basePrice: 1 })),
  ],
  [
    "NotFound",
    "The shop has no customizer 9",
    ({ run, shop }) =>
      run(
        publishCustomizer(shop, 9, {
          definition: { schemaVersion: 1, steps: [{ id: "s", title: "", view: "v" }], questions: [], rules: [] },
        }),
      ),
  ],
  [
    "Refused",
    "The definition can't be published",
    ({ run, shop }) => run(publishCustomizer(shop, 8, { definition: {} as Definition })),
  ],
  [
    "TooLarge",
    "A definition may have at most 512 KiB",
    ({ run, shop }) =>
      run(publishCustomizer(shop, 8, { definition: { note: "x".repeat(524_288) } as unknown as Definition })),
  ],
  [
    "Conflict",
    "The shop has 100 tokens already, the most there can be",
    ({ run, shop }) => Effect.repeat(run(createToken(shop, { name: "T" })), { times: 100 }),
  ],
  [
    "PlanRequired",
    "API tokens are part of the Pro and Plus plans",
    ({ plan, run, shop }) => Effect.andThen(plan("free"), run(createToken(shop, { name: "T" }))),
  ],
]

describe("A refusal", () => {
  it.effect.each(refusals)("MUST be refused as %s: %s", ([tag, message, of]) =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["d"])
      yield* world.run(putCustomizer(world.shop, 8, product))
      yield* world.save("c")
      yield* world.run(placeOrder(world.shop, "2", orderOf("c")))
      yield* world.cancel("2")
      expect(yield* Effect.flip(of(world))).toMatchObject({ _tag: tag, message: expect.stringContaining(message) })
    }),
  )

  it.effect("MUST be given if the prices of an order add up to more than can be exact", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      yield* run(putCustomizer(shop, 8, product))
      const step = { id: "s", title: "S", view: "front" }
      yield* run(
        publishCustomizer(shop, 8, { definition: { schemaVersion: 1, steps: [step], questions: [], rules: [] } }),
      )
      for (const [id, basePrice] of [
        ["a", Number.MAX_SAFE_INTEGER],
        ["b", 1],
      ] as const) {
        yield* run(saveDesign(shop, id, { customizerId: 8, selection: {}, basePrice }))
      }
      expect(yield* Effect.flip(run(placeOrder(shop, "1", orderOf("a", "b"))))).toMatchObject({
        _tag: "Refused",
        problems: [{ path: "lines", message: expect.stringContaining("2^53") }],
      })
    }),
  )

  it.effect("MUST be given for unknown deliveries and attempts", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { run, shop } = world
      const { id } = yield* world.endpoint()
      yield* world.order("1", ["d"])
      yield* world.drain
      const [delivery] = yield* world.log({ id })
      const noDelivery = { _tag: "NotFound", message: "The endpoint has no such delivery" }
      const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        run(readDelivery(shop, id, "no")),
        run(redeliver(shop, id, "no")),
        run(readRequestHeaders(shop, id, "no", 1)),
      ]
      for (const call of calls) expect(yield* Effect.flip(call)).toMatchObject(noDelivery)
      const headers = (attempt: number) => run(readRequestHeaders(shop, id, delivery?.id ?? "", attempt))
      expect(yield* Effect.flip(headers(2))).toMatchObject({
        _tag: "NotFound",
        message: "The delivery has no such attempt",
      })
      expect((yield* headers(1))?.["X-Service-Delivery"]).toBe(delivery?.id)
      // With another key, the signature can't be made again.
      const other = yield* world.another({ keyRing: { keys: [keyOf(9)] } })
      expect(yield* other.run(readRequestHeaders(shop, id, delivery?.id ?? "", 1))).toBeUndefined()
    }),
  )
})

it.effect("A shop that is removed MUST be gone with all its data, in steps, and its id MUST be free again", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    for (let index = 0; index < 600; index++) yield* world.save(`d-${index}`)
    yield* world.run(deleteShop(world.shop))
    expect(yield* Effect.flip(world.run(getShop(world.shop)))).toMatchObject({ _tag: "NotFound" })
    yield* world.run(putShop(world.shop, settings))
    expect(yield* Effect.flip(world.run(readDesign(world.shop, "d-599")))).toMatchObject({ _tag: "NotFound" })
  }),
)
