import { Context, Data, Effect } from "effect"
import { logged } from "../model/log/LogEvent.ts"
import { type NoticeRecord, noticeOf, sentenceOf } from "../model/Notice.ts"

/** A notice could not be sent; it is sent again later. */
export class NoticeNotSent extends Data.TaggedError("NoticeNotSent")<{ readonly message: string }> {}

/**
 * Notifies owners that an endpoint fails, that it was switched off, or that a delivery was given up (D42), and that an
 * API token ends (D77). Each notice is sent at least once: again, with the same `Notice.id`, if sending fails or the
 * worker dies meanwhile.
 *
 * By default each notice is a line of the log.
 */
export const Notices = Context.Reference<{
  readonly send: (notice: NoticeRecord) => Effect.Effect<void, NoticeNotSent>
}>("designwire/Notices", {
  defaultValue: () => ({
    send: (record) => {
      const notice = noticeOf(record)
      const { notice: kind, shop } = notice
      const about =
        notice.notice === "token.ending"
          ? { token: notice.token.id }
          : { endpoint: notice.endpoint.id, delivery: notice.delivery.id }
      return Effect.logWarning(sentenceOf(notice)).pipe(logged("notices.raised", { notice: kind, shop, ...about }))
    },
  }),
})
