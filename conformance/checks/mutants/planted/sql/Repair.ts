import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in trying deliveries now, and in sending the log again. */
export const repair: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/queue/TryNow.ts", [
    {
      id: "try.lease",
      find: "WHEN d.leased_until > ${at} THEN 'under_way'\n",
      replace: "",
      caughtBy: ["try.under-way"],
    },
    {
      id: "try.suspended",
      find: "WHEN NOT ${sql.literal(maySend)} THEN 'suspended' ",
      replace: "",
      caughtBy: ["try.suspended"],
    },
    {
      id: "try.endpoint",
      find: "AND d.endpoint_id = ${endpointId} AND d.id",
      replace: "AND d.id",
      caughtBy: ["try.finished"],
    },
    {
      id: "try.queue",
      find: "least(next_attempt_at, ${at}), queue = 'due'",
      replace: "least(next_attempt_at, ${at})",
      caughtBy: ["try.named"],
    },
    {
      id: "try.place",
      find: "least(next_attempt_at, ${at})",
      replace: "${at}",
      caughtBy: ["try.already-due"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Resend.ts", [
    {
      id: "resend.waits",
      find: "(${waits} OR (${isFound",
      replace: "((false AND ${waits}) OR (${isFound",
      caughtBy: ["resend.once"],
    },
    {
      id: "resend.first",
      find: "(o.created_at, o.id) < (d.created_at, d.id)",
      replace: "false",
      caughtBy: ["resend.once"],
    },
    {
      id: "resend.repeated",
      find: "AND o.id <> ${recoveredId(sql, run)}",
      replace: "",
      caughtBy: ["resend.steps"],
    },
    {
      id: "resend.until",
      find: "${d}.created_at < ${format(until)}",
      replace: "${d}.created_at <= ${format(until)}",
      caughtBy: ["resend.filter"],
    },
    {
      id: "resend.from",
      find: "${d}.created_at >= ${format(from)}",
      replace: "${d}.created_at > ${format(from)}",
      caughtBy: ["resend.filter"],
    },
    {
      id: "resend.tests",
      find: "AND NOT ${d}.test",
      replace: "",
      caughtBy: ["resend.filter"],
    },
    {
      id: "resend.order",
      find: "ORDER BY d.created_at, d.id LIMIT",
      replace: "ORDER BY d.created_at DESC, d.id LIMIT",
      caughtBy: ["resend.steps"],
    },
    {
      id: "resend.more",
      find: "LIMIT ${limit}::int4 + 1",
      replace: "LIMIT ${limit}::int4",
      caughtBy: ["resend.steps"],
    },
  ]),
]
