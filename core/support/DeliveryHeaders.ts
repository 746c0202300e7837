import { Context, Effect } from "effect"
import { Mac } from "effect/crypto"
import type { EventKind } from "../model/events/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { NoticeKind } from "../model/Resources.ts"
import {
  signatureOf,
  signedText,
  standardSignatureOf,
  standardSignedText,
  timestampOf,
} from "../rules/webhooks/Signature.ts"

/** The name before `-Webhooks/1.0` in the `User-Agent` of a delivery (§6). */
export const ServiceName = Context.Reference<string>("designwire/ServiceName", { defaultValue: () => "Designwire" })

const utf8 = new TextEncoder()

/** Input of the Standard Webhooks headers: the event's id and one key per signature (D41). */
export interface StandardSigning {
  readonly eventId: string
  readonly keys: ReadonlyArray<Mac.Key>
}

/**
 * Returns a function that makes the headers of a delivery's attempt (§6), signed with the endpoint's key. With
 * `standard` it adds the headers of Standard Webhooks (D41). `at` is the start of the attempt.
 */
export const makeDeliveryHeaders = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const userAgent = `${yield* ServiceName}-Webhooks/1.0`
  const sign = (key: Mac.Key, text: string) => Effect.orDie(mac.sign(key, utf8.encode(text)))

  return (
    delivery: { readonly id: string; readonly event: EventKind | NoticeKind; readonly body: string },
    at: Instant,
    key: Mac.Key,
    standard?: StandardSigning,
  ): Effect.Effect<Readonly<Record<string, string>>> => {
    const timestamp = timestampOf(at)
    const own = Effect.map(sign(key, signedText(timestamp, delivery.body)), (signed) => ({
      // As the specification prints them: some receivers compare names case-sensitively (D20a).
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Service-Event": delivery.event,
      "X-Service-Delivery": delivery.id,
      "X-Service-Timestamp": timestamp,
      "X-Service-Signature": signatureOf(signed),
    }))
    if (standard === undefined) return own
    const { eventId, keys } = standard
    const text = standardSignedText(eventId, timestamp, delivery.body)
    return Effect.zipWith(
      own,
      Effect.forEach(keys, (one) => sign(one, text)),
      (headers, macs) => ({
        ...headers,
        "webhook-id": eventId,
        "webhook-timestamp": timestamp,
        "webhook-signature": macs.map(standardSignatureOf).join(" "),
      }),
    )
  }
})
