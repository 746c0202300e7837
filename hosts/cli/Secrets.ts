import { Console, Data, Effect } from "effect"
import { layerCrypto } from "../../adapters/node/index.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { checkSecrets, resealSecrets, type Unopened } from "../../core/usecases/webhooks/ResealSecrets.ts"
import { readKeyRing } from "./Keys.ts"
import { readConfig } from "./ReadConfig.ts"
import { stores } from "./Stores.ts"

/** No key opens some signing secrets. */
class SecretsUnopened extends Data.TaggedError("SecretsUnopened")<{ readonly message: string }> {}

/** `designwire reseal`: seals every signing secret with the newest key. */
export const reseal = Effect.fn("reseal")(function* () {
  const config = yield* readConfig(process.env, ["DESIGNWIRE_ENCRYPTION_KEYS"])
  const keyRing = yield* readKeyRing(config)
  const { resealed, total, unopened } = yield* resealSecrets.pipe(
    Effect.provideService(KeyRing, keyRing),
    Effect.provide(stores(config)),
  )
  yield* Console.log(`Sealed ${resealed} of ${total} signing secrets with the newest key`)
  if (unopened.count > 0) yield* new SecretsUnopened({ message: unopenedSentence(unopened, total) })
  yield* Console.log(
    keyRing.keys.length > 1
      ? "You can remove the older keys from DESIGNWIRE_ENCRYPTION_KEYS once every reader of the event feed has read again. " +
          "Cursors of pages and of the feed that were made with them are then invalid"
      : "There is only one key",
  )
}, Effect.provide(layerCrypto))

/** Checks at the start whether every signing secret opens, and logs the ones that don't. */
export const warnOfUnopenedSecrets = checkSecrets.pipe(
  Effect.flatMap(({ total, unopened }) =>
    unopened.count > 0
      ? Effect.logWarning(unopenedSentence(unopened, total)).pipe(logged("secrets.unopened", { count: unopened.count }))
      : Effect.void,
  ),
  Effect.catch((error) =>
    Effect.logWarning(`Could not check whether every signing secret opens: ${error.message}`).pipe(
      logged("secrets.check_failed"),
    ),
  ),
)

/** A sentence with the number of secrets that no key opens, and their endpoints. */
export const unopenedSentence = ({ count, first }: Unopened, total: number): string => {
  const names = first.map((holder) => {
    const what = "platform" in holder ? `the connection to ${holder.platform}` : holder.endpointId
    return `${what} of the shop ${holder.shop}`
  })
  const more = count > names.length ? [`${count - names.length} more`] : []
  const hasPlatforms = first.some((holder) => "platform" in holder)
  return [
    `None of DESIGNWIRE_ENCRYPTION_KEYS opens ${count} of ${total} signing secrets,`,
    `so that nothing can be delivered to their endpoints${hasPlatforms ? ", nor taken from their platforms" : ""}:`,
    `${[...names, ...more].join(", ")}.`,
    "Add the key that they were sealed with",
  ].join(" ")
}
