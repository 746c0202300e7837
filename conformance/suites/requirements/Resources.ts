import type { Section } from "./Requirement.ts"

/** §2.2 to §2.5: the fields of orders, customizers, pages and webhook envelopes. */
export const resources: ReadonlyArray<Section> = [
  {
    id: "§2.2",
    title: "Order",
    from: "specification",
    rows: [
      {
        id: "§2.2-1",
        title: "Order id",
        text: "`id` (string) is the order's id on the platform.",
      },
      {
        id: "§2.2-2",
        title: "Order name",
        text: "`name` (string) is the order's display name.",
      },
      {
        id: "§2.2-3",
        title: "Order status",
        text: "`status` (string) MUST be `ordered` or `cancelled` (§3-2).",
      },
      {
        id: "§2.2-4",
        title: "Order currency",
        text: "`currency` (string) is the currency code of the order (D6a).",
      },
      {
        id: "§2.2-5",
        title: "Order total",
        text: "`total` (integer, cents) MUST be the sum of the totals of the order's designs.",
      },
      {
        id: "§2.2-6",
        title: "Time of ordering",
        text: "`orderedAt` (string) is an ISO 8601 timestamp with an offset (D1).",
      },
      {
        id: "§2.2-7",
        title: "Designs of an order",
        text: "`designs` (array) MUST hold the designs of this order, each with all fields of §2.1.",
      },
    ],
  },
  {
    id: "§2.3",
    title: "Customizer",
    from: "specification",
    rows: [
      {
        id: "§2.3-1",
        title: "Customizer id",
        text: "`id` (integer) identifies the customizer.",
      },
      {
        id: "§2.3-2",
        title: "Customizer title",
        text: "`title` (string) is the customizer's title.",
      },
      {
        id: "§2.3-3",
        title: "Customizer status",
        text: "`status` (string) MUST be `published` for a published customizer.",
      },
      {
        id: "§2.3-4",
        title: "Product on the platform",
        text:
          "`platformProductId` (string) is the global id of the product on the platform that the customizer " +
          "belongs to, in the form `gid://<platform>/Product/<numeric id>`.",
      },
      {
        id: "§2.3-5",
        title: "Published version",
        text:
          "`version` MUST be the integer version that is published (§9-4), or `null` if the customizer was never " +
          "published.",
      },
      {
        id: "§2.3-6",
        title: "Base of asset paths",
        text: "`assetBase` (string) is a base URL. The paths of layers in the definition are relative to it.",
      },
      {
        id: "§2.3-7",
        title: "Published definition",
        text:
          "`definition` MUST be the published version of the definition (object), or `null` if the customizer was " +
          "never published.",
      },
      {
        id: "§2.3-8",
        title: "Keys of a definition",
        text: "A definition has the keys `schemaVersion` (integer), `steps`, `questions` and `rules` (arrays) (F-1).",
      },
      {
        id: "§2.3-9",
        title: "Content of a definition",
        text:
          "A definition holds the views, the steps, the questions, the answers with their prices and production " +
          "codes, the print areas and the rules. F-2 to F-14 define their form.",
      },
    ],
  },
  {
    id: "§2.4",
    title: "Pagination",
    from: "specification",
    rows: [
      {
        id: "§2.4-1",
        title: "Total of matches",
        text:
          "`total` (integer) MUST be the number of all orders that match the request, not only of those on the " +
          "page.",
      },
      {
        id: "§2.4-2",
        title: "Page size",
        text: "`limit` (integer) MUST be the page size that was applied.",
      },
      {
        id: "§2.4-3",
        title: "Next page",
        text: "`nextCursor` MUST be the string to pass as `cursor` for the next page, and `null` on the last page.",
      },
    ],
  },
  {
    id: "§2.5",
    title: "Webhook envelope",
    from: "specification",
    rows: [
      {
        id: "§2.5-1",
        title: "Event id",
        text:
          "`id` (string) is the event's id, in the form `evt_<id>`. It MUST be the same on every retry and every " +
          "redelivery.",
      },
      {
        id: "§2.5-2",
        title: "Event kind",
        text: "`event` (string) is the kind of the event (§6-1 to §6-4).",
      },
      {
        id: "§2.5-3",
        title: "API version",
        text: "`apiVersion` (string) MUST be `2026-10` (§9-2).",
      },
      {
        id: "§2.5-4",
        title: "Time of the event",
        text: "`createdAt` (string) is an ISO 8601 timestamp with an offset (D1).",
      },
      {
        id: "§2.5-5",
        title: "Store domain",
        text: "`shop` (string) is the store's domain.",
      },
      {
        id: "§2.5-6",
        title: "Event data",
        text: "`data` (object) is what the kind of the event carries (§6-1 to §6-4).",
      },
      {
        id: "§2.5-7",
        title: "Test mark",
        text: "`test` (boolean) MUST be `true` on test events.",
      },
    ],
  },
]
