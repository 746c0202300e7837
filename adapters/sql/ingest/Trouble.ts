/** Events of platforms in trouble: how many there are, and the notices about them (D85). */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { InboxEntry } from "../../../core/model/ingest/InboxItem.ts"
import type { NoticeRecord } from "../../../core/model/webhooks/Notice.ts"
import type { InboxAlarm, InboxTrouble } from "../../../core/ports/Inbox.ts"
import {
  betweenTroubles,
  type Trouble,
  toldTogether,
  troubleAt,
  troubleLetters,
  troubleOf,
} from "../../../core/rules/webhooks/NoticeRules.ts"
import { fixed } from "../statements/Fixed.ts"
import { insertNotices } from "../webhooks/Notices.ts"
import { inboxColumns } from "./InboxColumns.ts"

/** Whether an event of a table `i` is in trouble (`NoticeRules.isTroubled`). The index of states finds it. */
const isTroubled = (sql: SqlClient.SqlClient, now: Instant) => {
  const { failed, unpaid, waiting } = troubleAt(now)
  return sql`i.state IN ('failed', 'waiting', 'unpaid') AND i.received_at <= CASE i.state
  WHEN 'failed' THEN ${format(failed)}::timestamptz
  WHEN 'waiting' THEN ${format(waiting)}::timestamptz ELSE ${format(unpaid)}::timestamptz END`
}

const counts = fixed(
  `count(*) FILTER (WHERE i.state = 'failed')::int4 AS failed,
  count(*) FILTER (WHERE i.state <> 'failed')::int4 AS waiting`,
)

/** The number of connections of a shop that have ended. */
const endedOf = (sql: SqlClient.SqlClient, shop: Statement.Fragment) =>
  sql`SELECT count(*)::int4 FROM designwire.platforms p WHERE p.shop = ${shop} AND p.disconnected_at IS NOT NULL`

/** The number of connections of a shop that are in trouble (`PlatformConnection.isInTrouble`). */
const troubledOf = (sql: SqlClient.SqlClient, shop: Statement.Fragment) =>
  sql`SELECT count(*)::int4 FROM designwire.platforms p WHERE p.shop = ${shop}
  AND (p.reconciling #>> '{trouble,kind}' = 'key' OR p.reconciling -> 'missing' <> '[]'::jsonb)`

/** `Inbox.trouble` */
export const trouble = (sql: SqlClient.SqlClient, shop: string, now: Instant) =>
  Effect.map(
    sql<InboxTrouble>`SELECT ${counts}, (${endedOf(sql, sql`${shop}`)}) AS ended,
  (${troubledOf(sql, sql`${shop}`)}) AS troubled
FROM designwire.inbox i WHERE i.shop = ${shop} AND ${isTroubled(sql, now)}`,
    ([row]) => row ?? { failed: 0, waiting: 0, ended: 0, troubled: 0 },
  )

/** At most this many notices are stored by one step. */
const raisedAtOnce = 100

/** The letter of an event's kind of trouble, of a table `i`. */
const letter = fixed(`CASE i.state WHEN 'failed' THEN '${troubleLetters.failed}' ELSE '${troubleLetters.waiting}' END`)

type Counted = InboxTrouble & { readonly shop: string }

/** `Inbox.raise` */
export const raise = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { after, limit, now }: { readonly now: Instant; readonly after: string | null; readonly limit: number },
) {
  const found = yield* sql<Counted>`SELECT s.id AS shop, c.failed, c.waiting, (${endedOf(sql, sql`s.id`)}) AS ended,
  (${troubledOf(sql, sql`s.id`)}) AS troubled
FROM (SELECT id FROM designwire.shops WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}::int4) s
CROSS JOIN LATERAL (
  SELECT ${counts} FROM designwire.inbox i WHERE i.shop = s.id AND ${isTroubled(sql, now)}
) c ORDER BY s.id`
  return {
    failed: found.reduce((sum, { failed }) => sum + failed, 0),
    ended: found.reduce((sum, { ended }) => sum + ended, 0),
    troubled: found.reduce((sum, { troubled }) => sum + troubled, 0),
    waiting: found.reduce((sum, { waiting }) => sum + waiting, 0),
    raised: yield* raiseIn(
      sql,
      found.filter(({ failed, waiting }) => failed + waiting > 0),
      now,
    ),
    after: found.length < limit ? null : (found.at(-1)?.shop ?? null),
  } satisfies InboxAlarm
})

/** Events in trouble, of a table `i`, that no notice of the kind has reported and one must. */
const isUntold = (sql: SqlClient.SqlClient, now: Instant) => sql`${isTroubled(sql, now)}
  AND i.received_at >= ${format(troubleAt(now).toldSince)}::timestamptz AND strpos(i.told, ${letter}) = 0`

const raiseIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, shops: ReadonlyArray<Counted>, now: Instant) {
  if (shops.length === 0) return []
  const ids = shops.map(({ shop }) => shop)
  const groups = yield* sql<{ shop: string; kind: Trouble }>`SELECT g.shop, g.kind FROM (
  SELECT DISTINCT i.shop, ${letter} AS letter, CASE i.state WHEN 'failed' THEN 'failed' ELSE 'waiting' END AS kind
  FROM designwire.inbox i WHERE i.shop = ANY(${ids}::text[]) AND ${isUntold(sql, now)}
) g WHERE NOT EXISTS (
  SELECT FROM designwire.notices n WHERE n.shop = g.shop
    AND n.created_at > ${format(now - betweenTroubles)}::timestamptz AND right(n.id, 2) = '_' || g.letter
) ORDER BY g.shop, g.kind LIMIT ${raisedAtOnce}::int4`
  const raised = yield* Effect.forEach(groups, ({ kind, shop }) => {
    const events = shops.find((counted) => counted.shop === shop)?.[kind] ?? 0
    return raiseOne(sql, { shop, kind, events, now })
  })
  return raised.flat()
})

/** Of several hosts at the same time, the others wait for the rows, find them marked then, and store no notice. */
const raiseOne = (
  sql: SqlClient.SqlClient,
  {
    events,
    kind,
    now,
    shop,
  }: { readonly shop: string; readonly kind: Trouble; readonly events: number; readonly now: Instant },
) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const marked = yield* sql<InboxEntry>`UPDATE designwire.inbox i SET told = i.told || ${letter}
WHERE i.shop = ${shop} AND i.id = ANY(ARRAY(
  SELECT i.id FROM designwire.inbox i
  WHERE i.shop = ${shop} AND (i.state = 'failed') = ${kind === "failed"} AND ${isUntold(sql, now)}
  ORDER BY i.id LIMIT ${toldTogether}::int4
)) AND ${isUntold(sql, now)} RETURNING ${inboxColumns}`
      const [oldest, ...others] = marked.toSorted((left, right) => (left.id < right.id ? -1 : 1))
      if (oldest === undefined) return []
      const record: NoticeRecord = troubleOf([oldest, ...others], Math.max(events, marked.length), now)
      yield* insertNotices(sql, [record])
      return [record]
    }),
  )
