/** The queries of all lists. */
import { Schema } from "effect"
import { type AuditPosition, SubjectType } from "../audit/AuditEntry.ts"
import { logLength } from "../Delivery.ts"
import type { DeliveryPlace } from "../deliveries/LoggedDelivery.ts"
import { EndpointKind } from "../Event.ts"
import { ShopId } from "../Ids.ts"
import { isInstant } from "../Instant.ts"
import { exportFormats, exportKinds } from "../orders/Export.ts"
import { InboxStates } from "../orders/InboxView.ts"
import { maximumLimit } from "../Page.ts"
import { isStorable } from "../Text.ts"
import { after, limit, optional, type Parameter, time } from "./Query.ts"

/** A parameter that is one of some values. */
const oneOf = <A extends string>(values: ReadonlyArray<A>, description: string, form: string) =>
  optional<A>({
    description,
    schema: { type: "string", enum: values },
    form,
    read: (text) => values.find((value) => value === text),
  })

/** Query parameters of `GET /orders`. Numbers may be text, as in a URL. */
export interface OrdersInput {
  /** Orders on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Only orders placed at or after this time: an RFC 3339 date-time with an offset or `Z`, or a date (D13). */
  readonly orderedAfter?: string | undefined
}

/** The query of `GET /orders` (§4, D12, D13). */
export const ordersQuery = {
  limit: limit("Orders"),
  cursor: optional({
    description: "pagination.nextCursor of the previous page",
    schema: { type: "string" },
    form: "the nextCursor of the previous page, unchanged, of the same shop and with the same orderedAfter",
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
} satisfies Readonly<Record<keyof OrdersInput, Parameter>>

/** Query parameters of `GET /events`. Numbers may be text, as in a URL. */
export interface EventsInput {
  /**
   * The `nextCursor` of an earlier page. Without it the feed starts at the oldest event that is kept; with `latest`, at
   * the next one to happen.
   */
  readonly after?: string | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** Kinds to include: `design.ordered`, `order.cancelled`, `design.created`; a list, or a comma-separated text. */
  readonly types?: string | ReadonlyArray<string> | undefined
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
    read: (text) => text,
  }),
  limit: limit("Events"),
  types: {
    description: "Only events of these kinds, separated by commas",
    schema: { type: "array", minItems: 1, items: { type: "string", enum: kinds } },
    form: `one or more of ${kinds.join(", ")}, separated by commas`,
    read: (text: string) => kinds.find((kind) => kind === text),
    byDefault: kinds,
    isList: true as const,
  },
} satisfies Readonly<Record<keyof EventsInput, Parameter>>

/** Query parameters of a list of platforms' events (D57). Numbers may be text, as in a URL. */
export interface InboxInput {
  /** Only events in this state: `waiting`, `applied`, `ignored` or `failed`. */
  readonly state?: string | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

/** A cursor is the id of the last event on a page: ids sort by time. */
const inboxCursor = /^inb_[\x21-\x7e]{1,300}$/

export const inboxQuery = {
  limit: limit("Events"),
  after: after((text) => (inboxCursor.test(text) ? text : undefined)),
  state: oneOf(InboxStates.literals, "Only events in this state", `one of ${InboxStates.literals.join(", ")}`),
} satisfies Readonly<Record<keyof InboxInput, Parameter>>

/** Query parameters of a list of changes (D59). Numbers may be text, as in a URL. */
export interface AuditInput {
  /** Entries on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`. */
  readonly subject?: string | undefined
  /** Only changes at this time or later: RFC 3339 with an offset or `Z`, or a date, which stands for 00:00 UTC. */
  readonly from?: string | undefined
  /** Only changes before this time. */
  readonly to?: string | undefined
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
} satisfies Readonly<Record<keyof AuditInput, Parameter>>

/** Query parameters of a delivery log. Numbers may be text, as in a URL. */
export interface LogInput {
  /** Deliveries on the page, 1 to 100. Default: 50. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

/** The query of an endpoint's delivery log (§8, D32). */
export const logQuery = {
  limit: limit("Deliveries", logLength),
  after: after((text): DeliveryPlace | undefined => placeOf(logCursor, text)),
} satisfies Readonly<Record<keyof LogInput, Parameter>>

/** Query parameters of the list of shops. Numbers may be text, as in a URL. */
export interface ShopsInput {
  /** Shops on the page, 1 to 100. Default: 100. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

const isShopId = Schema.is(ShopId)

export const shopsQuery = {
  limit: limit("Shops", maximumLimit),
  after: after((text) => (isShopId(text) ? text : undefined)),
} satisfies Readonly<Record<keyof ShopsInput, Parameter>>

/** The query of an export (D75). */
export const exportQuery = {
  kind: {
    ...oneOf(exportKinds, "Orders with their designs, or single designs, drafts included", exportKinds.join(" or ")),
    isRequired: true,
  },
  since: time("Only orders placed, or designs created, at this time or later: a date-time, or a date in UTC"),
  format: {
    ...oneOf(
      exportFormats,
      "`jsonl`: the objects of the REST API, one on each line. `csv`: a line for each design",
      exportFormats.join(" or "),
    ),
    schema: { type: "string", enum: exportFormats, default: "jsonl" },
    byDefault: "jsonl",
  },
} as const

/** The cursor of a page that ends with something. */
export const cursorOf = ({ at, id }: { readonly at: number; readonly id: string }): string => `${at}.${id}`

const auditCursor = /^(-?\d{1,15})\.(aud_[\x21-\x7e]{1,300})$/
const logCursor = /^(-?\d{1,15})\.(dlv_[\x21-\x7e]{1,300})$/

const placeOf = (shape: RegExp, text: string) => {
  const [, time = "", id = ""] = shape.exec(text) ?? []
  const at = time === "" ? Number.NaN : Number(time)
  return isInstant(at) ? { at, id } : undefined
}
