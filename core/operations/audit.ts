import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { AuditPage, SubjectType } from "../model/audit/AuditEntry.ts"
import { defaultLimit } from "../model/Page.ts"
import { listAudit } from "../usecases/ReadAudit.ts"
import * as Errors from "./Errors.ts"
import { operation } from "./Operation.ts"
import { describe, paged, parameter, readErrors, shop } from "./Parts.ts"

const filters = [
  parameter("subject", {
    type: "string",
    pattern: `^(${SubjectType.literals.join("|")})(:.+)?$`,
    description: "Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`",
  }),
  parameter("from", { type: "string", description: "Only changes at this time (RFC 3339) or date, or later" }),
  parameter("to", { type: "string", description: "Only changes before this time (RFC 3339) or date" }),
]

export const audit = {
  id: "audit",
  title: "Audit",
  description: "Changes by persons and keys.",
  operations: {
    list: operation(
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
      {
        input: "query",
        call: listAudit,
        method: "reads",
        comment:
          "A page of the changes by persons and keys, newest first, with the fields before and after; its " +
          "`nextCursor` leads to the next page. Each is committed with its change, and kept for 400 days. What the " +
          "service did to endpoints by itself is among them; orders and designs that you report are data and are not. " +
          "Fails with `NotFound`, `InvalidInput`.",
      },
    ),
  },
} as const
