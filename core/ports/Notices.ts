import { Context, Data, Effect } from "effect"
import { logged } from "../model/log/LogEvent.ts"
import type { Notice } from "../model/Resources.ts"
import { type NoticeRecord, noticeOf, sentenceOf } from "../model/webhooks/Notice.ts"

/** A notice could not be sent; it is sent again later. */
export class NoticeNotSent extends Data.TaggedError("NoticeNotSent")<{ readonly message: string }> {}

/**
 * Notifies owners that an endpoint fails, that it was switched off, or that a delivery was given up (D42), that an API
 * token ends (D77), that events of a shop platform have failed, wait for long, or were dropped and never applied (D57,
 * D85), and that a platform sends nothing more (D85). Each notice is sent at least once: again, with the same
 * `Notice.id`, if sending fails or the worker dies meanwhile.
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
      return Effect.logWarning(sentenceOf(notice)).pipe(
        logged("notices.raised", { notice: kind, shop, ...about(notice) }),
      )
    },
  }),
})

/** The ids of what a notice is about. */
const about = (notice: Notice) => {
  switch (notice.notice) {
    case "token.ending":
      return { token: notice.token.id }
    case "inbox.dropped":
      return { inboxItem: notice.inbox.oldest.id }
    case "inbox.failed":
    case "inbox.waiting":
      return { inboxItem: notice.inbox.id }
    case "platform.disconnected":
      return { platform: notice.platform.name }
    default:
      return { endpoint: notice.endpoint.id, delivery: notice.delivery.id }
  }
}
