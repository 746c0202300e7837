import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in endpoints, their secrets and the notices to their owners. */
export const endpoints: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Endpoints.ts", [
    {
      id: "endpoints.maximum",
      find: "endpoints.size >= maximum",
      replace: "endpoints.size > maximum",
      caughtBy: ["endpoints.add.maximum"],
    },
    {
      id: "endpoints.log-stays",
      find: "if (queue !== undefined) dropQueue(state, queue)",
      replace: "",
      caughtBy: ["endpoints.remove.log"],
    },
    {
      id: "endpoints.order",
      find: "left.createdAt - right.createdAt || compareIds(left.id, right.id)",
      replace: "compareIds(left.id, right.id)",
      caughtBy: ["endpoints.list.order"],
    },
    {
      id: "endpoints.turn-on.wakes",
      find: "Effect.sync(() => Option.isSome(turnedOn) && wakeWorkers(state, [shop]))",
      replace: "Effect.sync(() => Option.isSome(turnedOn))",
      caughtBy: ["signals.turn-on.here"],
    },
  ]),
  ...inFile("memory", "adapters/memory/SealedSecrets.ts", [
    {
      id: "secrets.stale",
      find: "if (changed === undefined) return false\n        endpoints.set(endpointId, changed)",
      replace: "endpoints.set(endpointId, changed ?? { ...endpoint, secret: anew })",
      caughtBy: ["secrets.replace.stale"],
      sample: true,
    },
    {
      id: "secrets.after",
      find: "compare(endpoint, after) > 0",
      replace: "compare(endpoint, after) >= 0",
      caughtBy: ["secrets.list"],
    },
  ]),
  ...inFile("memory", "adapters/memory/Notices.ts", [
    {
      id: "notices.list.now",
      find: "    .filter(({ createdAt }) => createdAt <= now)\n",
      replace: "",
      caughtBy: ["notices.token", "views.mark.notice"],
    },
    {
      id: "notices.lease",
      find: "notice.dueAt > now || notice.leasedUntil > now",
      replace: "notice.dueAt > now",
      caughtBy: ["notices.claim"],
    },
    {
      id: "notices.token",
      find: "if (kept === undefined || kept.token !== token) return false",
      replace: "if (kept === undefined) return false",
      caughtBy: ["notices.claim"],
    },
    {
      id: "notices.twice",
      find: "if (!notices.has(record.id)) notices.set(record.id, added)",
      replace: "notices.set(`${record.id}${notices.size}`, added)",
      caughtBy: ["notices.claim"],
    },
  ]),
]
