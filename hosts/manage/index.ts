/** The management API (README.md) as routes for a host. */
import { Effect, Layer } from "effect"
import { documentAnswer, layerAt, pageAnswer } from "../../core/api/Docs.ts"
import type { Examples } from "../../core/api/Examples.ts"
import { Contract } from "./Contract.ts"
import { layerHandlers } from "./Handlers.ts"
import type { KeyCheck } from "./ManageKey.ts"

export { Contract } from "./Contract.ts"
export { type FailedKeyLimit, KeyLimit } from "./FailedKeys.ts"
export { answerFailures } from "./Failures.ts"
export { type KeyCheck, keyCheck, makeKeyCheck, makeKeyComparison } from "./ManageKey.ts"
export { errorBody, withRetryable } from "./Retryable.ts"

const examples: Effect.Effect<Examples> = Effect.promise(async () => {
  const { default: examples } = await import("./examples.json", { with: { type: "json" } })
  return examples
})

/**
 * The management API under `/manage/v1`, which requires the manage key, and its OpenAPI document, which does not.
 */
export const layer = (check: KeyCheck) =>
  Layer.merge(layerHandlers(check), layerAt("/manage/openapi.json", documentAnswer(Contract, examples)))

/** A page with the management API's documentation, at `/manage/docs`. */
export const layerDocs = layerAt("/manage/docs", pageAnswer(Contract, examples))
