/** What becomes of a platform's event when nobody looks: a line of the log, a notice and gauges (D85). */
import { Clock, Effect, Metric } from "effect"
import { logged } from "../../model/log/LogEvent.ts"
import type { PlatformEventNotice } from "../../model/Resources.ts"
import { type NoticeRecord, noticeOf, sentenceOf } from "../../model/webhooks/Notice.ts"
import { Inbox } from "../../ports/Inbox.ts"

const gaugeOf = (state: "failed" | "waiting") =>
  Metric.gauge("designwire_platform_events_in_trouble", {
    description: "Events of shop platforms that failed, or have waited for a design or payment for too long",
    attributes: { state },
  })

const endedGauge = Metric.gauge("designwire_platform_connections_ended", {
  description: "Connections of shops to platforms that the platform has ended: no more orders come from it",
})

const troubledGauge = Metric.gauge("designwire_platform_connections_in_trouble", {
  description: "Connections of shops to platforms whose access key is refused, or whose webhooks are gone",
})

/** How many shops are looked at by one step. */
const shopsOfStep = 200

const logTrouble = (record: NoticeRecord) => {
  const { inbox, notice, shop } = noticeOf(record) as PlatformEventNotice
  const sentence = sentenceOf(noticeOf(record))
  const { events, id, orderId, reason, source, topic } = inbox
  const fields = { shop, source, topic, inboxItem: id, order: orderId, reason, events }
  return notice === "inbox.failed"
    ? Effect.logWarning(sentence).pipe(logged("inbox.failed", fields))
    : Effect.logWarning(sentence).pipe(logged("inbox.waiting", fields))
}

/**
 * Looks for events of all shops that have failed, or that have waited for too long, and raises a line of the log and a
 * notice about them: one for each shop, kind and hour, and about each event once. Counts them in gauges.
 */
export const raiseAlarms = Effect.fn("RaiseAlarms.raise")(function* () {
  const inbox = yield* Inbox
  const now = Math.trunc(yield* Clock.currentTimeMillis)
  let [failed, waiting, ended, troubled] = [0, 0, 0, 0]
  let after: string | null = null
  do {
    const step: Effect.Success<ReturnType<Inbox["Service"]["raise"]>> = yield* inbox.raise({
      ...{ now, after, limit: shopsOfStep },
    })
    for (const record of step.raised) yield* logTrouble(record)
    failed += step.failed
    waiting += step.waiting
    ended += step.ended
    troubled += step.troubled
    after = step.after
  } while (after !== null)
  yield* Metric.update(gaugeOf("failed"), failed)
  yield* Metric.update(gaugeOf("waiting"), waiting)
  yield* Metric.update(endedGauge, ended)
  yield* Metric.update(troubledGauge, troubled)
})

/** {@link raiseAlarms} at once and every minute: hosts run it that take events of platforms. */
export const keepRaising: Effect.Effect<never, never, Inbox> = raiseAlarms().pipe(
  Effect.catch((error) =>
    Effect.logWarning("Could not look for events of platforms that failed; trying again", error).pipe(
      logged("inbox.not_applied"),
    ),
  ),
  Effect.andThen(Effect.sleep("1 minute")),
  Effect.forever,
)
