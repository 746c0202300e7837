import type { Section } from "./Requirement.ts"

/** §8: the limits, in one place. */
export const limits: ReadonlyArray<Section> = [
  {
    id: "§8",
    title: "Limits",
    from: "specification",
    rows: [
      {
        id: "§8-1",
        title: "Requests per token",
        text: "A token may make 120 requests a minute, and the ones beyond it MUST be answered with 429 (D16).",
      },
      {
        id: "§8-2",
        title: "Page size",
        text: "`limit` of `GET /orders` is 1 to 100, and 25 when left out (§4-6).",
      },
      {
        id: "§8-3",
        title: "Endpoints per store",
        text: "A store MUST NOT have more than 5 webhook endpoints (D31).",
      },
      {
        id: "§8-4",
        title: "Time to answer",
        text: "A receiver has 5 seconds to answer, of which connecting may take 3 seconds (D26).",
      },
      {
        id: "§8-5",
        title: "Retry schedule",
        text:
          "Retries come after 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours and 24 hours. Then the delivery is " +
          "failed (§6-20, §6-21).",
      },
      {
        id: "§8-6",
        title: "Failures in a row",
        text: "An endpoint is switched off after 20 consecutive failed attempts (§6-22).",
      },
      {
        id: "§8-7",
        title: "Delivery log",
        text:
          "The delivery log MUST hold the last 50 deliveries of each endpoint, with status code, duration and the " +
          "start of the response (D32).",
      },
      {
        id: "§8-8",
        title: "Signature tolerance",
        text: "A receiver accepts a timestamp that is at most 300 seconds away from its own clock (§5-9).",
      },
    ],
  },
]
