import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFound } from "../../../core/model/Errors.ts"
import { quoteId } from "../../../core/model/json/Json.ts"
import { getShop } from "../../../core/usecases/shops/ManageShops.ts"
import { searchShops } from "../../../core/usecases/shops/SearchShops.ts"
import { toSignIn } from "../Guard.ts"
import type { Route } from "../Routes.ts"
import { Visit } from "../Visit.ts"

const to = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

/** The only store of the visitor, if there is only one. */
const onlyStore = Effect.gen(function* () {
  const { visitor } = yield* Visit
  if (visitor.shop !== null) return visitor.shop
  const { shops } = yield* Effect.catchTag(searchShops({ limit: 2 }), "InvalidInput", Effect.die)
  return shops.length === 1 ? shops[0]?.id : undefined
})

/**
 * Leads to a page of the visitor's only store, by its path and query below the store; with several stores, to their
 * list.
 */
export const toOnlyStore = Effect.fnUntraced(function* (page: string) {
  const { appRoot, path, visitor } = yield* Visit
  if (visitor.actor === null) return yield* toSignIn(path.slice(1))
  const shop = yield* onlyStore
  return to(appRoot + (shop === undefined ? "stores" : `${shop}/${page}`))
})

/** The address of a store without a slash at its end. */
const toStore = Effect.gen(function* () {
  const { appRoot, visitor } = yield* Visit
  const { shop = "" } = yield* HttpRouter.params
  if (visitor.shop !== null && visitor.shop !== shop) {
    return yield* new NotFound({ message: `There is no page ${quoteId(shop)}` })
  }
  const { id } = yield* getShop(shop)
  return to(`${appRoot}${id}/`)
})

/** The app's first page, and addresses that lead to a store's pages. `isStorePage`: of paths before version 0.3. */
export const firstPageRoutes = (isStorePage: (path: string) => boolean): ReadonlyArray<Route> => [
  { method: "GET", path: "/", for: "signed-in", handler: toOnlyStore("") },
  {
    method: "GET",
    path: "/:shop",
    for: "signed-in",
    handler: Effect.gen(function* () {
      const { path } = yield* Visit
      return yield* isStorePage(path.split("?")[0] ?? "") ? toOnlyStore(path.slice(1)) : toStore
    }),
  },
]
