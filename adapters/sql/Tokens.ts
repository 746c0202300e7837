import { Effect, Exit, Layer, Option, Request, RequestResolver } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../core/model/Instant.ts"
import type { Shop } from "../../core/model/Shop.ts"
import type { TokenRecord } from "../../core/model/Token.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { mapped } from "./Errors.ts"
import { shopSettings } from "./Shops.ts"
import { TokenChanges, tokensChannel } from "./TokenChanges.ts"

interface TokenRow {
  readonly shop: string
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly digest: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const tokenColumns =
  't.shop, t.id, t.name, t.hint, t.digest, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"'

/** A token and its shop in one row. */
interface FoundRow extends TokenRow {
  readonly domain: string
  readonly currency: string
  readonly plan: Shop["plan"]
  readonly roundingStep: number
  readonly imageBase: string
}

const shop = (row: FoundRow): Shop => ({
  id: row.shop,
  domain: row.domain,
  currency: row.currency,
  plan: row.plan,
  roundingStep: row.roundingStep,
  imageBase: row.imageBase,
})

class FindToken extends Request.Class<
  { readonly digest: string },
  Option.Option<{ readonly token: TokenRecord; readonly shop: Shop }>,
  StorageError
> {}

const record = (row: TokenRow): TokenRecord => ({
  shop: row.shop,
  id: row.id,
  name: row.name,
  hint: row.hint,
  digest: row.digest,
  createdAt: row.createdAt.getTime(),
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
})

/** `TokenStore` over SQL. */
export const layer: Layer.Layer<TokenStore, never, SqlClient.SqlClient | TokenChanges> = Layer.effect(
  TokenStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = yield* TokenChanges
    const columns = sql.literal(tokenColumns)
    const ofShop = sql.literal(shopSettings("s"))

    // One statement for all the requests that come in while another is on its way.
    const finder = RequestResolver.make<FindToken>(
      Effect.fnUntraced(function* (entries) {
        const digests = entries.map((entry) => entry.request.digest)
        const rows = yield* sql<FoundRow>`SELECT ${columns}, ${ofShop}
FROM designwire.tokens t JOIN designwire.shops s ON s.id = t.shop WHERE t.digest = ANY(${digests})`
        const found = new Map(rows.map((row) => [row.digest, row]))
        for (const entry of entries) {
          const row = found.get(entry.request.digest)
          entry.completeUnsafe(
            Exit.succeed(row === undefined ? Option.none() : Option.some({ token: record(row), shop: shop(row) })),
          )
        }
      }, mapped("Finding a token")),
    )

    return {
      add: (token) =>
        sql`INSERT INTO designwire.tokens (shop, id, name, hint, digest, created_at, last_used_at)
VALUES (${token.shop}, ${token.id}, ${token.name}, ${token.hint}, ${token.digest}, ${format(token.createdAt)},
  ${token.lastUsedAt === null ? null : format(token.lastUsedAt)})`.pipe(Effect.asVoid, mapped("Storing a token")),
      list: (shop) =>
        sql<TokenRow>`SELECT ${columns} FROM designwire.tokens t WHERE t.shop = ${shop}
ORDER BY t.created_at DESC, t.id DESC`.pipe(
          Effect.map((rows) => rows.map(record)),
          mapped("Reading tokens"),
        ),
      find: (digest) => Effect.request(new FindToken({ digest }), finder),
      revoke: (shop, id) =>
        sql<{ digest: string }>`WITH revoked AS (
  DELETE FROM designwire.tokens WHERE shop = ${shop} AND id = ${id} RETURNING digest
), forgotten AS (
  DELETE FROM designwire.rate_windows WHERE shop = ${shop} AND token_id = ${id}
)
SELECT digest, pg_notify(${tokensChannel}, digest) FROM revoked`.pipe(
          mapped("Revoking a token"),
          Effect.tap((rows) => Effect.forEach(rows, ({ digest }) => changes.publish(digest), { discard: true })),
          Effect.map((rows) => rows.length > 0),
        ),
      touch: (shop, id, now) =>
        sql`UPDATE designwire.tokens SET last_used_at = ${format(now)}
WHERE shop = ${shop} AND id = ${id} AND (last_used_at IS NULL OR last_used_at < ${format(now)})`.pipe(
          Effect.asVoid,
          mapped("Recording the use of a token"),
        ),
      onChanged: changes.subscribe,
    }
  }),
)
