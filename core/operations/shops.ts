import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { shopsQuery } from "../model/queries/Queries.ts"
import * as Model from "../model/shops/Shop.ts"
import { deleteShop, getShop, listShops, putShop } from "../usecases/shops/ManageShops.ts"
import { pageOfShops } from "../usecases/shops/SearchShops.ts"
import * as Errors from "./Errors.ts"
import { functionOnly, operation } from "./Operation.ts"
import { describe, inputErrors, pageOf, readErrors, removed, shop } from "./Parts.ts"

const Shop = Model.Shop.annotate({ identifier: "Shop" })

export const shops = {
  id: "shops",
  comment: "Shops with separate data.",
  title: "Shops",
  description: "Shops, each with its own data.",
  operations: {
    put: operation(
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
      {
        input: "body",
        call: putShop,
        method: "changes",
        comment: "Creates a shop or replaces its settings; its contents stay. Fails with `InvalidInput`.",
      },
    ),
    page: operation(
      HttpApiEndpoint.get("listShops", "/shops", {
        success: pageOf(Shop, "ShopPage"),
        error: [Errors.InvalidInput, Errors.Unavailable],
      }).annotateMerge(describe("List shops", "All shops, by id, in pages.")),
      {
        input: "query",
        query: shopsQuery,
        call: pageOfShops,
      },
    ),
    get: operation(
      HttpApiEndpoint.get("readShop", "/shops/:shop", { params: shop, success: Shop, error: readErrors }).annotateMerge(
        describe("Read a shop", "One shop's fields."),
      ),
      {
        call: getShop,
        method: "reads",
        comment: "Fails with `NotFound`.",
      },
    ),
    list: functionOnly({
      gives: Schema.Array(Shop),
      call: () => listShops,
      method: "reads",
      comment: "All shops, by id.",
    }),
    delete: operation(
      HttpApiEndpoint.delete("deleteShop", "/shops/:shop", {
        params: shop,
        success: removed,
        error: readErrors,
      }).annotateMerge(
        describe("Delete a shop", "Deletes the shop and all its data. Nothing more is sent, and it can't be undone."),
      ),
      {
        call: deleteShop,
        method: "changes",
        comment:
          "Deletes a shop and everything in it; this can't be undone. If it fails with `Unavailable`, call it again. " +
          "Fails with `NotFound`.",
      },
    ),
  },
} as const
