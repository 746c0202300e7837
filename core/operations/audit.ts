import { HttpApiEndpoint } from "effect/http-api"
import { AuditPage } from "../model/audit/AuditEntry.ts"
import { auditQuery } from "../model/queries/Queries.ts"
import { listAudit } from "../usecases/audit/ReadAudit.ts"
import * as Errors from "./Errors.ts"
import { operation } from "./Operation.ts"
import { describe, readErrors, shop } from "./Parts.ts"

export const audit = {
  id: "audit",
  comment: "Who changed what in a shop.",
  title: "Audit",
  description: "Changes by persons and keys.",
  operations: {
    list: operation(
      HttpApiEndpoint.get("listAudit", "/shops/:shop/audit", {
        params: shop,
        success: AuditPage,
        error: [Errors.InvalidInput, ...readErrors],
      }).annotateMerge(
        describe(
          "List changes",
          "Every change of the shop's settings by a person or a key, newest first: when, by whom, what, and the fields",
          "before and after. The service's own changes of endpoints are among them. Secrets never are. Changes are",
          "kept for 400 days. Designs and orders that a platform sends are data: the event feed has them.",
        ),
      ),
      {
        input: "query",
        query: auditQuery,
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
