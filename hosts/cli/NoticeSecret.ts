import { Console, Effect, Redacted } from "effect"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { layerCrypto } from "../../core/support/WebCrypto.ts"
import { noticeSecret } from "../../core/usecases/webhooks/NoticeWebhook.ts"
import { readKeyRing } from "./Keys.ts"
import { readConfig } from "./ReadConfig.ts"

/** `designwire notice-secret`: prints the secret that notices are signed with. */
export const printNoticeSecret = Effect.fn("notice-secret")(function* () {
  const config = yield* readConfig(process.env, ["DESIGNWIRE_ENCRYPTION_KEYS"])
  const secret = yield* Effect.provideService(noticeSecret, KeyRing, yield* readKeyRing(config))
  yield* Console.log(Redacted.value(secret))
}, Effect.provide(layerCrypto))
