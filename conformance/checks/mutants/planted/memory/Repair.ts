import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in trying deliveries now, and in sending the log again. */
export const repair: ReadonlyArray<Mutant> = inFile("memory", "adapters/memory/Resend.ts", [
  {
    id: "try.lease",
    find: 'if (delivery.leasedUntil > now) return "under_way"',
    replace: "",
    caughtBy: ["try.under-way"],
  },
  {
    id: "try.suspended",
    find: 'if (!maySend(record, endpoint, owner)) return "suspended"',
    replace: "",
    caughtBy: ["try.suspended"],
  },
  {
    id: "try.place",
    find: "if (dueAt(delivery) > now) settle",
    replace: "settle",
    caughtBy: ["try.already-due"],
  },
  {
    id: "try.wakes",
    find: 'wakeWorkers(state, [shop])\n  return "due"',
    replace: 'return "due"',
    caughtBy: ["signals.try.here"],
  },
  {
    id: "resend.twice",
    find: "found.filter((one) => !queue.all.has(idOf(one)))",
    replace: "found",
    caughtBy: ["resend.steps"],
  },
  {
    id: "resend.wakes",
    find: "if (added.length > 0) wakeWorkers(state, [shop])",
    replace: "",
    caughtBy: ["signals.resend.here"],
  },
  {
    id: "resend.after",
    find: "inLogOrder(after, one) < 0",
    replace: "inLogOrder(after, one) <= 0",
    caughtBy: ["resend.steps"],
  },
])
