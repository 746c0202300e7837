import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the use cases: in the log of deliveries and the notices to owners. */
export const webhooks: ReadonlyArray<Mutant> = [
  ...inFile("usecases", "core/usecases/ManageDeliveries.ts", [
    {
      id: "deliveries.test.latest",
      find: "data: designData(wire), now, test: true",
      replace: "data: designData(wire), now",
      caughtBy: [
        "core/usecases/dispatch/TestEvents.test.ts > MUST be the design with the newest orderedAt whose status is ordered",
      ],
    },
    {
      id: "deliveries.redeliver.test",
      find: "event: delivery.event, test: delivery.test }",
      replace: "event: delivery.event, test: false }",
      caughtBy: ["core/usecases/RedeliverTestEvent.test.ts > MUST stay a test"],
    },
    {
      id: "deliveries.recover.plan",
      find: "  yield* requireWebhooks(shop)\n  const now = yield* Clock.currentTimeMillis\n  const run",
      replace: "  const now = yield* Clock.currentTimeMillis\n  const run",
      caughtBy: [
        "core/usecases/ManageDeliveries.test.ts > MUST refuse to redeliver and to recover where the shop's plan is free, adding nothing",
      ],
    },
    {
      id: "deliveries.headers.time",
      find: "headersOf(shown, made.at, yield",
      replace: "headersOf(shown, made.at + made.durationMs, yield",
      caughtBy: ["core/usecases/dispatch/SlowLookup.test.ts > MUST be signed with the time that the log shows"],
    },
  ]),
  ...inFile("usecases", "core/usecases/TellNotices.ts", [
    {
      id: "notices.deadline",
      find: "if (now >= deadline) return",
      replace: "if (now > deadline) return",
      caughtBy: [
        "core/usecases/TellManyNotices.test.ts > MUST tell all notices that are due, more than are claimed at once, and none at the deadline (D42)",
      ],
    },
    {
      id: "notices.more",
      find: "if (claims.length < batch) return",
      replace: "return",
      caughtBy: [
        "core/usecases/TellManyNotices.test.ts > MUST tell all notices that are due, more than are claimed at once, and none at the deadline (D42)",
      ],
    },
    {
      id: "notices.timeout",
      find: "const timeout = lease / 2",
      replace: "const timeout = lease * 2",
      caughtBy: [
        "core/usecases/TellNotices.test.ts > MUST count as not told what takes longer than half of the lease, or is a defect",
      ],
    },
  ]),
]
