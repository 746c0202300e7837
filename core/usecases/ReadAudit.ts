import { Effect } from "effect"
import { type AuditEntry, type AuditPage, view } from "../model/audit/AuditEntry.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { type AuditInput, cursorOf, parse } from "../rules/audit/AuditQuery.ts"
import { listPage } from "../support/ListPage.ts"
import { shopOf } from "../support/ShopOf.ts"

/**
 * Lists the changes of a shop's data by persons and keys, newest first, with what the service did to endpoints by
 * itself (D59). They are kept for 400 days. Designs and orders that a platform sends are data, not changes: the feed
 * has them. Fails with `NotFound` and `InvalidInput`.
 */
export const listAudit = Effect.fn("ReadAudit.list")(function* (shopId: string, input: AuditInput = {}) {
  const shop = yield* shopOf(shopId)
  const query = yield* Effect.fromResult(parse(input))
  const { list } = yield* AuditStore
  const { entries, last } = yield* listPage(query.limit, (part, after: AuditEntry | undefined) =>
    list({ ...query, ...part, shop: shop.id, after: after ?? query.after }),
  )
  const page: AuditPage = {
    data: entries.map(view),
    pagination: { limit: query.limit, nextCursor: last === undefined ? null : cursorOf(last) },
  }
  return page
})
