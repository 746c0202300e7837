/** The queries of all lists. */
import { Schema } from "effect"
import { type AuditPosition, SubjectType } from "../audit/AuditEntry.ts"
import { EndpointKind } from "../events/Event.ts"
import { customizerIdOf, ShopId } from "../Ids.ts"
import { isInstant } from "../Instant.ts"
import { InboxStates } from "../ingest/InboxView.ts"
import { maximumLimit } from "../Page.ts"
import { isStorable } from "../Text.ts"
import { logLength } from "../webhooks/Delivery.ts"
import type { DeliveryPlace } from "../webhooks/LoggedDelivery.ts"
import { after, limit, optional, time } from "./Query.ts"

/** What to export of a shop, and how (D75). */
const exportKinds = ["orders", "designs", "lines"] as const
const exportFormats = ["jsonl", "csv"] as const

/** A parameter that is one of some values. */
const oneOf = <A extends string>(values: ReadonlyArray<A>, description: string, form: string) =>
  optional<A>({
    description,
    schema: { type: "string", enum: values },
    form,
    read: (text) => values.find((value) => value === text),
  })

/** The query of `GET /orders` (§4, D12, D13). */
export const ordersQuery = {
  limit: limit("Orders"),
  cursor: optional({
    description: "pagination.nextCursor of the previous page",
    schema: { type: "string" },
    form: "the nextCursor of the previous page, unchanged, of the same shop and with the same orderedAfter",
    isOpaque: true,
    read: (text) => text,
  }),
  orderedAfter: time(
    "Only orders placed at or after this time: an RFC 3339 date-time with an offset or Z, or a date. Of the other " +
      "forms of ISO 8601 only the basic form and times without seconds are accepted",
    {
      // ISO 8601 has further forms, such as 24:00, decimals behind a comma, and week and ordinal dates.
      form:
        "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05; " +
        "of the other forms of ISO 8601 only the basic form and times without seconds are accepted",
      schema: { format: "date-time" },
    },
  ),
}

/** The `after` of a client that wants only future events. */
export const latest = "latest"

const kinds: ReadonlyArray<EndpointKind> = EndpointKind.literals

/** The query of `GET /events` (D12, D39). Without `after` it starts at the oldest event that is kept. */
export const eventsQuery = {
  after: optional({
    description:
      "pagination.nextCursor of an earlier page. Without it the feed begins with the oldest stored event. " +
      "`latest` begins with the next event.",
    schema: { type: "string" },
    form: `the nextCursor of an earlier page, unchanged, of the same shop, or ${latest}`,
    isOpaque: true,
    read: (text) => text,
  }),
  limit: limit("Events"),
  types: {
    description: "Only events of these kinds, separated by commas",
    comment: "Only events of these kinds. Default: all.",
    schema: { type: "array", minItems: 1, items: { type: "string", enum: kinds } },
    form: `one or more of ${kinds.join(", ")}, separated by commas`,
    read: (text: string) => kinds.find((kind) => kind === text),
    byDefault: kinds,
    isList: true as const,
  },
}

/** A cursor is the id of the last event on a page: ids sort by time. */
const inboxCursor = /^inb_[\x21-\x7e]{1,300}$/

export const inboxQuery = {
  limit: limit("Events"),
  after: after((text) => (inboxCursor.test(text) ? text : undefined)),
  state: oneOf(InboxStates.literals, "Only events in this state", `one of ${InboxStates.literals.join(", ")}`),
}

const types: ReadonlyArray<SubjectType> = SubjectType.literals

const subjectOf = (text: string): { readonly type: SubjectType; readonly id: string | null } | undefined => {
  const [name = "", ...rest] = text.split(":")
  const type = types.find((one) => one === name)
  const id = rest.length === 0 ? null : rest.join(":")
  return type !== undefined && id !== "" && (id === null || isStorable(id)) ? { type, id } : undefined
}

export const auditQuery = {
  limit: limit("Changes"),
  after: after((text): AuditPosition | undefined => placeOf(auditCursor, text)),
  subject: optional({
    description: "Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`",
    schema: { type: "string", pattern: `^(${types.join("|")})(:.+)?$` },
    form: `one of ${types.join(", ")}, or one of them, a colon and an id`,
    read: subjectOf,
  }),
  from: time("Only changes at this time (RFC 3339) or date, or later"),
  to: time("Only changes before this time (RFC 3339) or date"),
}

/** The query of an endpoint's delivery log (§8, D32). */
export const logQuery = {
  limit: limit("Deliveries", logLength),
  after: after((text): DeliveryPlace | undefined => placeOf(logCursor, text)),
}

const draftStatus = ["draft"] as const

/** The query of a list of drafts (D86). */
export const draftsQuery = {
  status: {
    ...oneOf(draftStatus, "Which designs: drafts are listed; orders have the others", draftStatus.join()),
    schema: { type: "string", enum: draftStatus, default: "draft" },
    byDefault: "draft",
  },
  limit: limit("Drafts"),
  after: after((text) => {
    const place = placeOf(draftCursor, text)
    return place === undefined ? undefined : decodedPlace(place)
  }),
  customizer: optional({
    description: "Only drafts of this customizer",
    schema: { type: "integer", minimum: 1 },
    form: "the id of a customizer: a positive integer up to 2^53 − 1",
    read: customizerIdOf,
  }),
  savedBefore: time("Only drafts that were not saved again since this time (RFC 3339) or date"),
} as const

const isShopId = Schema.is(ShopId)

export const shopsQuery = {
  limit: limit("Shops", maximumLimit),
  after: after((text) => (isShopId(text) ? text : undefined)),
}

/** The query of an export (D75). */
export const exportQuery = {
  kind: {
    ...oneOf(
      exportKinds,
      "`orders` with their designs, single `designs`, drafts included, or the `lines` of orders with their quantities",
      exportKinds.join(", "),
    ),
    isRequired: true,
  },
  since: time("Only orders placed, or designs created, at this time or later: a date-time, or a date in UTC"),
  format: {
    ...oneOf(
      exportFormats,
      "`jsonl`: the objects of the REST API, or orders with their lines, one on each line. `csv`: a line for each " +
        "design, or for each line of an order",
      exportFormats.join(" or "),
    ),
    schema: { type: "string", enum: exportFormats, default: "jsonl" },
    byDefault: "jsonl",
  },
} as const

/** The cursor of a page that ends with something. */
export const cursorOf = ({ at, id }: { readonly at: number; readonly id: string }): string => `${at}.${id}`

const auditCursor = /^(-?\d{1,15})\.(aud_[\x21-\x7e]{1,300})$/
const draftCursor = /^(-?\d{1,15})\.([\x21-\x7e]{1,3100})$/

const decodedPlace = ({ at, id }: { readonly at: number; readonly id: string }) => {
  try {
    const text = decodeURIComponent(id)
    return isStorable(text) ? { at, id: text } : undefined
  } catch {
    return undefined
  }
}

const logCursor = /^(-?\d{1,15})\.(dlv_[\x21-\x7e]{1,300})$/

const placeOf = (shape: RegExp, text: string) => {
  const [, time = "", id = ""] = shape.exec(text) ?? []
  const at = time === "" ? Number.NaN : Number(time)
  return isInstant(at) ? { at, id } : undefined
}
