import { Context, Effect } from "effect"
import { Mac } from "effect/crypto"
import type { EventKind } from "../model/Event.ts"
import type { Instant } from "../model/Instant.ts"
import type { NoticeKind } from "../model/Resources.ts"
import { signatureOf, signedText, timestampOf } from "../rules/Signature.ts"

/** The name before `-Webhooks/1.0` in the `User-Agent` of a delivery (§6). */
export const ServiceName = Context.Reference<string>("designwire/ServiceName", { defaultValue: () => "Designwire" })

const utf8 = new TextEncoder()

/** Makes what gives the headers of a delivery's attempt (§6), signed with its endpoint's key. `at` is when the attempt began. */
export const makeDeliveryHeaders = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const userAgent = `${yield* ServiceName}-Webhooks/1.0`
  return (
    delivery: { readonly id: string; readonly event: EventKind | NoticeKind; readonly body: string },
    at: Instant,
    key: Mac.Key,
  ) => {
    const timestamp = timestampOf(at)
    return Effect.map(Effect.orDie(mac.sign(key, utf8.encode(signedText(timestamp, delivery.body)))), (signed) => ({
      // As the specification prints them: some receivers compare names by case (D20a).
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Service-Event": delivery.event,
      "X-Service-Delivery": delivery.id,
      "X-Service-Timestamp": timestamp,
      "X-Service-Signature": signatureOf(signed),
    }))
  }
})
