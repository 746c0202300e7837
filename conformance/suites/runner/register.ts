import { Effect } from "effect"
import type { CaseFailed } from "./CaseFailed.ts"
import type { CaseSkipped } from "./CaseSkipped.ts"
import type { Suite, SuiteCase } from "./Suite.ts"

/** Registers a test: its name, its function, and its timeout in milliseconds. */
export type Test = (name: string, body: () => Promise<void>, timeoutMs: number) => unknown

/** A test runner such as vitest, `node:test`, Jest or Bun. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: Test & {
    /** Registers a skipped test. Without it the test passes. */
    readonly skip?: Test
    /** Registers a test that runs concurrently with others. Without it tests run one after the other. */
    readonly concurrent?: Test
  }
}

/** Milliseconds for opening the subject, in addition to the timeout of the waiting case. */
const openingMs = 120_000

/**
 * Registers each case of a suite as a test of a test runner. Skipped cases are shown with the reason.
 *
 * @example
 * import { register, storage } from "designwire/conformance"
 * import { describe, it } from "vitest"
 *
 * register(storage({ ports: [ShopStore], open, lacks }), { describe, it })
 */
export const register = ({ cases, name }: Suite, { describe, it }: Runner): void => {
  describe(name, () => {
    for (const each of cases) {
      if (each.leftOut === undefined)
        testOf(each, it)(
          titleOf(each),
          () => Effect.runPromise(Effect.mapError(each.run, plain)),
          each.timeoutMs + openingMs,
        )
      else (it.skip ?? it)(`${titleOf(each)}. Left out: ${each.leftOut}`, () => Promise.resolve(), openingMs)
    }
  })
}

/**
 * An error without a stack: the message says everything, and the source of a case would not help. Not every runner can
 * skip a test that has started, so a harness names cases that can't be judged in advance.
 */
const plain = (error: CaseFailed | CaseSkipped): Error => {
  const message =
    error._tag === "CaseFailed" ? error.message : `Can't be judged: ${error.message}. Name it in \`skip\`.`
  return Object.assign(new Error(message), { stack: `Error: ${message}` })
}

const testOf = ({ alone }: SuiteCase, it: Runner["it"]): Test => (alone ? it : (it.concurrent ?? it))

const titleOf = ({ id, requirements, title }: SuiteCase): string =>
  requirements.length === 0 ? `${id}: ${title}` : `${id}: ${title} (${requirements.join(", ")})`
