/** Schemas that are neither input nor result of an operation, and have a name for callers, or are part of others. */
import { Schema } from "effect"
import { Activity } from "../../../core/model/activity/Activity.ts"
import { AuditAction } from "../../../core/model/audit/AuditEntry.ts"
import { AttemptError, Delivery } from "../../../core/model/Delivery.ts"
import { Endpoint } from "../../../core/model/Endpoint.ts"
import { EndpointKind } from "../../../core/model/Event.ts"
import { named } from "../../../core/model/fields/Means.ts"
import { Plan } from "../../../core/model/Shop.ts"
import { Token, TokenScope } from "../../../core/model/Token.ts"

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
