import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { allScopes, type TokenRecord } from "../../../core/model/access/Token.ts"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { type FoundToken, TokenStore } from "../../../core/ports/TokenStore.ts"
import { endingId, endingOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { insertEntry } from "../audit/Audit.ts"
import { moved } from "../shops/Moved.ts"
import { shopColumns } from "../shops/Shops.ts"
import { batched } from "../statements/Batch.ts"
import { mapped } from "../statements/Errors.ts"
import { keys, rows } from "../statements/Rows.ts"
import { columnsOf, select, valuesOf } from "../statements/Table.ts"
import { inLane, inTransaction } from "../statements/Transaction.ts"
import { insertNotices } from "../webhooks/Notices.ts"
import { notifyHosts, TokenChanges } from "./TokenChanges.ts"

const fields = {
  shop: "text",
  id: "text",
  name: "text",
  hint: "text",
  digest: "text",
  createdAt: "timestamptz",
  lastUsedAt: "timestamptz",
  expiresAt: "timestamptz",
  scopes: "text[]",
} as const

/** A token in a result row: drivers disagree about lists, but all read a text alike. */
interface TokenRow extends Omit<TokenRecord, "scopes"> {
  /** Separated by commas; `null` for all, e.g. of a token from before there were scopes. */
  readonly scopes: string | null
}

/** A token and its shop in one row. */
interface FoundRow extends TokenRow {
  readonly domain: string
  readonly currency: string
  readonly plan: Shop["plan"]
  readonly roundingStep: number
  readonly imageBase: string
}

interface Use {
  readonly shop: string
  readonly id: string
  readonly now: number
}

const shop = (row: FoundRow): Shop => ({
  id: row.shop,
  domain: row.domain,
  currency: row.currency,
  plan: row.plan,
  roundingStep: row.roundingStep,
  imageBase: row.imageBase,
})

const record = (row: TokenRow): TokenRecord => ({
  shop: row.shop,
  id: row.id,
  name: row.name,
  hint: row.hint,
  digest: row.digest,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  expiresAt: row.expiresAt,
  scopes: row.scopes === null ? allScopes : (row.scopes.split(",") as TokenRecord["scopes"]),
})

/**
 * The tokens among these, which were not found, whose shops have left this database, are not open in it yet, or have
 * been opened since.
 */
const movedTokens = (sql: SqlClient.SqlClient, digests: ReadonlyArray<string>) =>
  sql<{ digest: string; shop: string }>`SELECT t.digest, t.shop FROM designwire.tokens t
WHERE t.digest = ANY(${digests}) AND (
  EXISTS (SELECT FROM designwire.moves m WHERE m.shop = t.shop AND m.state <> 'copying')
  OR EXISTS (SELECT FROM designwire.shops s WHERE s.id = t.shop)
)`

/** `TokenStore` over SQL. */
export const layerTokens: Layer.Layer<TokenStore, never, SqlClient.SqlClient | TokenChanges> = Layer.effect(
  TokenStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = yield* TokenChanges
    const columns = select("t", fields)
    const ofShop = shopColumns("s")

    const find = yield* batched({
      concurrency: 1,
      run: (digests: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const rowsFound = yield* sql<FoundRow>`SELECT ${columns}, ${ofShop}
FROM ${keys(sql, digests)} JOIN designwire.tokens t ON t.digest = k.key JOIN designwire.shops s ON s.id = t.shop`
          // One object for all tokens of a shop: they are kept in memory for long.
          const shops = new Map(rowsFound.map((row) => [row.shop, shop(row)]))
          const found = new Map<string, Omit<FoundToken, "committed"> | StorageError>(
            rowsFound.map((row) => [row.digest, { token: record(row), shop: shops.get(row.shop) as Shop }]),
          )
          const missing = digests.filter((digest) => !found.has(digest))
          if (missing.length > 0) {
            for (const { digest, shop } of yield* movedTokens(sql, missing)) found.set(digest, moved(shop))
          }
          return digests.map((digest) => found.get(digest))
        }).pipe(mapped("Finding a token")),
    })

    const upkeep = inLane(sql, "upkeep")
    // Few statements: each waits for the disk. Each token once, with its latest use;
    // locked in one order by all hosts, or two statements could wait for each other.
    const touch = yield* batched({
      concurrency: 1,
      pause: "100 millis",
      groupOf: (use: Use) => use.shop,
      run: (uses) =>
        upkeep(sql`WITH used AS (
  SELECT u.shop, u.id, max(u.at) AS at FROM ${rows(
    "u",
    { shop: "text", id: "text", at: "timestamptz" },
    uses.map(({ id, now, shop }) => ({ shop, id, at: now })),
  )}
  GROUP BY u.shop, u.id
), locked AS (
  SELECT t.shop, t.id, used.at FROM used JOIN designwire.tokens t ON t.shop = used.shop AND t.id = used.id
  ORDER BY t.shop, t.id FOR UPDATE OF t
)
UPDATE designwire.tokens t SET last_used_at = l.at FROM locked l
WHERE t.shop = l.shop AND t.id = l.id AND (t.last_used_at IS NULL OR t.last_used_at < l.at)`).pipe(
          Effect.as(uses.map(() => undefined)),
          mapped("Recording the use of tokens"),
        ),
    })

    return {
      add: (token, maximum, audited) =>
        sql.withTransaction(add(sql, token, maximum, audited)).pipe(
          Effect.map((added) => added.length > 0),
          mapped("Storing a token"),
        ),
      list: (shop) =>
        sql<TokenRow>`SELECT ${columns} FROM designwire.tokens t WHERE t.shop = ${shop}
ORDER BY t.created_at DESC, t.id DESC`.pipe(
          Effect.map((found) => found.map(record)),
          mapped("Reading tokens"),
        ),
      find: (digest) =>
        Effect.flatMap(Effect.all([inTransaction(sql), find(digest)]), ([within, found]) =>
          found instanceof StorageError
            ? Effect.fail(found)
            : Effect.succeed(Option.map(Option.fromUndefinedOr(found), (each) => ({ ...each, committed: !within }))),
        ),
      // Within a transaction, so that nothing takes effect of a call that is interrupted while it waits for a lock (D49).
      revoke: (shop, id, audited) =>
        sql
          .withTransaction(
            Effect.tap(
              sql<TokenRow>`WITH revoked AS (
  DELETE FROM designwire.tokens t WHERE t.shop = ${shop} AND t.id = ${id} RETURNING ${columns}
), forgotten AS (
  DELETE FROM designwire.rate_windows WHERE shop = ${shop} AND token_id = ${id}
), untold AS (
  DELETE FROM designwire.notices WHERE shop = ${shop} AND id = ${endingId(id)} AND next_attempt_at IS NOT NULL
)
SELECT *, ${notifyHosts(sql)} AS notified FROM revoked`,
              (revoked) =>
                Effect.andThen(
                  insertEntry(sql, revoked[0] && audited?.(record(revoked[0]), null)),
                  changes.committed(sql, revoked),
                ),
            ),
          )
          .pipe(
            Effect.map((rows) => rows.length > 0),
            mapped("Revoking a token"),
          ),
      touch: (shop, id, now) => touch({ shop, id, now }),
      onChanged: changes.subscribe,
      caughtUp: changes.caughtUp(sql),
    }
  }),
)

const add = (
  sql: SqlClient.SqlClient,
  token: TokenRecord,
  maximum: number,
  audited: Audited<TokenRecord> | undefined,
) =>
  // Racing calls wait for the shop's row, so that the one behind sees what the one before has added.
  sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${token.shop} FOR NO KEY UPDATE`.pipe(
    Effect.andThen(sql`INSERT INTO designwire.tokens (${columnsOf(fields)}) SELECT ${valuesOf(sql, fields, token)}
WHERE (SELECT count(*) FROM designwire.tokens WHERE shop = ${token.shop}) < ${maximum}::int4 RETURNING 1 AS added`),
    Effect.tap((added) => {
      if (added.length === 0) return Effect.void
      const noted = Effect.forEach(endingOf(token), (notice) => insertNotices(sql, [notice]), { discard: true })
      return Effect.andThen(noted, insertEntry(sql, audited?.(null, token)))
    }),
  )
