/** The checklist of a store that is new to the settings app. */
import { Effect, Option } from "effect"
import type { TokenRecord } from "../../model/access/Token.ts"
import { includesApi } from "../../model/shops/Shop.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { SettingsSessions, setUpMark } from "../../ports/SettingsSessions.ts"
import { TokenStore } from "../../ports/TokenStore.ts"
import { shopOf } from "../../support/ShopRecords.ts"

/** A store as far as its checklist is about it. */
export interface FirstRun {
  readonly tokens: ReadonlyArray<Pick<TokenRecord, "hint" | "lastUsedAt">>
  readonly endpoints: ReadonlyArray<Pick<EndpointRecord, "id">>
  /** Whether the log has a test event that was delivered. */
  readonly isTested: boolean
}

/** The end of the year 9999: a mark that is kept. */
const forever = 253_402_300_799_999

/** Ends the checklist of a store for good. Fails with `NotFound`. */
export const endFirstRun = Effect.fn("FirstRun.end")(function* (shopId: string) {
  const shop = yield* shopOf(shopId)
  yield* SettingsSessions.use((marks) => marks.spend({ shop: shop.id, id: setUpMark, until: forever }))
})

/**
 * Reads the state of a store's checklist; `undefined` if there is none: the store's plan has no API and no webhooks, or
 * the checklist has ended. It ends when every step, or the first delivery that is no test, is seen done, and stays so
 * whatever becomes of the store later. Fails with `NotFound`.
 */
export const readFirstRun = Effect.fn("FirstRun.read")(function* (shopId: string) {
  const { id, plan } = yield* shopOf(shopId)
  const view = Option.getOrUndefined(yield* EndpointStore.use((endpoints) => endpoints.withShop(id)))
  if (view === undefined || view.isSetUp || !includesApi(plan)) return undefined
  const tokens = yield* TokenStore.use((store) => store.list(id))
  const hasDelivered = Effect.fnUntraced(function* (test: boolean) {
    const query = { shop: id, filter: { test, status: "succeeded" }, after: null, limit: 1 } as const
    return (yield* DeliveryLog.use((log) => log.page(query))).deliveries.length > 0
  })
  const state: FirstRun = { tokens, endpoints: view.endpoints, isTested: yield* hasDelivered(true) }
  const isOver = Object.values(stepsOf(state)).every((isDone) => isDone) || (yield* hasDelivered(false))
  if (!isOver) return state
  yield* endFirstRun(id)
  return undefined
})

/** Which steps are done. That deliveries are verified is known of nobody: it counts with the test. */
export const stepsOf = ({ endpoints, isTested, tokens }: FirstRun) => ({
  token: tokens.length > 0,
  curl: tokens.some(({ lastUsedAt }) => lastUsedAt !== null),
  endpoint: endpoints.length > 0,
  verify: isTested,
  test: isTested,
})
