import { Context, Effect } from "effect"

/** The facts of a request that its host logs and counts. Routers fill them in while they answer it. */
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
