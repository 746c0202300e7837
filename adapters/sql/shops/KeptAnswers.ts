import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import { KeptAnswers, type RepeatableRequest, type RequestOutcome } from "../../../core/ports/KeptAnswers.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { changeWithin } from "../statements/ChangeWithin.ts"
import { mapped } from "../statements/Errors.ts"

/** `KeptAnswers` over SQL. */
export const layerKeptAnswers: Layer.Layer<KeptAnswers, never, SqlClient.SqlClient> = Layer.effect(
  KeptAnswers,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    once: <E, R>(request: RepeatableRequest, change: Effect.Effect<string, E, R>) =>
      changeWithin<RequestOutcome, E, R>(sql, "Keeping an answer", (marked) => once(sql, request, marked(change))),
    eraseTexts: (shop) =>
      sql
        .withTransaction(
          sql`UPDATE designwire.kept_answers SET answer = NULL WHERE shop = ${shop} AND has_texts AND answer IS NOT NULL`,
        )
        .pipe(Effect.asVoid, mapped("Erasing kept answers")),
  })),
)

/**
 * Carries out a change within a transaction, and keeps its answer in the same one. Others with the key see its lock
 * until the transaction ends, and then its record. The record comes last: an open transaction that has written holds
 * back the feeds.
 */
const once = Effect.fnUntraced(function* <E, R>(
  sql: SqlClient.SqlClient,
  { hasTexts, key, now, request, shop, until }: RepeatableRequest,
  change: Effect.Effect<string, E, R>,
) {
  const [lock] = yield* sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(
  hashtextextended('designwire.' || ${shop}::text || ' ' || ${key}::text, 7361950041)) AS free`
  if (lock?.free !== true) return { _tag: "UnderWay" } as RequestOutcome
  // By a statement of its own, which sees what was committed before the lock was free.
  const [kept] = yield* sql<{ request: string; answer: string | null }>`SELECT request, answer
FROM designwire.kept_answers WHERE shop = ${shop} AND key = ${key} AND until > ${format(now)}::timestamptz`
  if (kept !== undefined) return { _tag: "Kept", request: kept.request, answer: kept.answer } as RequestOutcome
  const answer = yield* change
  const stored = yield* sql`INSERT INTO designwire.kept_answers (shop, key, request, answer, has_texts, until)
VALUES (${shop}, ${key}, ${request}, ${answer}, ${hasTexts}::bool, ${format(until)}::timestamptz)
ON CONFLICT (shop, key) DO UPDATE SET request = excluded.request, answer = excluded.answer, has_texts = excluded.has_texts,
  until = excluded.until WHERE kept_answers.until <= ${format(now)}::timestamptz RETURNING 1 AS stored`
  // The transaction does not see what others have committed since it began.
  if (stored.length === 0) return yield* notSeen
  return { _tag: "Done", answer } as RequestOutcome
})

const notSeen = new StorageError({
  message: "Keeping an answer: another request with the same key was carried out at the same time",
  cause: undefined,
  isRetryable: true,
})
