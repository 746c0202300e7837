import { Console, Effect } from "effect"
import { printable } from "../../../core/model/log/Printable.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"
import { type ManageOptions, managedShop, running } from "./Manage.ts"
import { isLocal } from "./Outgoing.ts"
import { serviceUrl } from "./ServiceUrl.ts"
import { happen, type Trigger } from "./ShopEvents.ts"

/** `designwire trigger`: causes an event in a shop of a host on this machine, as the shop's platform would. */
export const trigger = Effect.fn("trigger")(function* (options: ManageOptions & { readonly event: Trigger }) {
  yield* requireLocal(yield* serviceUrl(options.url, "manage", options.shop))
  const shop = yield* managedShop(options)
  const { failed, lines } = yield* running(() => happen(shop, options.event))
  for (const line of lines) yield* Console.log(printable(line))
  if (failed.length > 0) yield* configError(printable(failed.join(". ")))
})

/** Made-up orders must not reach a shop that sells. */
export const requireLocal = (url: string): Effect.Effect<void, ConfigError> =>
  URL.canParse(url) && isLocal(url)
    ? Effect.void
    : configError("trigger makes orders up: --url must be a host on this machine, e.g. http://127.0.0.1:3000")
