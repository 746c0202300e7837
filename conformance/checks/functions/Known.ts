/** Schemas that are neither input nor result of an operation, and have a name for callers, or are part of others. */
import { Schema } from "effect"
import { Token, TokenScope } from "../../../core/model/access/Token.ts"
import { AuditAction } from "../../../core/model/audit/AuditEntry.ts"
import { EndpointKind } from "../../../core/model/events/Event.ts"
import { named } from "../../../core/model/Means.ts"
import { Activity } from "../../../core/model/shops/Activity.ts"
import { Plan } from "../../../core/model/shops/Shop.ts"
import { AttemptError, Delivery } from "../../../core/model/webhooks/Delivery.ts"
import { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"

const { failedAttempts, givenUp, p50Ms, p95Ms, succeeded } = Activity.fields

const ActivityFigures = named(
  "ActivityFigures",
  "Attempts to deliver, in figures.",
  Schema.Struct({ succeeded, failedAttempts, givenUp, p50Ms, p95Ms }),
)

/** The types of unions are recognized by their members. */
export const plainTypes: ReadonlyArray<Schema.Top> = [
  ActivityFigures,
  AuditAction,
  AttemptError.annotate({ identifier: "AttemptError" }),
  Delivery.annotate({ identifier: "Delivery" }),
  Endpoint.annotate({ identifier: "Endpoint" }),
  EndpointKind.annotate({ identifier: "EndpointKind" }),
  Plan,
  Token.annotate({ identifier: "Token" }),
  TokenScope,
]
