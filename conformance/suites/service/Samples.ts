/** Valid input: a shop, the vectors' customizers and a design of one. */
import type { Json } from "../../../core/model/json/Json.ts"
import type { ShopInput } from "../../../core/model/shops/Shop.ts"
import customizerVectors from "../vectors/customizers.json" with { type: "json" }

/** Valid fields of a shop. */
export const shopInput: Required<ShopInput> = {
  domain: "shop.example.com",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://images.example.com/i",
}

/** The customizers of the vectors: 101, 102 and 103. */
export const customizers: ReadonlyArray<{
  readonly id: number
  readonly title: string
  readonly platformProductId: string
  readonly assetBase: string
  readonly definition: Json
}> = customizerVectors

/** A valid selection of customizer 101. */
export const ring = { metal: "silver", size: "s54", engrave: "no" }

/** Input of a design of customizer 101. */
export const ringInput = { customizerId: 101, selection: ring, basePrice: 12_900 }
