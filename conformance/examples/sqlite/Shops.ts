import { NoticeRules } from "designwire"
import { RateLimits, type Shop, ShopStore, type TokenRecord, TokenStore } from "designwire/ports"
import { Effect, Option } from "effect"
import { addChange } from "./Audit.ts"
import { tables } from "./Database.ts"
import { addNotices } from "./Events.ts"
import type { Host } from "./Host.ts"

/** Shops, and everything that is removed with them. */
export const makeShops = (host: Host): ShopStore["Service"] => {
  const { database } = host
  const digestsOf = (shop: string) =>
    database.all<{ digest: string }>("SELECT digest FROM tokens WHERE shop = ?", shop).map(({ digest }) => digest)
  const clear = (shop: string) => {
    for (const table of tables) database.run(`DELETE FROM ${table} WHERE shop = ?`, shop)
  }
  return ShopStore.of({
    find: (id) =>
      database.attempt("Reading a shop", () =>
        Option.fromUndefinedOr(database.record<Shop>("SELECT record FROM shops WHERE id = ?", id)),
      ),
    // It is removed in one step.
    isComplete: (id) =>
      database.attempt("Reading a shop", () => database.first("SELECT 1 FROM shops WHERE id = ?", id) !== undefined),
    list: database.attempt("Reading shops", () => database.records<Shop>("SELECT record FROM shops ORDER BY id")),
    put: (shop, audited) =>
      database
        .attempt("Storing a shop", () => {
          // Rows that concurrent calls have stored since the removal.
          if (database.run("DELETE FROM removed WHERE shop = ?", shop.id) > 0) clear(shop.id)
          const before = database.record<Shop>("SELECT record FROM shops WHERE id = ?", shop.id)
          addChange(database, audited, before, shop)
          database.run("INSERT OR REPLACE INTO shops VALUES (?, ?, ?)", shop.id, shop.plan, JSON.stringify(shop))
          return digestsOf(shop.id)
        })
        .pipe(
          Effect.tap(() => Effect.sync(() => host.wake([shop.id]))),
          Effect.flatMap((digests) => host.tell(digests)),
        ),
    remove: ({ shop }) =>
      database
        .attempt("Removing a shop", () => {
          const digests = digestsOf(shop)
          if (database.run("DELETE FROM shops WHERE id = ?", shop) === 0) return []
          database.run("INSERT OR IGNORE INTO removed VALUES (?)", shop)
          clear(shop)
          return digests
        })
        .pipe(
          Effect.flatMap((digests) => host.tell(digests)),
          Effect.as(true),
        ),
  })
}

/** Tokens by their digests. */
export const makeTokens = (host: Host): TokenStore["Service"] => {
  const { database } = host
  const one = (shop: string, id: string) =>
    database.record<TokenRecord>("SELECT record FROM tokens WHERE shop = ? AND id = ?", shop, id)
  return TokenStore.of({
    // Hosts are not notified of one another's revocations.
    caughtUp: Effect.succeed(false),
    add: (token, maximum, audited) =>
      database.attempt("Storing a token", () => {
        const { createdAt, digest, id, shop } = token
        const kept = database.first<{ count: number }>("SELECT count(*) AS count FROM tokens WHERE shop = ?", shop)
        if ((kept?.count ?? 0) >= maximum) return false
        database.run("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", shop, id, digest, createdAt, JSON.stringify(token))
        addNotices(database, NoticeRules.endingOf(token))
        addChange(database, audited, undefined, token)
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
    revoke: (shop, id, audited) =>
      database
        .attempt("Revoking a token", () => {
          const token = one(shop, id)
          database.run("DELETE FROM tokens WHERE shop = ? AND id = ?", shop, id)
          const unsent = "DELETE FROM notices WHERE shop = ? AND id = ? AND due IS NOT NULL"
          database.run(unsent, shop, NoticeRules.endingId(id))
          addChange(database, audited, token, undefined)
          return token
        })
        .pipe(
          Effect.flatMap((token) =>
            token === undefined ? Effect.succeed(false) : Effect.as(host.tell([token.digest]), true),
          ),
        ),
    touch: (shop, id, now) =>
      database.attempt("Storing the use of a token", () => {
        const token = one(shop, id)
        if (token === undefined || (token.lastUsedAt !== null && token.lastUsedAt >= now)) return
        const record = JSON.stringify({ ...token, lastUsedAt: now })
        database.run("UPDATE tokens SET record = ? WHERE shop = ? AND id = ?", record, shop, id)
      }),
    onChanged: (listener) => host.listen(listener),
  })
}

/** Times of counted requests, at most the limit per window. */
export const makeRateLimits = ({ database }: Host): RateLimits["Service"] => {
  const timesOf = (shop: string, tokenId: string): Array<number> => {
    const kept = database.first<{ times: string }>(
      "SELECT times FROM counted WHERE shop = ? AND token = ?",
      shop,
      tokenId,
    )
    return kept === undefined ? [] : JSON.parse(kept.times)
  }
  return RateLimits.of({
    take: ({ now, rate: { limit, window }, shop, tokenId }) =>
      database.attempt("Counting a request", () => {
        const kept = timesOf(shop, tokenId)
        // A clock behind the latest counted request is treated as being there.
        const at = Math.max(now, kept.at(-1) ?? now)
        const times = kept.filter((time) => time > at - window)
        const accepted = times.length < limit
        if (accepted) {
          times.push(at)
          database.run("INSERT OR REPLACE INTO counted VALUES (?, ?, ?)", shop, tokenId, JSON.stringify(times))
        }
        // After the limit was lowered, several must expire before the next is accepted.
        const leaves = times[accepted ? 0 : times.length - limit] ?? at
        return { accepted, remaining: Math.max(0, limit - times.length), resetAfter: leaves + window - now }
      }),
    peek: ({ now, rate: { limit, window }, shop, tokenId }) =>
      database.attempt("Reading counted requests", () => {
        const kept = timesOf(shop, tokenId)
        const at = Math.max(now, kept.at(-1) ?? now)
        const times = kept.filter((time) => time > at - window)
        const leaves = times[Math.max(0, times.length - limit)]
        return {
          remaining: Math.max(0, limit - times.length),
          resetAfter: leaves === undefined ? 0 : leaves + window - now,
        }
      }),
  })
}
