import { Effect } from "effect"
import { compareIds } from "../../../core/model/Ids.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import type { NoticeRecord } from "../../../core/model/webhooks/Notice.ts"
import { NoticeStore } from "../../../core/ports/NoticeStore.ts"
import type { NoticeState, ShopState, State } from "../State.ts"

/** The notices in memory. */
export const makeNotices = (state: State): NoticeStore["Service"] =>
  NoticeStore.of({
    list: (shop, limit, now) => Effect.sync(() => newestNotices(state, shop, limit, now)),

    claim: ({ leaseUntil, limit, now, token }) =>
      Effect.sync(() =>
        [...state.holdings.values()]
          .flatMap(({ notices }) => [...notices.values()])
          .flatMap((notice) =>
            notice.dueAt === null || notice.dueAt > now || notice.leasedUntil > now
              ? []
              : { notice, dueAt: notice.dueAt },
          )
          .sort((left, right) => left.dueAt - right.dueAt)
          .slice(0, limit)
          .map(({ notice }) => {
            Object.assign(notice, { leasedUntil: leaseUntil, token })
            return { token, notice: notice.record, attempt: notice.attempts + 1 }
          }),
      ),

    settle: ({ attempt, notice: { id, shop }, token }, nextAttemptAt) =>
      Effect.sync(() => {
        const kept = state.holdings.get(shop)?.notices.get(id)
        if (kept === undefined || kept.token !== token) return false
        Object.assign(kept, {
          dueAt: nextAttemptAt,
          leasedUntil: Number.NEGATIVE_INFINITY,
          token: null,
          attempts: attempt,
        })
        return true
      }),
  })

/** A shop's newest notices until an instant, newest first. */
export const newestNotices = (state: State, shop: string, limit: number, now: Instant): ReadonlyArray<NoticeRecord> =>
  [...(state.holdings.get(shop)?.notices.values() ?? [])]
    .map(({ record }) => record)
    .filter(({ createdAt }) => createdAt <= now)
    .sort((left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id))
    .slice(0, limit)

/** Adds new notices, each due when it is created. */
export const addNotices = ({ notices }: ShopState, records: ReadonlyArray<NoticeRecord>): void => {
  for (const record of records) {
    const added: NoticeState = {
      record,
      dueAt: record.createdAt,
      leasedUntil: Number.NEGATIVE_INFINITY,
      token: null,
      attempts: 0,
    }
    if (!notices.has(record.id)) notices.set(record.id, added)
  }
}
