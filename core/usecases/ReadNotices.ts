import { Effect } from "effect"
import { noticeOf } from "../model/Notice.ts"
import { NoticeStore } from "../ports/NoticeStore.ts"
import { shopOf } from "../support/ShopOf.ts"

/** A shop's newest notices, newest first (D42), whether they were told or not. Fails with `NotFound`. */
export const readNotices = Effect.fn("ReadNotices.read")(function* (shopId: string, limit: number) {
  const shop = yield* shopOf(shopId)
  const records = yield* NoticeStore.use((store) => store.list(shop.id, limit))
  return records.map(noticeOf)
})
