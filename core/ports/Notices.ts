import { Context, Data, Effect } from "effect"
import { type NoticeRecord, noticeOf, sentenceOf } from "../model/Notice.ts"

/** A notice could not be told: it is told again later. */
export class NoticeNotTold extends Data.TaggedError("NoticeNotTold")<{ readonly message: string }> {}

/**
 * Tells owners that an endpoint fails, was switched off, or a delivery was given up (D42). Each notice is told at least once: again where it failed, or where
 * a worker died meanwhile. `Notice.id` stays the same.
 *
 * Unless a host says otherwise, each is a line of the log.
 */
export const Notices = Context.Reference<{
  readonly tell: (notice: NoticeRecord) => Effect.Effect<void, NoticeNotTold>
}>("designwire/Notices", {
  defaultValue: () => ({ tell: (record) => Effect.logWarning(sentenceOf(noticeOf(record))) }),
})
