import { longestReason } from "../../../core/model/Text.ts"
import { fixed } from "../statements/Fixed.ts"
import { select } from "../statements/Table.ts"

const fields = {
  shop: "text",
  id: "text",
  source: "text",
  topic: "text",
  change: "text",
  content: "text",
  property: "text",
  state: "text",
  eventId: "text",
  orderId: "text",
  designId: "text",
  modifiedAt: "timestamptz",
  triggeredAt: "timestamptz",
  receivedAt: "timestamptz",
} as const

/** The columns of an event, of a table `i`. Earlier versions have stored longer reasons. */
export const inboxColumns = fixed(`${select("i", fields)}, left(i.reason, ${longestReason}) AS reason`)
