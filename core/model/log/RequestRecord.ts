import { Context, Effect } from "effect"

/** What a host learns of a request while it is answered, for its log and its metrics. Routers fill it in. */
export interface RequestRecord {
  /** The route as its contract writes it, such as `/api/v1/orders/:platformOrderId`; missing if none fits. */
  route?: string | undefined
  /** The id of the shop that the request is about. */
  shop?: string | undefined
  /** The id of the token that the request came with. */
  tokenId?: string | undefined
}

/** The record of the current request; `undefined` if its host keeps none. */
export const CurrentRecord = Context.Reference<RequestRecord | undefined>("designwire/RequestRecord", {
  defaultValue: () => undefined,
})

/** Adds to the record of the current request. */
export const noteRequest = (known: RequestRecord): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    Object.assign(fiber.getRef(CurrentRecord) ?? {}, known)
    return Effect.void
  })
