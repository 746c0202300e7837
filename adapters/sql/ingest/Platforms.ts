/** Connections of shops to platforms, as part of `Inbox` over SQL. */
import { Effect, Option, Result } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import {
  type GivenSettings,
  neverAsked,
  nothingGiven,
  type PlatformRecord,
  type Reconciling,
} from "../../../core/model/ingest/PlatformConnection.ts"
import { DomainTaken, type Inbox, type WhichPlatforms } from "../../../core/ports/Inbox.ts"
import { disconnectionOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { insertEntry, lockCreation } from "../audit/Audit.ts"
import { mapped } from "../statements/Errors.ts"
import { columnsOf, select, valuesOf } from "../statements/Table.ts"
import { insertNotices } from "../webhooks/Notices.ts"

const fields = {
  shop: "text",
  platform: "text",
  domain: "text",
  secret: "text",
  formerSecret: "text",
  formerUntil: "timestamptz",
  accessKey: "text",
  settings: "jsonb",
  createdAt: "timestamptz",
  changedAt: "timestamptz",
  disconnectedAt: "timestamptz",
  dueAt: "timestamptz",
  reconciling: "jsonb",
} as const

const columns = select("p", fields)

interface PlatformRow extends Omit<PlatformRecord, "former" | "settings" | "reconciling"> {
  readonly formerSecret: string | null
  readonly formerUntil: Instant | null
  /** JSON of those that were ever given. */
  readonly settings: string
  /** JSON; `null` in rows of earlier versions. */
  readonly reconciling: string | null
}

const recordOf = ({ formerSecret, formerUntil, reconciling, settings, ...row }: PlatformRow): PlatformRecord => ({
  ...row,
  former: formerSecret === null || formerUntil === null ? null : { secret: formerSecret, until: formerUntil },
  settings: { ...nothingGiven, ...(JSON.parse(settings) as Partial<GivenSettings>) },
  reconciling: reconciling === null ? neverAsked : (JSON.parse(reconciling) as Reconciling),
})

const written = ({ former, ...record }: PlatformRecord) => ({
  ...record,
  formerSecret: former?.secret ?? null,
  formerUntil: former?.until ?? null,
})

type Methods = Pick<Inbox["Service"], "platforms" | "updatePlatform">

/** The condition of connections `p`, with their order. */
const isAsked = (sql: SqlClient.SqlClient, which: WhichPlatforms): Statement.Fragment => {
  if ("shop" in which) return sql`p.shop = ${which.shop} ORDER BY p.shop, p.platform`
  if ("domain" in which) {
    return sql`p.platform = ${which.platform} AND p.domain = ${which.domain} ORDER BY p.shop LIMIT 1`
  }
  if ("dueAt" in which) {
    return sql`p.access_key IS NOT NULL AND (p.due_at IS NULL OR p.due_at <= ${format(which.dueAt)}::timestamptz)
ORDER BY p.due_at NULLS FIRST, p.shop, p.platform LIMIT ${which.limit}::int4`
  }
  const { after, limit } = which
  const later = after === null ? sql`true` : sql`(p.shop, p.platform) > (${after.shop}, ${after.platform})`
  return sql`${later} ORDER BY p.shop, p.platform LIMIT ${limit}::int4`
}

/** The methods of `Inbox` about connections. */
export const platformMethods = (sql: SqlClient.SqlClient): Methods => ({
  platforms: (which) =>
    sql<PlatformRow>`SELECT ${columns} FROM designwire.platforms p WHERE ${isAsked(sql, which)}`.pipe(
      Effect.map((rows) => rows.map(recordOf)),
      mapped("Reading the platforms of shops"),
    ),
  updatePlatform: (shop, platform, change, audited) =>
    sql
      .withTransaction(update(sql, { shop, platform }, change, audited))
      .pipe(mapped("Changing a platform of a shop"), Effect.flatMap(Effect.fromResult)),
})

/** Changes a connection within a transaction. Without a row to lock, calls wait for each other by its name. */
const update = Effect.fnUntraced(function* <E>(
  sql: SqlClient.SqlClient,
  { platform, shop }: { readonly shop: string; readonly platform: IngestSource },
  change: (record: PlatformRecord | null) => Result.Result<PlatformRecord | null, E>,
  audited: Audited<PlatformRecord> | undefined,
): Effect.fn.Return<Result.Result<Option.Option<PlatformRecord>, E | DomainTaken>, SqlError.SqlError> {
  yield* lockCreation(sql, "platform", shop, platform)
  const [row] = yield* sql<PlatformRow>`SELECT ${columns} FROM designwire.platforms p
WHERE p.shop = ${shop} AND p.platform = ${platform}`
  const before = row === undefined ? null : recordOf(row)
  const changed = change(before)
  if (Result.isFailure(changed)) return Result.fail(changed.failure)
  const after = changed.success
  if (after === null) {
    yield* sql`DELETE FROM designwire.platforms WHERE shop = ${shop} AND platform = ${platform}`
  } else {
    if (after.domain !== before?.domain) {
      yield* lockCreation(sql, "platform domain", platform, after.domain)
      const others = yield* sql`SELECT 1 AS taken FROM designwire.platforms p
WHERE p.platform = ${platform} AND p.domain = ${after.domain} AND p.shop <> ${shop}`
      if (others.length > 0) return Result.fail(new DomainTaken())
    }
    yield* sql`INSERT INTO designwire.platforms (${columnsOf(fields)}) VALUES (${valuesOf(sql, fields, written(after))})
ON CONFLICT (shop, platform) DO UPDATE SET domain = excluded.domain, secret = excluded.secret,
  former_secret = excluded.former_secret, former_until = excluded.former_until, access_key = excluded.access_key,
  settings = excluded.settings, changed_at = excluded.changed_at, disconnected_at = excluded.disconnected_at,
  due_at = excluded.due_at, reconciling = excluded.reconciling`
    const notices = disconnectionOf(before, after)
    if (notices.length > 0) yield* insertNotices(sql, notices)
  }
  if (before !== null || after !== null) yield* insertEntry(sql, audited?.(before, after))
  return Result.succeed(Option.fromNullOr(after))
})
