import { Console, Effect, Option } from "effect"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import { addressOf, generalAddress } from "../../../core/model/webhooks/PublicAddress.ts"
import { registerWebhooks } from "../../../core/usecases/ingest/RegisterWebhooks.ts"
import { askingPlatforms, PlatformError } from "./Services.ts"

export interface ConnectCommand {
  readonly platform: IngestSource
  readonly shop: string
  readonly address: Option.Option<string>
}

/** `designwire platform connect`: registers the webhooks that a shop needs, and says which. */
export const connect = Effect.fn("platform connect")(function* ({ platform, shop, ...options }: ConnectCommand) {
  yield* askingPlatforms("designwire platform connect", ({ ingest, publicUrl }) =>
    Effect.gen(function* () {
      const base = publicUrl === undefined ? undefined : addressOf(generalAddress(publicUrl), shop)
      const address =
        Option.getOrUndefined(options.address) ??
        (base === undefined ? undefined : `${base}/ingest/${platform}/${shop}`)
      if (address === undefined) {
        const message = "The address of the webhooks is not known: set DESIGNWIRE_PUBLIC_URL, or --address"
        return yield* new PlatformError({ message })
      }
      const [secret] = ingest[platform] ?? []
      for (const { did, topic } of yield* registerWebhooks({ shop, platform, address, secret })) {
        yield* Console.log(`${topic}: ${did}, to ${address}`)
      }
    }),
  )
})
