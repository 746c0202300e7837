/** Lines of deliveries of ordered endpoints (`core/rules/webhooks/Ordering`, D53) in SQL. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { logged } from "../../../core/model/log/LogEvent.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { mapped } from "../statements/Errors.ts"
import { isOrdered, objectOf, queueOf } from "./DeliveryRules.ts"
import type { Signals } from "./Signals.ts"

/** Lines that one step lines up. */
const linedUpAtOnce = 64

/** Lines up deliveries that have joined, of one shop or of any. Returns the shops that have something new to claim. */
export const lineUp = (
  sql: SqlClient.SqlClient,
  shop: string | null,
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError> =>
  Effect.map(
    sql<{
      shop: string
    }>`SELECT DISTINCT l.shop FROM designwire.line_up_joining(${shop}::text, ${linedUpAtOnce}::int4) l (shop)`,
    (rows) => rows.map((row) => row.shop),
  )

/**
 * Lines up what the current transaction adds, once it is committed, and then signals workers. A walk does it for those
 * of whose commits we don't learn, and after a failure.
 */
export const lineUpAdded = (sql: SqlClient.SqlClient, signals: Signals["Service"], shop: string) =>
  sql.afterCommit(
    lineUp(sql, shop).pipe(
      Effect.tap((shops) => Effect.forEach(shops, (each) => signals.committed(sql, each))),
      mapped("Lining up deliveries"),
      Effect.catch((error) =>
        Effect.logWarning("Added deliveries are not in order yet; a walk puts them in order", error).pipe(
          logged("deliveries.not_lined_up"),
        ),
      ),
    ),
  )

/**
 * Fails within a transaction that doesn't see what others have committed since it began, if an endpoint has
 * lines or gets them: it would leave out what they have added.
 */
export const checkIsolation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, shop }: Pick<EndpointRecord, "shop" | "id">,
  becomesOrdered: boolean,
): Effect.fn.Return<void, StorageError | SqlError.SqlError> {
  const refused = yield* sql`SELECT 1 AS refused FROM designwire.endpoints e WHERE e.shop = ${shop} AND e.id = ${id}
  AND (${becomesOrdered}::bool OR ${isOrdered}) AND current_setting('transaction_isolation') <> 'read committed'`
  if (refused.length > 0) return yield* isolated
})

const isolated = new StorageError({
  message:
    "The events, customizers and ordering of an endpoint that is ordered can't be changed in a transaction that is " +
    "REPEATABLE READ or SERIALIZABLE: change them outside of it",
  cause: undefined,
  isRetryable: false,
})

/**
 * Puts the pending deliveries of a locked endpoint in the lines that its ordering asks for, within the transaction that
 * changes it: in the order of the feed of their events, or in none.
 */
export const reorder = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
  id: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  const ofEndpoint = sql`e.shop = ${shop} AND e.id = ${id} AND s.id = ${shop} AND d.shop = ${shop} AND d.endpoint_id = ${id}`
  yield* sql`UPDATE designwire.deliveries d SET object = NULL, place = NULL,
  queue = CASE WHEN d.queue IN ('behind', 'joining') THEN ${queueOf()} ELSE d.queue END
FROM designwire.endpoints e, designwire.shops s
WHERE ${ofEndpoint} AND NOT ${isOrdered} AND d.object IS NOT NULL AND d.queue IS NOT NULL`
  const joined = yield* sql<{ object: string }>`WITH joined AS (
  UPDATE designwire.deliveries d SET object = ${objectOf}, place = ev.position, queue = 'joining'
  FROM designwire.endpoints e, designwire.shops s, designwire.events ev
  WHERE ${ofEndpoint} AND ${isOrdered} AND d.object IS NULL AND d.queue IS NOT NULL AND NOT d.test
    AND ev.shop = d.shop AND ev.id = d.event_id AND ${objectOf} IS NOT NULL
  RETURNING d.object
)
SELECT DISTINCT object FROM joined ORDER BY object`
  // The endpoint's lock keeps others out of its lines.
  for (const { object } of joined) yield* sql`SELECT designwire.line_up(${shop}, ${id}, ${object}) AS lined_up`
})
