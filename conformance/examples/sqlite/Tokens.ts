import { type Shop, type TokenRecord, TokenStore } from "designwire/ports"
import { Effect, Option } from "effect"
import type { Database } from "./Database.ts"
import type { Listeners } from "./Listeners.ts"

/** Tokens by their digests. */
export const makeTokens = (database: Database, listeners: Listeners): TokenStore["Service"] => {
  const one = (shop: string, id: string) =>
    database.record<TokenRecord>("SELECT record FROM tokens WHERE shop = ? AND id = ?", shop, id)
  return TokenStore.of({
    // Hosts are not notified of one another's revocations.
    caughtUp: Effect.succeed(false),
    // The number is read and the token stored in one transaction: calls that race can't exceed the maximum.
    add: (token, maximum) =>
      database.attempt("Storing a token", () => {
        const { createdAt, digest, id, shop } = token
        const kept = database.first<{ count: number }>("SELECT count(*) AS count FROM tokens WHERE shop = ?", shop)
        if ((kept?.count ?? 0) >= maximum) return false
        database.run("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", shop, id, digest, createdAt, JSON.stringify(token))
        return true
      }),
    list: (shop) =>
      database.attempt("Reading tokens", () =>
        database.records<TokenRecord>(
          "SELECT record FROM tokens WHERE shop = ? ORDER BY created_at DESC, id DESC",
          shop,
        ),
      ),
    find: (digest) =>
      database.attempt("Finding a token", () => {
        const token = database.record<TokenRecord>("SELECT record FROM tokens WHERE digest = ?", digest)
        const shop = token && database.record<Shop>("SELECT record FROM shops WHERE id = ?", token.shop)
        return token === undefined || shop === undefined ? Option.none() : Option.some({ token, shop, committed: true })
      }),
    revoke: (shop, id) =>
      database
        .attempt("Revoking a token", () => {
          const token = one(shop, id)
          database.run("DELETE FROM tokens WHERE shop = ? AND id = ?", shop, id)
          return token
        })
        .pipe(
          Effect.flatMap((token) =>
            token === undefined ? Effect.succeed(false) : Effect.as(listeners.notify([token.digest]), true),
          ),
        ),
    touch: (shop, id, now) =>
      database.attempt("Storing the use of a token", () => {
        const token = one(shop, id)
        if (token === undefined || (token.lastUsedAt !== null && token.lastUsedAt >= now)) return
        const record = JSON.stringify({ ...token, lastUsedAt: now })
        database.run("UPDATE tokens SET record = ? WHERE shop = ? AND id = ?", record, shop, id)
      }),
    onChanged: (listener) => listeners.add(listener),
  })
}
