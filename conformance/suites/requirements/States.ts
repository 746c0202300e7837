import type { Section } from "./Requirement.ts"

/** §3: the states of designs, orders, endpoints and deliveries, and what moves them. */
export const states: ReadonlyArray<Section> = [
  {
    id: "§3",
    title: "States and transitions",
    from: "specification",
    rows: [
      {
        id: "§3-1",
        title: "States of a design",
        text:
          "A design MUST be in one of the states `draft` (saved on the storefront, never ordered), `ordered` and " +
          "`cancelled`.",
      },
      {
        id: "§3-2",
        title: "States of an order",
        text: "An order MUST be in one of the states `ordered` and `cancelled`.",
      },
      {
        id: "§3-3",
        title: "Saving a design",
        text:
          "When a buyer saves a new design on the storefront, it MUST become a `draft`, and `design.created` MUST " +
          "be sent to the endpoints that chose it (§6-3).",
      },
      {
        id: "§3-4",
        title: "Ordering a design",
        text:
          "When an order of the platform links a draft, the design MUST become `ordered`, its `order` MUST no " +
          "longer be `null`, and `design.ordered` MUST be sent once for each design.",
      },
      {
        id: "§3-5",
        title: "Cancelling an order",
        text:
          "When an order with custom items is cancelled, it MUST go from `ordered` to `cancelled`, and " +
          "`order.cancelled` MUST be sent.",
      },
      {
        id: "§3-6",
        title: "Switching an endpoint off",
        text:
          "After 20 failed attempts in a row an active webhook endpoint MUST be switched off (D27, D28), and the " +
          "settings MUST show this as a banner.",
      },
      {
        id: "§3-7",
        title: "Turning an endpoint on",
        text: "A webhook endpoint that was switched off MUST become active again when its owner turns it on.",
      },
      {
        id: "§3-8",
        title: "Giving a delivery up",
        text: "A delivery that waits for a retry MUST become `failed` once all retries are used up (§6-21).",
      },
    ],
  },
]
