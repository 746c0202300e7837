/** Content that cases put into a service: their own random shops, so that runs may overlap. */
import { Effect, Redacted } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import type { ShopInput } from "../../../core/model/shops/Shop.ts"
import { AssertionFailed, equal } from "../Assertion.ts"
import { unique } from "../storage/support/Fixtures.ts"
import { customizers, ring, shopInput } from "./Samples.ts"
import { Driver } from "./ServiceCase.ts"
import { Refused } from "./ServiceDriver.ts"

/** A unique shop. */
export interface OwnShop {
  readonly id: string
  readonly token: Redacted.Redacted<string>
  readonly tokenId: string
}

/** A customizer's description, without its definition. */
export const product = {
  title: "A product",
  platformProductId: "gid://platform/Product/7",
  assetBase: "https://assets.example.com/7/",
}

/** Creates a token. */
export const newToken = Effect.fnUntraced(function* (shop: string) {
  const { id, token } = yield* (yield* Driver).createToken({ shop })
  return { tokenId: id, token: Redacted.make(token) }
})

/** Creates a shop with customizer 101 published, and a token for it. */
export const newShop = Effect.fnUntraced(function* (fields: Partial<ShopInput> = {}, id = `t-${unique(24)}`) {
  const driver = yield* Driver
  yield* driver.putShop({ shop: id, input: { ...shopInput, ...fields } })
  yield* publishVector(id, 101)
  const shop: OwnShop = { id, ...(yield* newToken(id)) }
  return shop
})

/** Creates and publishes a customizer of the vectors. */
export const publishVector = Effect.fnUntraced(function* (shop: string, id: number) {
  const driver = yield* Driver
  const vector = customizers.find((each) => each.id === id)
  if (vector === undefined) return yield* Effect.die(new Error(`There is no vector ${id}`))
  const { definition, id: _, ...input } = vector
  yield* driver.putCustomizer({ shop, id, input })
  yield* driver.publish({ shop, id, definition })
})

/** Saves a design of customizer 101 as a draft. */
export const saveDesign = Effect.fnUntraced(function* (
  shop: OwnShop,
  id: string,
  fields: {
    readonly customizerId?: number
    readonly selection?: Json
    readonly basePrice?: number
    readonly createdAt?: string
  } = {},
) {
  const input = { customizerId: 101, selection: ring, basePrice: 12_900, ...fields }
  yield* (yield* Driver).putDesign({ shop: shop.id, id, input })
})

/** A line of an order. */
export const lineOf = (designId: string, lineItemId = `line-of-${designId}`) => ({
  designId,
  lineItemId: [...lineItemId].slice(0, 255).join(""),
})

/** Default time of orders. */
export const someTime = "2026-10-05T14:48:00Z"

/** Places an order of existing designs. */
export const placeOrder = Effect.fnUntraced(function* (
  shop: OwnShop,
  id: string,
  designs: ReadonlyArray<string>,
  orderedAt = someTime,
) {
  const input = { name: [...`#${id}`].slice(0, 255).join(""), orderedAt, lines: designs.map((each) => lineOf(each)) }
  yield* (yield* Driver).putOrder({ shop: shop.id, id, input })
})

/** Saves designs and places an order of them. */
export const sell = Effect.fnUntraced(function* (
  shop: OwnShop,
  id: string,
  designs: ReadonlyArray<string>,
  orderedAt = someTime,
) {
  for (const design of designs) yield* saveDesign(shop, design)
  yield* placeOrder(shop, id, designs, orderedAt)
})

/** The time `index` minutes after 2026-10-05 14:00. */
export const minute = (index: number): string => new Date(Date.UTC(2026, 9, 5, 14, index)).toISOString()

/** Orders `o-0` (oldest) to `o-<n - 1>` (newest), a minute apart. */
export const sellSome = Effect.fnUntraced(function* (shop: OwnShop, count: number) {
  for (let index = 0; index < count; index++) yield* sell(shop, `o-${index}`, [`d-${index}`], minute(index))
})

/** Expects a refused call, with this status if a requirement names one and the driver reports it. */
export const isRefused = <A, E, R>(what: string, call: Effect.Effect<A, E, R>, status?: number) =>
  Effect.matchEffect(call, {
    onSuccess: () => Effect.fail(new AssertionFailed({ message: `${what}: was done, expected a refusal` })),
    onFailure: (error): Effect.Effect<void, AssertionFailed | E> => {
      if (!(error instanceof Refused)) return Effect.fail(error)
      if (status === undefined || error.status === undefined) return Effect.void
      return equal(`${what}: status`, error.status, status)
    },
  })
