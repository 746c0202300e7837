// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in the entries of changes. */
export const audit: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/resources/Audit.ts", [
    {
      id: "audit.order",
      find: "ORDER BY a.at DESC, a.id DESC",
      replace: "ORDER BY a.at DESC, a.id",
      caughtBy: ["audit.list"],
    },
    {
      id: "audit.until",
      find: "a.at < ${format(until)}",
      replace: "a.at <= ${format(until)}",
      caughtBy: ["audit.list.filter"],
    },
    {
      id: "audit.creation",
      find: "pg_advisory_xact_lock(hashtextextended(${`designwire ${kind} ${shop} ${id}`}, 0)) IS NULL",
      replace: "length(${`designwire ${kind} ${shop} ${id}`}) = 0",
      caughtBy: ["audit.shops.race"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/Endpoints.ts", [
    {
      id: "audit.endpoints.lock",
      find: "  yield* lock(sql, shop, id)\n  const before = yield* find(sql, shop, id)\n  const after = yield* change\n",
      replace: "  const before = yield* find(sql, shop, id)\n  const after = yield* change\n",
      caughtBy: ["audit.endpoints.race"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Settle.ts", [
    {
      id: "audit.service",
      find: "if (entries.length > 0) yield* insertEntries(sql, entries)",
      replace: "",
      caughtBy: ["audit.service"],
    },
  ]),
  ...inFile("sql", "adapters/sql/upkeep/Prune.ts", [
    {
      id: "audit.prune",
      find: "a.at < ${format(now - auditRetention)}",
      replace: "a.at <= ${format(now - auditRetention)}",
      caughtBy: ["audit.prune"],
    },
  ]),
]
