import { type Shop, ShopStore } from "designwire/ports"
import { Effect, Option } from "effect"
import type { Database } from "./Database.ts"
import type { Listeners } from "./Listeners.ts"

/** Shops, and their tokens that are removed with them. */
export const makeShops = (database: Database, listeners: Listeners): ShopStore["Service"] => {
  const digestsOf = (shop: string) =>
    database.records<{ digest: string }>("SELECT record FROM tokens WHERE shop = ?", shop).map(({ digest }) => digest)
  return ShopStore.of({
    find: (id) =>
      database.attempt("Reading a shop", () =>
        Option.fromUndefinedOr(database.record<Shop>("SELECT record FROM shops WHERE id = ?", id)),
      ),
    // It is removed in one step.
    isComplete: (id) =>
      database.attempt("Reading a shop", () => database.first("SELECT 1 FROM shops WHERE id = ?", id) !== undefined),
    list: ({ after, limit, search }) =>
      database.attempt("Reading shops", () =>
        database.records<Shop>(
          `SELECT record FROM shops WHERE id > ?1 AND ?2 IN (
  substr(id, 1, length(?2)), substr(record ->> 'domain', 1, length(?2))
) ORDER BY id LIMIT ?3`,
          after ?? "",
          search ?? "",
          limit,
        ),
      ),
    // Of what the mark is of, this store has shops and tokens.
    mark: (shop) =>
      database.attempt("Reading the mark of a shop", () =>
        JSON.stringify([database.record<Shop>("SELECT record FROM shops WHERE id = ?", shop), digestsOf(shop)]),
      ),
    put: (shop) =>
      database
        .attempt("Storing a shop", () => {
          // Tokens that a call has stored since the shop was removed.
          if (database.first("SELECT 1 FROM shops WHERE id = ?", shop.id) === undefined) {
            database.run("DELETE FROM tokens WHERE shop = ?", shop.id)
          }
          database.run("INSERT OR REPLACE INTO shops VALUES (?, ?)", shop.id, JSON.stringify(shop))
          return digestsOf(shop.id)
        })
        .pipe(Effect.flatMap((digests) => listeners.notify(digests))),
    remove: ({ shop }) =>
      database
        .attempt("Removing a shop", () => {
          const digests = digestsOf(shop)
          database.run("DELETE FROM shops WHERE id = ?", shop)
          database.run("DELETE FROM tokens WHERE shop = ?", shop)
          return digests
        })
        .pipe(
          Effect.flatMap((digests) => listeners.notify(digests)),
          Effect.as(true),
        ),
  })
}
