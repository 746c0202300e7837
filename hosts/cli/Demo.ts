import { Effect, Redacted, Result } from "effect"
import { NetAddress } from "effect/net"
import { defaultPrefix } from "../../core/api/Prefix.ts"
import { command } from "../../core/model/audit/Actor.ts"
import type { Definition } from "../../core/model/catalog/Definition.ts"
import type { ShopInput } from "../../core/model/shops/Shop.ts"
import { CurrentActor } from "../../core/support/Auditing.ts"
import { createToken, deleteToken, listTokens } from "../../core/usecases/access/ManageTokens.ts"
import { publishCustomizer } from "../../core/usecases/catalog/PublishCustomizer.ts"
import { putCustomizer } from "../../core/usecases/catalog/PutCustomizer.ts"
import { saveDesign } from "../../core/usecases/catalog/SaveDesign.ts"
import { cancelOrder } from "../../core/usecases/orders/CancelOrder.ts"
import { placeOrder } from "../../core/usecases/orders/PlaceOrder.ts"
import { listShops, putShop } from "../../core/usecases/shops/ManageShops.ts"
import { curlWith } from "../settings/parts/Curl.ts"
import customizers from "./demo/customizers.json" with { type: "json" }
import designs from "./demo/designs.json" with { type: "json" }
import orders from "./demo/orders.json" with { type: "json" }
import shop from "./demo/shop.json" with { type: "json" }
import { ConfigError, type HostConfig } from "./ReadConfig.ts"

const tokenName = "Demo"

/** The sample shop's id. */
export const demoShop = shop.id

const forThisMachine = (variable: string) =>
  `--demo is only for this machine: ${variable} must be 127.0.0.1, ::1 or localhost`

/**
 * The demo is for the user of this machine: it prints keys, and its samples don't belong in a database that others use.
 */
export const requireDemoConfig = Effect.fnUntraced(function* ({ databaseUrl, host, manage }: HostConfig) {
  const problems = [
    ...(databaseUrl === undefined ? [] : ["--demo is not for a database of yours: leave out DATABASE_URL, or --demo"]),
    ...(isLoopback(host) ? [] : [forThisMachine("HOST")]),
    ...(manage === undefined || isLoopback(manage.host) ? [] : [forThisMachine("DESIGNWIRE_MANAGE_HOST")]),
  ]
  if (problems.length > 0) yield* new ConfigError({ message: problems.join("\n"), problems })
})

const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  Result.match(NetAddress.ipFromString(host), { onFailure: () => false, onSuccess: NetAddress.isLoopback })

/**
 * Creates the sample shop in an empty database. Every start creates a token for it, which is returned, and revokes the
 * token of the previous start.
 */
export const demo = Effect.fn("demo")(
  function* () {
    if ((yield* listShops).length === 0) yield* sampleShop
    for (const token of yield* listTokens(shop.id)) {
      if (token.name === tokenName) yield* deleteToken(shop.id, token.id)
    }
    const { text } = yield* createToken(shop.id, { name: tokenName })
    return text
  },
  (effect) => Effect.provideService(effect, CurrentActor, command("designwire demo")),
)

const sampleShop = Effect.gen(function* () {
  const { id, ...fields } = shop
  yield* putShop(id, fields as ShopInput)
  for (const { definition, id: customizer, ...description } of customizers) {
    yield* putCustomizer(id, customizer, description)
    yield* publishCustomizer(id, customizer, { definition: definition as unknown as Definition })
  }
  for (const { id: design, ...input } of designs) yield* saveDesign(id, design, input)
  for (const { cancelled, id: order, ...input } of orders) {
    yield* placeOrder(id, order, input)
    if (cancelled) yield* cancelOrder(id, order)
  }
})

/** First steps for the person who started the demo. */
export const welcome = ({
  address,
  docs,
  manageKey,
  signIn,
  token,
}: {
  readonly address: string
  /** The page with the documentation of the REST API. */
  readonly docs: string
  /** The link that signs in to the settings app. */
  readonly signIn: string
  readonly token: Redacted.Redacted<string>
  readonly manageKey: Redacted.Redacted<string>
}): string => `
The sample shop is ready. Try:

  ${curlWith(Redacted.value(token), `${address}${defaultPrefix}/orders?limit=2`)}

  Settings    ${signIn}
              (signs you in once, within five minutes; afterwards ask for the manage key)
  REST API    ${docs}
  Manage key  ${Redacted.value(manageKey)}
`
