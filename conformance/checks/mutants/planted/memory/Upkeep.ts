import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in what is dropped, and counted. */
export const upkeep: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Upkeep.ts", [
    {
      id: "prune.shared-use",
      find: "pruneShop(holdings, { keep,",
      replace: "if (holdings === state.holdings.values().next().value) pruneShop(holdings, { keep,",
      caughtBy: ["prune.log"],
    },
    {
      id: "prune.bound",
      find: "createdAt < eventsBefore && !used.has(id)",
      replace: "createdAt <= eventsBefore && !used.has(id)",
      caughtBy: ["prune.events"],
      sample: true,
    },
    {
      id: "prune.shown",
      find: "createdAt < eventsBefore && !used.has(id)",
      replace: "createdAt < eventsBefore",
      caughtBy: ["prune.events.shown"],
    },
    {
      id: "prune.pending",
      find: 'if (status === "pending") return',
      replace: "",
      caughtBy: ["prune.pending"],
    },
    {
      id: "prune.failed",
      find: 'if (status === "succeeded") queue.received.add(eventId)',
      replace: "queue.received.add(eventId)",
      caughtBy: ["prune.log.failed"],
    },
    {
      id: "prune.notices",
      find: "dueAt === null && record.createdAt < eventsBefore",
      replace: "record.createdAt < eventsBefore",
      caughtBy: ["notices.prune"],
    },
    {
      id: "statistics.lease",
      find: "firstOf(state, queue, now) ?? []",
      replace: "queue.pending.find((delivery) => dueAt(delivery) <= now) ?? []",
      caughtBy: ["upkeep.statistics"],
    },
  ]),
]
