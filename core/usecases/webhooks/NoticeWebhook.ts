import { Clock, Effect, Redacted } from "effect"
import { publicOnly } from "../../model/webhooks/HostPolicy.ts"
import { noticeOf } from "../../model/webhooks/Notice.ts"
import { HostLookup } from "../../ports/HostLookup.ts"
import { NoticeNotSent, Notices } from "../../ports/Notices.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { isSuccess } from "../../rules/webhooks/DeliveryState.ts"
import { secretFromBytes } from "../../rules/webhooks/Signature.ts"
import { makeApprove } from "../../support/Approval.ts"
import { makeDeliveryHeaders } from "../../support/DeliveryHeaders.ts"
import { derivedKeys } from "../../support/DerivedKeys.ts"
import { keyFrom } from "../../support/SigningKeys.ts"

/** The most milliseconds to send a notice, and to connect: as for a delivery's attempt (§6, D26). */
const timeout = 5000
const connectTimeout = 3000

/** The secret that signs notices. It is derived from the newest encryption key and changes with it. */
export const noticeSecret = Effect.map(derivedKeys("notices"), ([newest]) =>
  Redacted.make(secretFromBytes(newest as Uint8Array)),
)

/**
 * Sends notices as signed webhooks to a URL of the operator (D42), with the headers and signature of a delivery;
 * `X-Service-Event` is the notice's kind. A notice is sent when the response is 200 to 299.
 */
export const makeNoticeWebhook = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const { lookup } = yield* HostLookup
  const sender = yield* WebhookSender
  // The operator chose the URL: it may lead anywhere.
  const target = { shop: "", url: Redacted.value(url) }
  const approve = makeApprove({ ...publicOnly, exceptions: [target] }, lookup)
  const headersOf = yield* makeDeliveryHeaders
  const key = yield* keyFrom(yield* noticeSecret)

  return Notices.of({
    send: Effect.fnUntraced(
      function* (record) {
        const { addresses, destination } = yield* approve(target)
        const { id, notice } = noticeOf(record)
        const at = yield* Clock.currentTimeMillis
        const response = yield* sender.send({
          url: destination.href,
          addresses,
          headers: yield* headersOf({ id, event: notice, body: record.body }, at, key),
          body: record.body,
          timeout,
          connectTimeout,
          responseLimit: 0,
        })
        if (!isSuccess(response)) {
          return yield* new NoticeNotSent({ message: `the answer was ${response.statusCode ?? response.error}` })
        }
      },
      Effect.catchTag(["NotApproved", "LookupFailed"], ({ message }) => new NoticeNotSent({ message })),
    ),
  })
})
