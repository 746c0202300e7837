import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { AuditPage, SubjectType } from "../../../core/model/audit/AuditEntry.ts"
import { defaultLimit } from "../../../core/model/Page.ts"
import { describe, paged, parameter, readErrors, shop } from "./Common.ts"

const filters = [
  parameter("subject", {
    type: "string",
    pattern: `^(${SubjectType.literals.join("|")})(:.+)?$`,
    description: "Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`",
  }),
  parameter("from", { type: "string", description: "Only changes at this time (RFC 3339) or date, or later" }),
  parameter("to", { type: "string", description: "Only changes before this time (RFC 3339) or date" }),
]

/** Changes by persons and keys. */
export const audit = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("listAudit", "/shops/:shop/audit", {
      params: shop,
      success: AuditPage,
      error: [Errors.InvalidInput, ...readErrors],
    })
      .annotateMerge(
        describe(
          "List changes",
          "Every change of the shop's settings by a person or a key, newest first: when, by whom, what, and the fields",
          "before and after. What the service did to endpoints by itself is among them. Secrets never are. Changes are",
          "kept for 400 days. Designs and orders that a platform sends are data: the event feed has them.",
        ),
      )
      .annotate(OpenApi.Transform, paged("Changes", defaultLimit, ...filters)),
  )
  .annotateMerge(OpenApi.annotations({ title: "Audit", description: "Changes by persons and keys." }))
