import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in events, the feed, and what is shown of deliveries. */
export const events: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Events.ts", [
    {
      id: "events.page",
      find: "compareIds(id, after) > 0",
      replace: "compareIds(id, after) >= 0",
      caughtBy: ["event-store.of-designs"],
    },
    {
      id: "events.answers",
      find: "if (delivery.record.eventId !== id) continue",
      replace: "",
      caughtBy: ["event-store.redact"],
    },
  ]),
  ...inFile("memory", "adapters/memory/Feed.ts", [
    {
      id: "feed.tests",
      find: "  if (event.test) return\n",
      replace: "",
      caughtBy: ["feed.tests.sample"],
    },
    {
      id: "feed.dropped",
      find: "feed.dropped = Math.max(feed.dropped, position)",
      replace: "feed.dropped += 0 * position",
      caughtBy: ["feed.dropped"],
    },
    {
      id: "feed.gone",
      find: "if (after < dropped) return",
      replace: "if (after < 0) return",
      caughtBy: ["feed.dropped"],
    },
    {
      id: "feed.more",
      find: "entries.slice(first, first + limit + 1)",
      replace: "entries.slice(first, first + limit)",
      caughtBy: ["feed.kinds"],
    },
    {
      id: "feed.order",
      find: ".sort((left, right) => left.position - right.position)",
      replace: "",
      caughtBy: ["feed.order"],
    },
    {
      id: "feed.bytes",
      find: "if (left < 0 && bodies.length > 0) break",
      replace: "if (left <= 0 && bodies.length > 0) break",
      caughtBy: ["feed.bytes"],
    },
    {
      id: "feed.after",
      find: "?? 0) <= position) low",
      replace: "?? 0) < position) low",
      caughtBy: ["feed.end"],
    },
  ]),
  ...inFile("memory", "adapters/memory/DeliveryQueue.ts", [
    {
      id: "counts.once",
      find: "queue.counts.get(hour) ?? AttemptCounts.none",
      replace: "AttemptCounts.none",
      caughtBy: ["log.counts.outcomes", "log.counts.beside"],
    },
  ]),
  ...inFile("memory", "adapters/memory/DeliveryLog.ts", [
    {
      id: "counts.until",
      find: "hour < until",
      replace: "hour <= until",
      caughtBy: ["log.counts.outcomes"],
    },
    {
      id: "waiting.tests",
      find: "queue.pending.length + queue.pendingTests.length",
      replace: "queue.pending.length",
      caughtBy: ["log.waiting"],
    },
  ]),
]
