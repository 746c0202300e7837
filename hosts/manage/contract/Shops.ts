import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { maximumLimit } from "../../../core/model/Page.ts"
import * as Model from "../../../core/model/Shop.ts"
import { describe, inputErrors, paged, pageOf, readErrors, removed, shop } from "./Common.ts"

const Shop = Model.Shop.annotate({ identifier: "Shop" })

/** Stores, each with its own data. */
export const shops = HttpApiGroup.make("shops")
  .add(
    HttpApiEndpoint.put("putShop", "/shops/:shop", {
      params: shop,
      payload: Model.ShopInput.annotate({ identifier: "ShopInput" }),
      success: Shop,
      error: inputErrors,
    }).annotateMerge(
      describe(
        "Create or update a shop",
        "Creates the shop, or replaces its fields. `plan` defaults to `pro` and `roundingStep` to 1 cent.",
        "The URLs of its designs' images begin with `imageBase`.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("listShops", "/shops", {
      success: pageOf(Shop, "ShopPage"),
      error: [Errors.InvalidInput, Errors.Unavailable],
    })
      .annotateMerge(describe("List shops", "All shops, by id, in pages."))
      .annotate(OpenApi.Transform, paged("Shops", maximumLimit)),
  )
  .add(
    HttpApiEndpoint.get("readShop", "/shops/:shop", { params: shop, success: Shop, error: readErrors }).annotateMerge(
      describe("Read a shop", "One shop's fields."),
    ),
  )
  .add(
    HttpApiEndpoint.delete("deleteShop", "/shops/:shop", {
      params: shop,
      success: removed,
      error: readErrors,
    }).annotateMerge(
      describe("Delete a shop", "Deletes the shop and all its data. Nothing more is sent, and it can't be undone."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Shops", description: "Stores, each with its own data." }))
