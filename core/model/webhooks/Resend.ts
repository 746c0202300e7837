/** The deliveries of an endpoint's log to send again (§6, D22, D29). */
import { Schema } from "effect"
import { EventKind } from "../events/Event.ts"
import { DateTime, type Instant } from "../Instant.ts"
import { noted } from "../Means.ts"

/** The states of deliveries that can be sent again together: finished ones. A pending one will be sent anyway. */
export const FinishedStatus = Schema.Literals(["succeeded", "failed", "dropped"])
export type FinishedStatus = typeof FinishedStatus.Type

/** A filter of finished deliveries in the log of an endpoint. `null` restricts nothing. */
export interface ResendFilter {
  readonly state: FinishedStatus | null
  readonly kind: EventKind | null
  /** Deliveries created at this instant or later. */
  readonly from: Instant | null
  /** Deliveries created before this instant. */
  readonly until: Instant
  /** Whether test deliveries are found, too. */
  readonly tests: boolean
  /** The ids of the deliveries. */
  readonly ids: ReadonlyArray<string> | null
}

/** The place of a delivery in the log, which a run goes through from the oldest to the newest. */
export interface LogPosition {
  readonly createdAt: Instant
  readonly id: string
}

/** The most deliveries that a form names by their ids. */
export const maximumNamed = 50

/**
 * The deliveries of an endpoint's log to send again: finished ones, of a state, of a kind of event, created from a time
 * (RFC 3339) on and before another. Tests are left out unless `tests` is true. `next` continues with a run that a
 * request did not complete.
 */
export const ResendInput = Schema.Struct({
  state: Schema.optionalKey(FinishedStatus),
  kind: Schema.optionalKey(EventKind),
  from: noted("Deliveries created at this time (RFC 3339) or later.", Schema.optionalKey(DateTime)),
  to: noted("Deliveries created before this time (RFC 3339).", Schema.optionalKey(DateTime)),
  tests: noted("Whether tests are sent again, too. Default: false.", Schema.optionalKey(Schema.Boolean)),
  next: noted("{@link Resent.next} of the call before, to continue.", Schema.optionalKey(Schema.String)),
}).annotate({ documentation: "The finished deliveries to send again; `{}` finds all but tests." })
export type ResendInput = typeof ResendInput.Type

/** How far a run has come. */
export const Resent = Schema.Struct({
  deliveries: noted("The number of new deliveries.", Schema.Int.annotate({ description: "Number of new deliveries" })),
  next: noted(
    "Continues with what is left; `null` once all are sent again.",
    Schema.NullOr(Schema.String).annotate({
      description: "Continues with what is left if it is sent with the same body; `null` once all are sent again",
    }),
  ),
}).annotate({ documentation: "How far deliveries were sent again." })
export type Resent = typeof Resent.Type
