/** Schemas that are neither input nor result of an operation, and have a name for callers, or are part of others. */
import type { Schema } from "effect"
import { ActivityFigures } from "../model/activity/Activity.ts"
import { AuditAction } from "../model/audit/AuditEntry.ts"
import { AttemptError, Delivery } from "../model/Delivery.ts"
import { Endpoint } from "../model/Endpoint.ts"
import { EndpointKind } from "../model/Event.ts"
import { Plan } from "../model/Shop.ts"
import { Token, TokenScope } from "../model/Token.ts"

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
