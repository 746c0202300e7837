import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in the pace of endpoints. */
export const paces: ReadonlyArray<Mutant> = inFile("sql", "adapters/sql/queue/Paces.ts", [
  {
    id: "pace.lock",
    find: "p.next_start <= ${ahead}) FOR UPDATE OF p SKIP LOCKED",
    replace: "p.next_start <= ${ahead})",
    caughtBy: ["pace.concurrent.race"],
  },
  {
    id: "pace.leases",
    find: "FROM jsonb_each(l.under_way) u WHERE u.value::float8 > ${at}",
    replace: "FROM jsonb_each(l.under_way) u",
    caughtBy: ["pace.concurrent"],
  },
  {
    id: "pace.starts",
    find: "p.first + (${n} - 1) * p.spacing",
    replace: "p.first",
    caughtBy: ["pace.rate.many"],
  },
  {
    id: "pace.pause",
    find: "const first = sql`greatest(l.next_start, ${at} + ${sql.literal(String(lead))})`",
    replace: "const first = sql`greatest(l.next_start, ${at} - 1000)`",
    caughtBy: ["pace.rate.pause"],
  },
  {
    id: "pace.ahead",
    find: "sql.literal(String(claimedAhead))",
    replace: "sql.literal(String(lead))",
    caughtBy: ["pace.rate.many"],
  },
  {
    id: "pace.free",
    find: "coalesce(least(p.starts, p.free), 0)",
    replace: "coalesce(p.starts, p.free, 0)",
    caughtBy: ["pace.both"],
  },
  {
    id: "pace.left",
    find: "SET under_way = p.under_way - t.ids",
    replace: "SET under_way = p.under_way",
    caughtBy: ["pace.concurrent"],
  },
  {
    id: "pace.next",
    find: "t.first + t.taken * t.spacing",
    replace: "t.first + (t.taken - 1) * t.spacing",
    caughtBy: ["pace.rate"],
  },
  {
    id: "pace.held-back.rate",
    find: "p.next_start > ${at}",
    replace: "false",
    caughtBy: ["pace.past-due"],
  },
  {
    id: "pace.held-back.concurrent",
    find: "OR ${bound} <= (",
    replace: "OR ${bound} < (",
    caughtBy: ["pace.past-due"],
  },
])
