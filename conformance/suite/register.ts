import { Effect } from "effect"
import type { CaseFailed } from "./CaseFailed.ts"
import type { CaseSkipped } from "./CaseSkipped.ts"
import type { Suite, SuiteCase } from "./Suite.ts"

/** Takes a test: its name, what it does, and after how many milliseconds it is given up. */
export type Test = (name: string, body: () => Promise<void>, timeoutMs: number) => unknown

/** A test runner: what vitest, `node:test`, Jest and Bun offer. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: Test & {
    /** Shows a test that is left out. Without it the test passes. */
    readonly skip?: Test
    /** Runs tests at the same time as others of their kind. Without it they run one after the other. */
    readonly concurrent?: Test
  }
}

/** Milliseconds that opening the subject may take, beside the case that waits for it. */
const openingMs = 120_000

/**
 * Gives each case of a suite to a test runner, as a test of its own. Cases that are left out are shown with the reason.
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
 * An error whose stack leads nowhere: the message says all, and the source of a case would not. A test that has begun can't be left out under every runner:
 * whoever knows that a case can't be judged says so beforehand.
 */
const plain = (error: CaseFailed | CaseSkipped): Error => {
  const message =
    error._tag === "CaseFailed" ? error.message : `Can't be judged: ${error.message}. Name it in \`skip\`.`
  return Object.assign(new Error(message), { stack: `Error: ${message}` })
}

const testOf = ({ alone }: SuiteCase, it: Runner["it"]): Test => (alone ? it : (it.concurrent ?? it))

const titleOf = ({ id, requirements, title }: SuiteCase): string =>
  requirements.length === 0 ? `${id}: ${title}` : `${id}: ${title} (${requirements.join(", ")})`
