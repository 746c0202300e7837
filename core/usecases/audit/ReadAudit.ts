import { Effect } from "effect"
import { type AuditEntry, type AuditPage, view } from "../../model/audit/AuditEntry.ts"
import type { AuditInput } from "../../model/queries/Inputs.ts"
import { auditQuery, cursorOf } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { AuditStore } from "../../ports/AuditStore.ts"
import { listPage } from "../../support/ListPage.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const read = queryReader(auditQuery)

/**
 * Lists the changes of a shop's data by persons and keys, newest first, with what the service did to endpoints by
 * itself (D59). They are kept for 400 days. Designs and orders that a platform sends are data, not changes: the feed
 * has them. Fails with `NotFound` and `InvalidInput`.
 */
export const listAudit = Effect.fn("ReadAudit.list")(function* (shopId: string, input: AuditInput = {}) {
  const shop = yield* shopOf(shopId)
  const {
    after: start = null,
    from = null,
    limit,
    subject = null,
    to: until = null,
  } = yield* Effect.fromResult(read(input))
  const { list } = yield* AuditStore
  const { entries, last } = yield* listPage(limit, (part, after: AuditEntry | undefined) =>
    list({ ...part, shop: shop.id, after: after ?? start, subject, from, until }),
  )
  const page: AuditPage = {
    data: entries.map(view),
    pagination: { limit, nextCursor: last === undefined ? null : cursorOf(last) },
  }
  return page
})
