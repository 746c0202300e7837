import { Clock, Effect } from "effect"
import { noticeOf } from "../../model/webhooks/Notice.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** Reads a shop's newest notices, sent or not, newest first (D42, D77). Fails with `NotFound`. */
export const readNotices = Effect.fn("ReadNotices.read")(function* (shopId: string, limit: number) {
  const shop = yield* shopOf(shopId)
  const now = yield* Clock.currentTimeMillis
  const records = yield* NoticeStore.use((store) => store.list(shop.id, limit, now))
  return records.map(noticeOf)
})
