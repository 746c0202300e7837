import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in events, the feed, and the log of deliveries. */
export const events: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/events/EventStore.ts", [
    {
      id: "events.after",
      find: 'ev.id > ${after ?? ""}',
      replace: 'ev.id >= ${after ?? ""}',
      caughtBy: ["event-store.of-designs"],
    },
  ]),
  ...inFile("sql", "adapters/sql/events/Redaction.ts", [
    {
      id: "events.redact.shop",
      find: "WHERE ev.shop = ${shop} AND ev.id = r.id AND ${condition} RETURNING",
      replace: "WHERE ev.id = r.id AND ${condition} RETURNING",
      caughtBy: ["event-store.redact.shops"],
    },
    {
      id: "events.redact.condition",
      find: "AND ev.id = r.id AND ${condition} RETURNING",
      replace: "AND ev.id = r.id RETURNING",
      caughtBy: ["resources.remove.events"],
    },
  ]),
  ...inFile("sql", "adapters/sql/events/Feed.ts", [
    {
      id: "feed.ahead.shops",
      find: "WHERE e.shop = ${shop} AND e.event = k.event AND NOT e.test AND e.position >= ",
      replace: "WHERE e.event = k.event AND NOT e.test AND e.position >= ",
      caughtBy: ["feed.ahead"],
    },
    {
      id: "feed.held",
      find: "AND ${behind(sql)} < ${sql.literal(String(2 ** 30))}",
      replace: "AND ${behind(sql)} < 0",
      caughtBy: ["feed.transaction.open"],
    },
    {
      id: "feed.lanes",
      find: "(hashtext(${shop}::text) & ${sql.literal(String(lanes - 1))})",
      replace: "(hashtext(${shop}::text) & 0)",
      caughtBy: ["feed.transaction.others"],
    },
    {
      id: "feed.gone",
      find: "if (after !== null && after < dropped) return",
      replace: "if (after !== null && after < 0n) return",
      caughtBy: ["feed.dropped"],
    },
    {
      id: "feed.tests",
      find: "AND NOT e.test AND e.position <= ${upTo}",
      replace: "AND e.position <= ${upTo}",
      caughtBy: ["feed.tests.sample"],
    },
    {
      id: "feed.shop",
      find: "const ofKind = sql`e.shop = ${shop} AND e.event",
      replace: "const ofKind = sql`e.event",
      caughtBy: ["feed.order"],
    },
    {
      id: "feed.bytes",
      find: "p.reached <= ${bytes}::int4",
      replace: "p.reached < ${bytes}::int4",
      caughtBy: ["feed.bytes"],
    },
    {
      id: "feed.more",
      find: ") n ORDER BY n.position LIMIT ${limit + 1}::int4",
      replace: ") n ORDER BY n.position LIMIT ${limit}::int4",
      caughtBy: ["feed.order"],
    },
    {
      id: "feed.kinds",
      find: "unnest(${kinds}::text[]) k (event)",
      replace: "unnest(${EndpointKind.literals}::text[]) k (event)",
      caughtBy: ["feed.kinds"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/DeliveryLog.ts", [
    {
      id: "log.find.endpoint",
      find: "AND d.endpoint_id = ${endpointId} AND d.id = ${id}`",
      replace: "AND d.id = ${id}`",
      caughtBy: ["log.find"],
    },
    {
      id: "log.missed.since",
      find: "ev.created_at >= ${format(since)}",
      replace: "ev.created_at > ${format(since)}",
      caughtBy: ["log.missed"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/AttemptCounts.ts", [
    {
      id: "counts.add",
      find: "`${name} = c.${name} + excluded.${name}`",
      replace: "`${name} = excluded.${name}`",
      caughtBy: ["log.counts.outcomes", "log.counts.beside"],
    },
    {
      id: "counts.dropped",
      find: "WHERE status <> 'succeeded'",
      replace: "WHERE status = 'failed'",
      caughtBy: ["log.counts.outcomes", "log.counts.mixed"],
    },
    {
      id: "counts.until",
      find: "AND hour < ${format(until)}",
      replace: "AND hour <= ${format(until)}",
      caughtBy: ["log.counts.outcomes"],
    },
    {
      id: "activity.step",
      find: "hour, ${format(span.from)}::timestamptz)",
      replace: "hour, 'epoch'::timestamptz)",
      caughtBy: ["views.activity"],
    },
    {
      id: "waiting.scheduled",
      find: "${countIn(\"'scheduled', 'suspended'\")}",
      replace: "${countIn(\"'scheduled'\")}",
      caughtBy: ["log.waiting"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/Prune.ts", [
    {
      id: "counts.prune",
      find: "c.hour < ${format(eventsBefore)}",
      replace: "c.hour <= ${format(eventsBefore)}",
      caughtBy: ["log.counts.gone"],
    },
  ]),
]
