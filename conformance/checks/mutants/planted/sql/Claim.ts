import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in claims and walks. */
export const claim: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/queue/Claim.ts", [
    {
      id: "claim.named",
      find: 'WHERE ${ofStanding("standing")} ORDER BY step',
      replace: "ORDER BY step",
      caughtBy: ["claim.named"],
    },
    {
      id: "claim.named.order",
      find: 'WHERE ${ofStanding("standing")} ORDER BY step',
      replace: 'WHERE ${ofStanding("standing")} ORDER BY shop',
      caughtBy: ["claim.named"],
    },
    {
      id: "claim.standing",
      find: "WHERE ${ofStanding(standing)} ORDER BY place",
      replace: "ORDER BY place",
      caughtBy: ["claim.named"],
    },
    {
      id: "claim.limit",
      find: '${limit}::int4 - ${counted("newcomer")} - ${counted("troubled")}',
      replace: "${limit}::int4",
      caughtBy: ["claim.share.turns"],
    },
    {
      id: "claim.per-shop.earlier",
      find: 'earlier: ["newcomer", "troubled"]',
      replace: "earlier: []",
      caughtBy: ["claim.share.shop.mixed"],
    },
    {
      id: "claim.probation.limit",
      find: "const unproven = Math.min(limit, probation.limit)",
      replace: "const unproven = limit",
      caughtBy: ["claim.share.newcomers"],
    },
    {
      id: "claim.troubled.limit",
      find: "least(${probation.troubled}::int4, ",
      replace: "least(${limit}::int4, ",
      caughtBy: ["claim.share.newcomers"],
    },
    {
      id: "claim.troubled.rest",
      find: '${unproven}::int4 - ${counted("newcomer")})',
      replace: "${unproven}::int4)",
      caughtBy: ["claim.share.newcomers"],
    },
    {
      id: "claim.kinds",
      find: "ORDER BY t.kind, t.step",
      replace: "ORDER BY t.kind DESC, t.step",
      caughtBy: ["claim.share.newcomers"],
    },
    {
      id: "claim.lease",
      find: "leased_until = ${format(leaseUntil)}::timestamptz, claim_token",
      replace: "claim_token",
      caughtBy: ["claim.lease"],
      sample: true,
    },
    {
      id: "claim.token",
      find: "claim_token = ${token}\n",
      replace: "claim_token = d.id\n",
      caughtBy: ["settle.stores"],
    },
    {
      id: "claim.attempt",
      find: "t.attempts + 1 AS attempt",
      replace: "1 AS attempt",
      caughtBy: ["settle.stores"],
    },
    {
      id: "claim.event-shop",
      find: "ev.shop = t.shop AND ev.id = t.event_id",
      replace: "ev.id = t.event_id",
      caughtBy: ["claim.shops"],
    },
    {
      id: "claim.body.shops",
      find: "PARTITION BY t.shop, t.event_id",
      replace: "PARTITION BY t.event_id",
      caughtBy: ["claim.shops"],
    },
    {
      id: "claim.answer.order",
      find: "t.step, t.place, t.next_attempt_at, t.id`",
      replace: "t.step, t.place DESC, t.next_attempt_at DESC, t.id`",
      caughtBy: ["claim.order"],
    },
    {
      id: "claim.locks",
      find: "room)} FOR UPDATE SKIP LOCKED)",
      replace: "room)})",
      caughtBy: ["claim.once"],
    },
    {
      id: "claim.locks.wait",
      find: "room)} FOR UPDATE SKIP LOCKED)",
      replace: "room)} FOR UPDATE)",
      caughtBy: ["claim.transaction.open"],
    },
    {
      id: "claim.per-endpoint",
      find: "greatest(0, ${limits.perEndpoint}::int4 - b.attempts)",
      replace: "greatest(0, ${limits.perEndpoint}::int4 - b.attempts - 1)",
      caughtBy: ["claim.per-endpoint"],
    },
    {
      id: "claim.place",
      find: "b.attempts + row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place",
      replace: "row_number() OVER (PARTITION BY e.id ORDER BY d.next_attempt_at, d.id) AS place",
      caughtBy: ["claim.share.shop"],
    },
    {
      id: "claim.place.order",
      find: "(PARTITION BY e.id ORDER BY d.next_attempt_at, d.id)",
      replace: "(PARTITION BY e.id ORDER BY d.id)",
      caughtBy: ["claim.share.order"],
    },
    {
      id: "claim.busy.shop",
      find: "FROM busy b WHERE b.shop = w.shop AND b.endpoint_id = e.id",
      replace: "FROM busy b WHERE b.endpoint_id = e.id",
      caughtBy: ["claim.share.busy.shops"],
    },
    {
      id: "claim.shop.busy",
      find: "      SELECT coalesce(sum(b.attempts), 0) FROM busy b WHERE b.shop = w.shop\n",
      replace: "      SELECT 0\n",
      caughtBy: ["claim.share.shop"],
    },
    {
      id: "claim.shop.many",
      find: "LIMIT least(${limits.ofShop}::int4, ",
      replace: "LIMIT least(1000, ",
      caughtBy: ["claim.share.kept"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Walk.ts", [
    {
      id: "walk.moves",
      find: "AND w.next_attempt_at <= ${format(now)}::timestamptz",
      replace: "AND w.next_attempt_at < ${format(now)}::timestamptz",
      caughtBy: ["due.retries"],
    },
    {
      id: "walk.moves.named",
      find: "[...moved.map(({ shop }) => shop), ...found]",
      replace: "[...found]",
      caughtBy: ["walk.retries"],
    },
    {
      id: "walk.next-due",
      find: "WHERE d.queue = 'scheduled' ORDER BY d.next_attempt_at LIMIT 1",
      replace: "WHERE d.queue = 'scheduled' ORDER BY d.next_attempt_at DESC LIMIT 1",
      caughtBy: ["due.retries"],
    },
    {
      id: "walk.after",
      find: "found.length < limit ? null : (found.at(-1) ?? null)",
      replace: "null",
      caughtBy: ["walk.steps"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/DueQueue.ts", [
    {
      id: "due.lease-end",
      find: "d.leased_until <= ${at})",
      replace: "d.leased_until < ${at})",
      caughtBy: ["claim.lease"],
    },
    {
      id: "due.may-send",
      find: " AND ${sql.literal(maySend)}\n    ORDER",
      replace: "\n    ORDER",
      caughtBy: ["hold.transaction.plan"],
    },
    {
      id: "due.order",
      find: "ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`",
      replace: "ORDER BY d.id LIMIT ${limit}`",
      caughtBy: ["claim.longest"],
    },
    {
      id: "due.ties",
      find: "ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`",
      replace: "ORDER BY d.next_attempt_at, d.id DESC LIMIT ${limit}`",
      caughtBy: ["claim.order.ties"],
    },
    {
      id: "due.shops",
      find: "AND d.shop > w.shop${",
      replace: "AND d.shop >= w.shop${",
      caughtBy: ["walk.steps"],
    },
  ]),
]
