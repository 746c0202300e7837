import { Context, Effect } from "effect"
import { makeSuite, type Selection, type Suite } from "../runner/Suite.ts"
import { vectorCases } from "./cases.ts"
import type { VectorFunctions } from "./VectorFunctions.ts"

/** The functions to check. Cases about omitted functions are not part of the suite. */
export interface VectorsHarness extends Partial<VectorFunctions>, Selection {
  /** Name of the suite. Default: `vectors`. */
  readonly name?: string
}

/**
 * Examples with expected results, for new implementations of parts of the specification: evaluation, signatures, public
 * addresses. They also exist as JSON, for other languages: `designwire/conformance/vectors/evaluation.json`,
 * `selection-refused.json`, `customizers.json`, `signatures.json`, `standard-webhooks.json` and `addresses.json`.
 *
 * @example
 * register(vectors({ sign: ({ body, secret, timestamp }) => hmac(secret, `${timestamp}.${body}`) }), { describe, it })
 */
export const vectors = (harness: VectorsHarness): Suite =>
  makeSuite({
    name: harness.name ?? "vectors",
    cases: vectorCases(harness),
    selection: harness,
    lacks: {},
    open: Effect.succeed(() => Context.empty()),
  })
