import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { NoticeRecord } from "../../../core/model/webhooks/Notice.ts"
import { type NoticeClaim, type NoticeClaimRequest, NoticeStore } from "../../../core/ports/NoticeStore.ts"
import { mapped } from "../statements/Errors.ts"
import { rowsOf, select } from "../statements/Table.ts"
import { inLane } from "../statements/Transaction.ts"

const fields = { shop: "text", id: "text", createdAt: "timestamptz", body: "text" } as const

const columns = select("n", fields)

/** `NoticeStore` over SQL. `next_attempt_at` is null for notices that were sent or given up. */
export const layerNotices: Layer.Layer<NoticeStore, never, SqlClient.SqlClient> = Layer.effect(
  NoticeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const upkeep = inLane(sql, "upkeep")

    const list = (shop: string, limit: number, now: Instant) =>
      sql<NoticeRecord>`SELECT ${columns} FROM designwire.notices n
WHERE n.shop = ${shop} AND n.created_at <= ${format(now)}::timestamptz
ORDER BY n.created_at DESC, n.id DESC LIMIT ${limit}`

    const claim = ({ leaseUntil, limit, now, token }: NoticeClaimRequest) =>
      sql<NoticeRecord & { readonly attempts: number }>`WITH due AS MATERIALIZED (
  SELECT n.shop, n.id FROM designwire.notices n
  WHERE n.next_attempt_at <= ${format(now)}::timestamptz AND (n.leased_until IS NULL OR n.leased_until <= ${format(now)}::timestamptz)
  ORDER BY n.next_attempt_at LIMIT ${limit}::int4 FOR UPDATE SKIP LOCKED
)
UPDATE designwire.notices n SET claim_token = ${token}, leased_until = ${format(leaseUntil)}::timestamptz
FROM due WHERE n.shop = due.shop AND n.id = due.id RETURNING ${columns}, n.attempts`.pipe(
        Effect.map((found) =>
          found.map(({ attempts, ...notice }): NoticeClaim => ({ token, notice, attempt: attempts + 1 })),
        ),
      )

    const settle = ({ attempt, notice: { id, shop }, token }: NoticeClaim, nextAttemptAt: Instant | null) =>
      sql`UPDATE designwire.notices SET next_attempt_at = ${nextAttemptAt === null ? null : format(nextAttemptAt)}::timestamptz,
  leased_until = NULL, claim_token = NULL, attempts = ${attempt}::int4
WHERE shop = ${shop} AND id = ${id} AND claim_token = ${token} RETURNING 1`.pipe(
        Effect.map((settled) => settled.length > 0),
      )

    return {
      list: (shop, limit, now) => list(shop, limit, now).pipe(mapped("Reading notices")),
      claim: (request) => upkeep(claim(request)).pipe(mapped("Claiming notices")),
      settle: (settled, nextAttemptAt) => upkeep(settle(settled, nextAttemptAt)).pipe(mapped("Settling a notice")),
    }
  }),
)

/** Adds new notices, each due when it is created. */
export const insertNotices = (sql: SqlClient.SqlClient, records: ReadonlyArray<NoticeRecord>) =>
  sql`INSERT INTO designwire.notices (shop, id, created_at, body, next_attempt_at, attempts)
SELECT r.shop, r.id, r.created_at, r.body, r.created_at, 0
FROM ${rowsOf("r", fields, records)} ON CONFLICT DO NOTHING`
