import { Context, Effect } from "effect"
import { makeSuite, type Selection, type Suite } from "../suite/Suite.ts"
import { vectorCases } from "./cases.ts"
import type { VectorFunctions } from "./VectorFunctions.ts"

/** The functions that are checked. Cases about those that are left out are not part of the suite. */
export interface VectorsHarness extends Partial<VectorFunctions>, Selection {
  /** What the suite is called: `vectors`, if nothing is said. */
  readonly name?: string
}

/**
 * Examples with their answers, for whoever writes a part of the specification anew: evaluation, signatures, public addresses. The same as JSON, for other
 * languages: `designwire/conformance/vectors/evaluation.json`, `selection-refused.json`, `customizers.json`, `signatures.json`, `standard-webhooks.json` and
 * `addresses.json`.
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
