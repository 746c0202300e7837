import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as Health from "../../../core/model/Health.ts"
import * as AttemptCounts from "../../../core/model/webhooks/AttemptCounts.ts"
import type { NoticeRecord } from "../../../core/model/webhooks/Notice.ts"
import type { Claim, Settlement } from "../../../core/ports/DeliveryQueue.ts"
import { entriesOf, noticesOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { insertEntries } from "../audit/Audit.ts"
import { hintFew, rows } from "../statements/Rows.ts"
import { countAttempts } from "./AttemptCounts.ts"
import { queueOf, staysDropped } from "./DeliveryRules.ts"
import { lockHealth, storeHealth } from "./Health.ts"
import { insertNotices } from "./Notices.ts"
import { leftUnderWay, someAreBounded } from "./Paces.ts"
import type { Signals } from "./Signals.ts"

type Advance = (health: Health.Health, settlement: Settlement) => Health.Health

interface StoredRow {
  readonly shop: string
  readonly id: string
  readonly token: string
  /** Whether it stood in a line (D53). */
  readonly ordered: boolean
}

/**
 * Stores ended attempts (`DeliveryQueue.settle`).
 *
 * Most are successes at healthy endpoints, which change nothing about the endpoint: one statement serves those. If any
 * of a batch is different, the whole batch takes the general path.
 */
export const settle = (
  sql: SqlClient.SqlClient,
  signals: Signals["Service"],
  settlements: ReadonlyArray<Settlement>,
  advance: Advance,
): Effect.Effect<ReadonlyArray<boolean>, SqlError.SqlError> => {
  const isPlain =
    settlements.every(
      (each) => each.nextAttemptAt === null && Health.equals(Health.healthy, advance(Health.healthy, each)),
    ) && new Set(settlements.map(({ claim }) => keyOf(claim))).size === settlements.length
  if (!isPlain) return settleAll(sql, signals, settlements, advance)
  return Effect.flatMap(settleHealthy(sql, settlements), (stored) => {
    if (stored.length === 0) return settleAll(sql, signals, settlements, advance)
    const keys = new Set(stored.map(storedKey))
    const tookEffect = settlements.map(({ claim }) => keys.has(keyOf(claim)))
    return Effect.as(signalLines(sql, signals, stored), tookEffect)
  })
}

/** Key of a claim: the same delivery claimed again is a different claim. */
const keyOf = (claim: Pick<Claim, "shop" | "deliveryId" | "token">): string =>
  JSON.stringify([claim.token, claim.shop, claim.deliveryId])

const storedKey = ({ id, shop, token }: Pick<StoredRow, "id" | "shop" | "token">): string =>
  keyOf({ shop, deliveryId: id, token })

/** The settlements as rows `r`, named like the columns of `deliveries` that they set. */
const settlementRows = (settlements: ReadonlyArray<Settlement>) =>
  rows(
    "r",
    {
      shop: "text",
      id: "text",
      endpoint_id: "text",
      token: "text",
      status: "text",
      next_attempt_at: "timestamptz",
      attempts: "int4",
      attempt: "jsonb",
      hour: "timestamptz",
      class: "int4",
    },
    settlements.map(({ attempt, claim, nextAttemptAt, status }) => ({
      shop: claim.shop,
      id: claim.deliveryId,
      endpoint_id: claim.endpointId,
      token: claim.token,
      status,
      next_attempt_at: nextAttemptAt,
      attempts: attempt.number,
      attempt: { ...attempt, durationMs: Math.round(attempt.durationMs) },
      hour: AttemptCounts.hourOf(attempt.at),
      class: AttemptCounts.durationClass(attempt.durationMs),
    })),
  )

/**
 * Stores the outcomes of `r` whose claims are current, with their attempts in the log and in the counts. Returns these.
 * The endpoints must be locked: others that count attempts of one wait for it.
 */
const storeOutcomes = (
  sql: SqlClient.SqlClient,
  settlements: ReadonlyArray<Settlement>,
  parts: {
    /** Statements before it. */
    readonly before: Statement.Fragment
    /** The new queue of a delivery. */
    readonly queue: Statement.Fragment
    /** Further tables, and the condition on all of them. */
    readonly from: Statement.Fragment
  },
) => {
  const dropped = staysDropped
  return sql<StoredRow>`WITH r AS MATERIALIZED (
  SELECT * FROM ${settlementRows(settlements)} WHERE ${hintFew("r.token")}
)${parts.before}, stored AS (
  UPDATE designwire.deliveries d SET status = CASE WHEN ${dropped} THEN d.status ELSE r.status END,
    next_attempt_at = CASE WHEN ${dropped} THEN NULL ELSE r.next_attempt_at END,
    queue = CASE WHEN ${dropped} THEN NULL ELSE ${parts.queue} END,
    claim_token = NULL, leased_until = NULL, attempts = r.attempts, attempt_log = d.attempt_log || r.attempt
  FROM r${parts.from} AND d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token
  RETURNING d.shop, d.id, d.endpoint_id, d.object, d.test, r.token, r.hour, r.status, r.class
), ${countAttempts}${leaveUnderWay(sql, settlements)}
SELECT shop, id, token, object IS NOT NULL AS ordered FROM stored`
}

/** Attempts that end with these settlements leave the places of endpoints with a pace (D54). */
const leaveUnderWay = (sql: SqlClient.SqlClient, settlements: ReadonlyArray<Settlement>) =>
  someAreBounded(settlements.map(({ claim }) => claim))
    ? sql`, ended AS (SELECT shop, endpoint_id, id FROM stored), ${leftUnderWay}`
    : sql``

/**
 * Stores and returns nothing if one of the endpoints is not healthy. Locks like {@link settleAll}: a change of an
 * endpoint locks it before its deliveries, too, so that neither waits for the other.
 */
const settleHealthy = (sql: SqlClient.SqlClient, settlements: ReadonlyArray<Settlement>) =>
  storeOutcomes(sql, settlements, {
    before: sql`, health AS MATERIALIZED (
  SELECT e.status = 'active' AND e.consecutive_failures = 0 AND e.switched_off_at IS NULL AND e.proven AND NOT e.troubled AS healthy FROM designwire.endpoints e
  JOIN (SELECT DISTINCT shop, endpoint_id AS id FROM r) k USING (shop, id)
  ORDER BY e.shop, e.id FOR NO KEY UPDATE OF e
)`,
    queue: sql`NULL`,
    from: sql` WHERE (SELECT bool_and(healthy) FROM health)`,
  })

/** Signals workers that lines may have gone on. */
const signalLines = (sql: SqlClient.SqlClient, signals: Signals["Service"], stored: ReadonlyArray<StoredRow>) =>
  Effect.forEach(
    new Set(stored.flatMap(({ ordered, shop }) => (ordered ? shop : []))),
    (shop) => signals.committed(sql, shop),
    { discard: true },
  )

const settleAll = (
  sql: SqlClient.SqlClient,
  signals: Signals["Service"],
  settlements: ReadonlyArray<Settlement>,
  advance: Advance,
) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const endpoints = yield* lockHealth(
        sql,
        settlements.map(({ claim }) => ({ shop: claim.shop, id: claim.endpointId })),
      )
      // Of two settlements of one claim the first takes effect.
      const first = new Map(settlements.toReversed().map((each) => [keyOf(each.claim), each]))
      const stored = yield* storeOutcomes(sql, [...first.values()], {
        before: sql``,
        queue: sql`CASE WHEN r.status = 'pending' AND d.queue IN ('behind', 'joining') THEN d.queue ELSE ${queueOf("r")} END`,
        from: sql`, designwire.endpoints e, designwire.shops s
  WHERE e.shop = d.shop AND e.id = d.endpoint_id AND s.id = d.shop`,
      })
      const keys = new Set(stored.map(storedKey))
      const tookEffect = settlements.map((each) => {
        const key = keyOf(each.claim)
        return first.get(key) === each && keys.has(key)
      })
      const effective = settlements.filter((_, index) => tookEffect[index])
      const notices: Array<NoticeRecord> = []
      for (const endpoint of endpoints) {
        const own = effective.filter(({ claim }) => claim.shop === endpoint.shop && claim.endpointId === endpoint.id)
        let health = Health.of(endpoint)
        for (const settlement of own) {
          const after = advance(health, settlement)
          notices.push(...noticesOf(settlement, health, after))
          health = after
        }
        yield* storeHealth(sql, endpoint, health)
      }
      if (notices.length > 0) yield* insertNotices(sql, notices)
      const entries = entriesOf(notices)
      if (entries.length > 0) yield* insertEntries(sql, entries)
      yield* signalLines(sql, signals, stored)
      return tookEffect
    }),
  )
