import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in settling, the health that it changes, and lines that go on. */
export const settle: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/queue/Settle.ts", [
    {
      id: "settle.stale-success",
      find: "const tookEffect = settlements.map(({ claim }) => keys.has(keyOf(claim)))",
      replace: "const tookEffect = settlements.map(({ claim }) => keys.has(keyOf(claim)) || true)",
      caughtBy: ["settle.stale.beside"],
    },
    {
      id: "settle.token",
      find: " AND d.claim_token = r.token\n",
      replace: "\n",
      caughtBy: ["settle.old"],
      sample: true,
    },
    {
      id: "settle.shop",
      find: "AND d.shop = r.shop AND d.id = r.id AND d.claim_token",
      replace: "AND d.id = r.id AND d.claim_token",
      caughtBy: ["settle.shops"],
    },
    {
      id: "settle.token-kept",
      find: "  claim_token = NULL, leased_until = NULL, attempts = r.attempts",
      replace: "  leased_until = NULL, attempts = r.attempts",
      caughtBy: ["settle.twice"],
    },
    {
      id: "settle.lease-kept",
      find: "claim_token = NULL, leased_until = NULL, attempts = r.attempts",
      replace: "claim_token = NULL, attempts = r.attempts",
      caughtBy: ["settle.lease.ends"],
    },
    {
      id: "settle.number",
      find: "leased_until = NULL, attempts = r.attempts",
      replace: "leased_until = NULL",
      caughtBy: ["settle.stores"],
    },
    {
      id: "settle.log.last",
      find: "attempt_log = d.attempt_log || r.attempt",
      replace: "attempt_log = jsonb_build_array(r.attempt)",
      caughtBy: ["log.attempts.fields"],
    },
    {
      id: "settle.log.order",
      find: "attempt_log = d.attempt_log || r.attempt",
      replace: "attempt_log = r.attempt || d.attempt_log",
      caughtBy: ["log.attempts.fields"],
    },
    {
      id: "settle.healthy.failures",
      find: "e.status = 'active' AND e.consecutive_failures = 0",
      replace: "e.status = 'active'",
      caughtBy: ["settle.health.beside"],
    },
    {
      id: "settle.healthy.proven",
      find: "e.switched_off_at IS NULL AND e.proven AND NOT e.troubled AS healthy",
      replace: "e.switched_off_at IS NULL AS healthy",
      caughtBy: ["claim.share.recovered"],
    },
    {
      id: "settle.healthy.off",
      find: "e.status = 'active' AND e.consecutive_failures = 0",
      replace: "e.consecutive_failures = 0",
      caughtBy: ["settle.health.kept"],
    },
    {
      id: "settle.healthy.all",
      find: "bool_and(healthy)",
      replace: "bool_or(healthy)",
      caughtBy: ["settle.health.beside"],
    },
    {
      id: "settle.order",
      find: "const own = effective.filter(",
      replace: "const own = effective.toReversed().filter(",
      caughtBy: ["settle.order"],
    },
    {
      id: "settle.first",
      find: "new Map(settlements.toReversed().map((each) => [keyOf(each.claim), each]))",
      replace: "new Map(settlements.map((each) => [keyOf(each.claim), each]))",
      caughtBy: ["settle.twice"],
    },
    {
      id: "settle.advance.stale",
      find: "const effective = settlements.filter((_, index) => tookEffect[index])",
      replace: "const effective = settlements",
      caughtBy: ["settle.old"],
    },
    {
      id: "settle.plain.twice",
      find: " && new Set(settlements.map(({ claim }) => keyOf(claim))).size === settlements.length",
      replace: "",
      caughtBy: ["settle.twice.success"],
    },
    {
      id: "settle.plain.retry",
      find: "(each) => each.nextAttemptAt === null && Health",
      replace: "(each) => Health",
      caughtBy: ["settle.retry.healthy"],
    },
    {
      id: "settle.notices",
      find: "if (notices.length > 0) yield* insertNotices(sql, notices)",
      replace: "if (notices.length > 1) yield* insertNotices(sql, notices)",
      caughtBy: ["notices.settle"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Health.ts", [
    {
      id: "health.lock",
      find: "ORDER BY e.shop, e.id FOR NO KEY UPDATE OF e`",
      replace: "ORDER BY e.shop, e.id`",
      caughtBy: ["settle.count"],
    },
    {
      id: "health.off-at",
      find: "switched_off_at = r.off,\n",
      replace: "\n",
      caughtBy: ["settle.health"],
    },
    {
      id: "health.hold",
      find: "if (before.status === after.status) return",
      replace: "return",
      caughtBy: ["hold.flight"],
    },
    {
      id: "health.shop",
      find: "WHERE e.shop = ${shop} AND e.id = ${id}`",
      replace: "WHERE e.id = ${id}`",
      caughtBy: ["settle.shops"],
    },
  ]),
  ...inFile("sql", "adapters/sql/schema/Ordering.ts", [
    {
      id: "lines.place",
      find: "ORDER BY f.place, ev.position, f.id",
      replace: "ORDER BY ev.position, f.id",
      caughtBy: ["ordering.dropped"],
    },
    {
      id: "lines.front",
      find: "AND object = of_object AND queue <> 'behind'",
      replace: "AND object = of_object AND queue = 'due'",
      caughtBy: ["ordering.line"],
    },
  ]),
]
