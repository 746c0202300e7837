import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in what is dropped, and counted. */
export const upkeep: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/upkeep/Upkeep.ts", [
    {
      id: "time.begin",
      find: 'milliseconds("clock_timestamp()")',
      replace: 'milliseconds("now()")',
      caughtBy: ["time.transaction"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/Prune.ts", [
    {
      id: "prune.lock",
      find: "if (mine?.free !== true) return null",
      replace: "",
      caughtBy: ["prune.one"],
    },
    {
      id: "prune.pending",
      find: "WHERE p.queue IS NULL AND (p.created_at, p.id) <",
      replace: "WHERE (p.created_at, p.id) <",
      caughtBy: ["prune.pending"],
    },
    {
      id: "prune.keep",
      find: "OFFSET ${keep - 1}::int4",
      replace: "OFFSET ${keep}::int4",
      caughtBy: ["prune.log"],
    },
    {
      id: "prune.ties",
      find: "    ORDER BY d.created_at DESC, d.id DESC OFFSET",
      replace: "    ORDER BY d.created_at DESC, d.id OFFSET",
      caughtBy: ["prune.log.ties"],
    },
    {
      id: "prune.drop.shop",
      find: "AND d.shop = p.shop AND d.id = p.id\n",
      replace: "AND d.id = p.id\n",
      caughtBy: ["prune.shops"],
      sample: true,
    },
    {
      id: "prune.received",
      find: "FROM dropped WHERE status = 'succeeded' ON CONFLICT",
      replace: "FROM dropped ON CONFLICT",
      caughtBy: ["prune.log.failed"],
    },
    {
      id: "prune.events.lock",
      find: "USING (shop, id) FOR UPDATE OF ev SKIP LOCKED`",
      replace: "USING (shop, id)`",
      caughtBy: ["prune.add.open"],
    },
    {
      id: "prune.events.again",
      find: "WHERE ev.shop = r.shop AND ev.id = r.id AND ${unused} RETURNING",
      replace: "WHERE ev.shop = r.shop AND ev.id = r.id RETURNING",
      caughtBy: ["prune.add.race"],
    },
    {
      id: "prune.events.shop",
      find: "WHERE ev.shop = r.shop AND ev.id = r.id AND ${unused}",
      replace: "WHERE ev.id = r.id AND ${unused}",
      caughtBy: ["prune.shops"],
    },
    {
      id: "prune.events.received",
      find: "USING dropped x WHERE k.shop = x.shop AND k.event_id = x.id`",
      replace: "USING dropped x WHERE k.event_id = x.id`",
      caughtBy: ["prune.shops"],
    },
    {
      id: "prune.events.position",
      find: "position = greatest(d.position, excluded.position)",
      replace: "position = excluded.position",
      caughtBy: ["feed.dropped.later"],
    },
    {
      id: "prune.bound",
      find: "ev.created_at < ${before} AND ${unused} AS unused",
      replace: "ev.created_at <= ${before} AND ${unused} AS unused",
      caughtBy: ["prune.events"],
    },
    {
      id: "prune.steps",
      find: "last.looked < limit ? null : [last.shop, last.endpointId",
      replace: "last.looked <= limit ? null : [last.shop, last.endpointId",
      caughtBy: ["prune.steps"],
    },
    {
      id: "prune.notices",
      find: "::timestamptz AND n.next_attempt_at IS NULL",
      replace: "::timestamptz",
      caughtBy: ["notices.prune"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/Upkeep.ts", [
    {
      id: "statistics.due",
      find: "d.queue = 'scheduled' AND ${isPastDue(sql, now)} AND NOT ${isHeldBack(sql, now)}",
      replace: "false",
      caughtBy: ["due.retries"],
    },
    {
      id: "statistics.held",
      find: "inQueues(\"'scheduled', 'suspended'\")",
      replace: "inQueues(\"'scheduled'\")",
      caughtBy: ["upkeep.statistics"],
    },
    {
      id: "statistics.leased",
      find: " AND (d.leased_until IS NULL OR d.leased_until <= ${at})`",
      replace: "`",
      caughtBy: ["upkeep.statistics", "upkeep.backlog"],
    },
    {
      id: "statistics.backlog.shop",
      find: "SELECT next_attempt_at FROM first UNION ALL ",
      replace: "",
      caughtBy: ["upkeep.backlog"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/RemoveShop.ts", [
    {
      id: "remove.steps",
      find: "    left -= row?.dropped ?? 0\n",
      replace: "",
      caughtBy: ["shops.remove"],
    },
    {
      id: "remove.lock",
      find: "  yield* sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${shop} FOR UPDATE`\n",
      replace: "",
      caughtBy: ["shops.remove.waits"],
    },
    {
      id: "remove.received",
      find: '  "received",\n',
      replace: "",
      caughtBy: ["shops.remove.received"],
    },
    {
      id: "remove.mark",
      find: "if (there.length === 0 && removed.length > 0) yield* dropHoldings",
      replace: "if (removed.length > 1) yield* dropHoldings",
      caughtBy: ["shops.remove.again"],
    },
    {
      id: "remove.mark.early",
      find: "there.length === 0 && removed.length > 0",
      replace: "removed.length > 0",
      caughtBy: ["shops.remove.begun"],
    },
  ]),
]
