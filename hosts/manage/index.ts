/** The management API (README) as routes for a host. */
import { Effect, Layer } from "effect"
import { answerUnknown as answerUnknownIn, area } from "../../core/api/Addresses.ts"
import { layerDocument, layerPage } from "../../core/api/Docs.ts"
import type { Examples } from "../../core/api/Examples.ts"
import { Contract } from "./Contract.ts"
import { layer as layerApi } from "./Handlers.ts"
import { checkRequest, type KeyCheck } from "./ManageKey.ts"

export { Contract } from "./Contract.ts"
export { type FailedKeyLimit, KeyLimit } from "./FailedKeys.ts"
export { type KeyCheck, keyCheck, makeKeyCheck, makeKeyComparison } from "./ManageKey.ts"

const examples: Effect.Effect<Examples> = Effect.promise(async () => {
  const { default: examples } = await import("./examples.json", { with: { type: "json" } })
  return examples
})

/** The management API under `/manage/v1`, for who passes the check of the key, and its OpenAPI document, for everyone. */
export const layer = (check: KeyCheck) =>
  Layer.merge(layerApi(check), layerDocument("/manage/openapi.json", Contract, examples))

/** A page to read the management API's documentation, at `/manage/docs`. */
export const layerDocs = layerPage("/manage/docs", Contract, examples)

const manageApi = area("/manage/v1", Contract)

/** Answers requests that the management API has no route for: 405 or 404, told only to who passes the check of the key. */
export const answerUnknown = (check: KeyCheck) => answerUnknownIn(manageApi, checkRequest(check))
