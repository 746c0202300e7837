import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in pages of deliveries over all endpoints. */
export const search: ReadonlyArray<Mutant> = inFile("sql", "adapters/sql/queue/DeliverySearch.ts", [
  {
    id: "search.horizon",
    find: "if (horizonAt === null || horizonId === null) return { deliveries, next }",
    replace: "return { deliveries, next }",
    caughtBy: ["search.page.many"],
  },
  {
    id: "search.horizon.beyond",
    find: "ON h.id IS NULL OR (f.created_at, f.id) >= (h.created_at, h.id)",
    replace: "ON true",
    caughtBy: ["search.page.many"],
  },
  {
    id: "search.ties",
    find: 'AND (d.created_at, d.id) < (${beyond(sql, before, "infinity")})\n        AND',
    replace: 'AND d.created_at < ${before === null ? "infinity" : format(before.at)}::timestamptz\n        AND',
    caughtBy: ["search.page"],
  },
  {
    id: "search.suspended",
    find: "${next(\"d.queue IN ('scheduled', 'suspended')\")}",
    replace: "${next(\"d.queue = 'scheduled'\")}",
    caughtBy: ["search.pending"],
  },
])
