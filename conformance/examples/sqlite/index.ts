/** Two storage ports of designwire on an SQLite file: the beginning of an adapter. */
import { ShopStore, TokenStore } from "designwire/ports"
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { Listeners } from "./Listeners.ts"
import { makeShops } from "./Shops.ts"
import { makeTokens } from "./Tokens.ts"

/** A process's view of the file, which is created if missing. */
export const layer = (path: string): Layer.Layer<ShopStore | TokenStore> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.sync(() => new Database(path)),
        (opened) => Effect.sync(() => opened.close()),
      )
      const listeners = new Listeners()
      return Context.make(ShopStore, makeShops(database, listeners)).pipe(
        Context.add(TokenStore, makeTokens(database, listeners)),
      )
    }),
  )
