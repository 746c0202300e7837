import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in endpoints, their secrets and the notices to their owners. */
export const endpoints: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/resources/Endpoints.ts", [
    {
      id: "change.lock",
      find: "yield* lock(sql, shop, id)\n  yield* checkIsolation(",
      replace: "yield* checkIsolation(",
      caughtBy: ["dropped.open"],
    },
    {
      id: "endpoints.race",
      find: "WHERE id = ${endpoint.shop} FOR UPDATE`",
      replace: "WHERE id = ${endpoint.shop}`",
      caughtBy: ["endpoints.add.race"],
    },
    {
      id: "endpoints.maximum",
      find: "< ${maximum}::int4 RETURNING",
      replace: "<= ${maximum}::int4 RETURNING",
      caughtBy: ["endpoints.add.maximum"],
    },
    {
      id: "endpoints.remove.deliveries",
      find: "DELETE FROM designwire.deliveries WHERE shop = ${shop} AND endpoint_id = ${id}",
      replace: "DELETE FROM designwire.deliveries WHERE shop = ${shop} AND endpoint_id = ${id} AND status = 'pending'",
      caughtBy: ["endpoints.remove.again"],
    },
    {
      id: "endpoints.remove.lock",
      find: "yield* lock(sql, shop, id)\n      const before = audited",
      replace: "const before = audited",
      caughtBy: ["hold.transaction.remove"],
    },
    {
      id: "endpoints.turn-on.lock",
      find: "  yield* lock(sql, shop, id)\n  const [before] = yield* lockHealth(sql, [{ shop, id }])\n  if (before === undefined)",
      replace: "  const [before] = yield* lockHealth(sql, [{ shop, id }])\n  if (before === undefined)",
      caughtBy: ["hold.transaction.turn-on"],
    },
    {
      id: "endpoints.turn-on.signal",
      find: "    yield* signals.committed(sql, shop)\n  }\n  return yield* find",
      replace: "  }\n  return yield* find",
      subject: "pglite",
      caughtBy: ["signals.turn-on.here"],
    },
    {
      id: "endpoints.ties",
      find: "ORDER BY e.created_at, e.id`",
      replace: "ORDER BY e.created_at, e.id DESC`",
      caughtBy: ["endpoints.list.ties"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/SealedSecrets.ts", [
    {
      id: "secrets.stale",
      find:
        "\n  AND ${sealed} IN (secret, new_secret, options #>> '{headers,sealed}', options #>> '{oauth,sealed}'," +
        "\n    options #>> '{clientCertificate,sealed}')",
      replace: "",
      caughtBy: ["secrets.replace.stale"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/SealedSecrets.ts", [
    {
      id: "secrets.both",
      find: "new_secret = CASE WHEN new_secret = ${sealed} THEN ${anew} ELSE new_secret END",
      replace: "new_secret = new_secret",
      caughtBy: ["secrets.replace.both"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Notices.ts", [
    {
      id: "notices.list.now",
      find: " AND n.created_at <= ${format(now)}::timestamptz",
      replace: "",
      caughtBy: ["notices.token"],
    },
    {
      id: "notices.lease",
      find: " AND (n.leased_until IS NULL OR n.leased_until <= ${format(now)}::timestamptz)",
      replace: "",
      caughtBy: ["notices.claim"],
    },
    {
      id: "notices.locks",
      find: "LIMIT ${limit}::int4 FOR UPDATE SKIP LOCKED",
      replace: "LIMIT ${limit}::int4",
      caughtBy: ["notices.claim.open"],
    },
    {
      id: "notices.token",
      find: "AND id = ${id} AND claim_token = ${token} RETURNING 1",
      replace: "AND id = ${id} RETURNING 1",
      caughtBy: ["notices.claim"],
    },
  ]),
]
