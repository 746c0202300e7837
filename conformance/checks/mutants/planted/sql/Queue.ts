import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in adding, recovering and releasing deliveries, and in the rules for these. */
export const queue: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/queue/DeliveryQueue.ts", [
    {
      id: "release.token",
      find: " AND d.claim_token = r.token\nRETURNING d.shop, d.endpoint_id, d.id`",
      replace: "\nRETURNING d.shop, d.endpoint_id, d.id`",
      caughtBy: ["release.old"],
    },
    {
      id: "release.shop",
      find: "WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token",
      replace: "WHERE d.id = r.id AND d.claim_token",
      caughtBy: ["release.shops"],
    },
    {
      id: "release.keeps-token",
      find: "SET claim_token = NULL, leased_until = NULL\nFROM ${claimRows",
      replace: "SET leased_until = NULL\nFROM ${claimRows",
      caughtBy: ["release.settle"],
    },
    {
      id: "add.keep",
      find: "AND id = ${id} FOR KEY SHARE`",
      replace: "AND id = ${id}`",
      caughtBy: ["prune.add.open"],
    },
    {
      id: "add.signal",
      find: "      yield* signals.committed(sql, delivery.shop)\n      return true",
      replace: "      return true",
      subject: "pglite",
      caughtBy: ["signals.add.here"],
    },
    {
      id: "recover.since",
      find: "ON ev.shop = e.shop AND ev.created_at >= ${format(since)}",
      replace: "ON ev.shop = e.shop AND ev.created_at > ${format(since)}",
      caughtBy: ["recover.missed"],
    },
    {
      id: "recover.due",
      find: "${format(now)}::timestamptz AS next_attempt_at",
      replace: "ev.created_at AS next_attempt_at",
      caughtBy: ["recover.missed"],
    },
    {
      id: "recover.signal",
      find: "added > 0 ? signals.committed(sql, shop) : Effect.void",
      replace: "Effect.void",
      subject: "pglite",
      caughtBy: ["signals.recover.here"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/DeliveryRules.ts", [
    {
      id: "rules.dropped.test",
      find: "(d.queue IS NOT NULL AND NOT d.test AND NOT",
      replace: "(d.queue IS NOT NULL AND NOT",
      caughtBy: ["dropped.pending"],
    },
    {
      id: "rules.wanted.one",
      find: "'{data,order,designs}'",
      replace: "'{data,order,none}'",
      caughtBy: ["wanted.new"],
    },
    {
      id: "rules.wanted.named",
      find: "e.options -> 'customizers' @> (g #> '{customizer,id}')",
      replace: "g #> '{customizer,id}' IS NOT NULL",
      caughtBy: ["wanted.new"],
    },
    {
      id: "rules.wanted.readable",
      find: "SELECT ${readable(of)}::jsonb",
      replace: "SELECT ${of}.body::jsonb",
      caughtBy: ["wanted.new"],
    },
    {
      id: "rules.wanted.dropped",
      find: 'NOT d.test AND NOT ${isWanted("ev")})`',
      replace: "NOT d.test AND d.event <> ALL(e.kinds))`",
      caughtBy: ["wanted.changed"],
    },
    {
      id: "rules.wanted.missed",
      find: '`(NOT ev.test AND ${isWanted("ev")} AND',
      replace: "`(NOT ev.test AND ev.event = ANY(e.kinds) AND",
      caughtBy: ["wanted.changed"],
    },
    {
      id: "rules.dropped.settled",
      find: "(d.status = 'dropped' AND r.status = 'pending')",
      replace: "(d.status = 'dropped' AND r.status = 'none')",
      caughtBy: ["dropped.claimed"],
    },
    {
      id: "rules.plan",
      find: "`s.plan IN (${plansWithApi",
      replace: "`s.plan NOT IN (${plansWithApi",
      caughtBy: ["events.commit.free"],
    },
    {
      id: "rules.tests-off",
      find: "CASE WHEN e.status = 'active' THEN true ELSE d.test END",
      replace: "e.status = 'active'",
      caughtBy: ["claim.test"],
    },
    {
      id: "rules.missed.first",
      find: "WHERE ${ofEvent.first} AND d.status NOT IN ('failed', 'dropped')",
      replace: "WHERE ${ofEvent.first}",
      caughtBy: ["recover.received"],
    },
    {
      id: "rules.missed.later",
      find: "AND d.endpoint_id = e.id AND d.status NOT IN ('failed', 'dropped')",
      replace: "AND d.endpoint_id = e.id",
      caughtBy: ["recover.again"],
    },
    {
      id: "rules.missed.later.none",
      find: "AND d.endpoint_id = e.id AND d.status NOT IN ('failed', 'dropped')",
      replace: "AND d.endpoint_id = e.id AND d.status = 'succeeded'",
      caughtBy: ["recover.again"],
    },
    {
      id: "rules.missed.later.endpoint",
      find: "WHERE ${ofEvent.later} AND d.endpoint_id = e.id AND",
      replace: "WHERE ${ofEvent.later} AND",
      caughtBy: ["recover.failed.again"],
    },
    {
      id: "rules.missed.tests",
      find: "`(NOT ev.test AND ${isWanted",
      replace: "`(${isWanted",
      caughtBy: ["recover.tests"],
    },
    {
      id: "rules.missed.received",
      find: "k.shop = ev.shop AND k.endpoint_id = e.id AND k.event_id = ev.id",
      replace: "k.endpoint_id = e.id AND k.event_id = ev.id",
      caughtBy: ["prune.shops"],
    },
    {
      id: "rules.later.shop",
      find: "`${of}.shop = ev.shop AND ${of}.event_id = ev.id`",
      replace: "`${of}.event_id = ev.id`",
      caughtBy: ["prune.shops"],
    },
    {
      id: "rules.insert.lock",
      find: "\nFOR KEY SHARE OF e`",
      replace: "`",
      caughtBy: ["hold.transaction.remove"],
    },
  ]),
]
