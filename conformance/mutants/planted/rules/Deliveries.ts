import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in deliveries: what may be sent, when, and what becomes of their endpoints. */
export const deliveries: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/DeliveryState.ts", [
    {
      id: "DeliveryState.plan",
      find: 'return includesApi(shop.plan) && endpoint.status === "active" && kinds',
      replace: 'return endpoint.status === "active" && kinds',
      caughtBy: ["core/usecases/dispatch/EndpointChanges.test.ts > MUST send nothing of a shop whose plan is free"],
    },
    {
      id: "DeliveryState.off",
      find: 'includesApi(shop.plan) && (delivery.test || endpoint.status === "active")',
      replace: "includesApi(shop.plan)",
      caughtBy: [
        "core/usecases/dispatch/SwitchOff.test.ts > MUST switch off at the twentieth, counted over several events",
      ],
    },
    {
      id: "DeliveryState.missed.waiting",
      find: 'statuses.every((status) => status === "failed")',
      replace: 'statuses.every((status) => status !== "succeeded")',
      caughtBy: [
        "core/rules/DeliveryState.test.ts > MUST be an event of its kinds of which nothing was delivered, and nothing is still to be",
      ],
    },
    {
      id: "DeliveryState.missed.test",
      find: "return !event.test && kinds",
      replace: "return kinds",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST NOT be a test, nor an event of another kind"],
    },
    {
      id: "DeliveryState.success",
      find: "attempt.statusCode <= 299",
      replace: "attempt.statusCode <= 300",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST be 200 to 299 and nothing else (§6, D26)"],
    },
    {
      id: "DeliveryState.redirect",
      find: "statusCode >= 300 && statusCode <= 399",
      replace: "statusCode > 300 && statusCode <= 399",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST call 3xx and only 3xx a redirect (§6, D32)"],
    },
    {
      id: "DeliveryState.test.retried",
      find: "success || delivery.test ? null",
      replace: "success ? null",
      caughtBy: ["core/rules/DeliveryState.test.ts > MUST not retry a test event (§6, D29)"],
    },
    {
      id: "DeliveryState.id",
      find: "`dlv_${withoutPrefix(eventId)}${withoutPrefix(endpointId)}`",
      replace: "`dlv_${withoutPrefix(eventId)}`",
      caughtBy: [
        "core/rules/DeliveryState.test.ts > MUST follow from the event and the endpoint, and differ where one of them does",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/EndpointState.ts", [
    {
      id: "EndpointState.twenty",
      find: "maximumFailures = 20",
      replace: "maximumFailures = 21",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST switch an endpoint off at the twentieth failed attempt, not at the nineteenth (§3, §8, D27)",
      ],
    },
    {
      id: "EndpointState.longer",
      find: "streak.consecutiveFailures >= maximumFailures",
      replace: "streak.consecutiveFailures === maximumFailures",
      caughtBy: ["core/rules/EndpointState.test.ts > MUST switch off an endpoint whose streak is somehow longer"],
    },
    {
      id: "EndpointState.slow",
      find: "attempt.durationMs < slowAttempt",
      replace: "attempt.durationMs <= slowAttempt",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST be given by a success in less than two seconds, and taken by a slower one",
      ],
    },
    {
      id: "EndpointState.test",
      find: 'if (attempt.test || before.status === "switched_off") return before',
      replace: 'if (before.status === "switched_off") return before',
      caughtBy: ["core/rules/EndpointState.test.ts > MUST not count failed test events (D27)"],
    },
    {
      id: "EndpointState.under-way",
      find: 'if (attempt.test || before.status === "switched_off") return before',
      replace: "if (attempt.test) return before",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST stay as it was switched off, whatever attempts under way then come to (§3)",
      ],
    },
    {
      id: "EndpointState.failed.proven",
      find: "consecutiveFailures: before.consecutiveFailures + 1, proven: false",
      replace: "consecutiveFailures: before.consecutiveFailures + 1",
      caughtBy: [
        "core/rules/EndpointState.test.ts > MUST be taken by every failure, however fast, and end with being turned on",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/NoticeRules.ts", [
    {
      id: "NoticeRules.ten",
      find: "failuresToTell = 10",
      replace: "failuresToTell = 9",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST tell once of a streak that an endpoint has failed 10 times in a row, and once that it was switched off (D42)",
      ],
    },
    {
      id: "NoticeRules.once",
      find: "before.consecutiveFailures < failuresToTell && after",
      replace: "after",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST tell once of a streak that an endpoint has failed 10 times in a row, and once that it was switched off (D42)",
      ],
    },
    {
      id: "NoticeRules.tests",
      find: "if (claim.test) return []",
      replace: "",
      caughtBy: ["core/rules/NoticeRules.test.ts > MUST tell nothing of a success, nor of test events (D42)"],
    },
    {
      id: "NoticeRules.id",
      find: "_${attempt.number}${letters[notice]}",
      replace: "_${letters[notice]}",
      caughtBy: [
        "core/rules/NoticeRules.test.ts > MUST say which endpoint and which delivery, under an id that follows from the attempt (D42)",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/RetryPolicy.ts", [
    {
      id: "RetryPolicy.schedule",
      find: "schedule[attemptNumber - 1]",
      replace: "schedule[attemptNumber]",
      caughtBy: [
        "core/rules/RetryPolicy.test.ts > MUST be 1 and 5 and 30 minutes, 2, 6 and 24 hours after the end of each failed attempt, then never (§6, §8, D25)",
      ],
    },
    {
      id: "RetryPolicy.waits",
      find: "waits.length > maximumWaits",
      replace: "waits.length >= maximumWaits",
      caughtBy: ["core/rules/RetryPolicy.test.ts > MUST read a hundred waits, and refuse one more"],
    },
  ]),
  ...inFile("rules", "core/rules/Prefetch.ts", [
    {
      id: "Prefetch.slots",
      find: "Math.min(slots, Math.round",
      replace: "Math.max(slots, Math.round",
      caughtBy: ["core/rules/Prefetch.test.ts > MUST NOT hold more ahead than there are slots"],
    },
    {
      id: "Prefetch.half",
      find: "worker.waiting > worker.ahead / 2",
      replace: "worker.waiting > worker.ahead",
      caughtBy: [
        "core/rules/Prefetch.test.ts > MUST claim ahead what is missing, and only when no more than half of it waits",
      ],
    },
  ]),
]
