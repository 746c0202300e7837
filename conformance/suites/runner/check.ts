import { Clock, Console, Effect } from "effect"
import { printableLines } from "../../../core/model/log/Printable.ts"
import { type FormatName, formats } from "./formats.ts"
import type { Report, Result } from "./Report.ts"
import type { Suite, SuiteCase } from "./Suite.ts"

/** Options for running a suite without a test runner. */
export interface CheckOptions {
  /** Default: `pretty`. */
  readonly format?: FormatName
  /** Receives each piece of output, without its line end. Default: standard output. */
  readonly write?: (text: string) => void
}

/** Number of concurrent cases. */
const concurrency = 5

/**
 * Runs a suite without a test runner, writes its progress and returns the report. Never rejects because of a case; the
 * caller decides on the exit code.
 *
 * @example
 * const { failed } = await check(storage({ open, lacks }), { format: "tap" }) process.exitCode = failed === 0 ? 0 : 1
 */
export const check = (suite: Suite, { format = "pretty", write }: CheckOptions = {}): Promise<Report> =>
  Effect.runPromise(
    Effect.gen(function* () {
      // Failures quote what a service has answered.
      const put = (text: string) => {
        const line = printableLines(text)
        return write === undefined ? Console.log(line) : Effect.sync(() => write(line))
      }
      const { done, ended } = { ended: undefined, ...formats[format] }
      const results: Array<Result> = []
      const early = new Map<SuiteCase, Result>()
      // Cases end in any order. They are reported in the order of the suite, each as soon as its predecessors are.
      const tell = Effect.gen(function* () {
        for (;;) {
          const next = suite.cases[results.length]
          const result = next === undefined ? undefined : early.get(next)
          if (result === undefined) return
          results.push(result)
          if (ended !== undefined) yield* put(ended(result, results.length))
        }
      })
      const run = (each: SuiteCase) =>
        Effect.flatMap(resultOf(each), (result) =>
          Effect.andThen(
            Effect.sync(() => early.set(each, result)),
            tell,
          ),
        )
      const [durationMs] = yield* timed(
        Effect.gen(function* () {
          yield* Effect.forEach(
            suite.cases.filter(({ alone }) => !alone),
            run,
            { concurrency, discard: true },
          )
          yield* Effect.forEach(
            suite.cases.filter(({ alone }) => alone),
            run,
            { discard: true },
          )
        }),
      )
      const number = (status: Result["status"]) => results.filter((result) => result.status === status).length
      const report: Report = {
        suite: suite.name,
        passed: number("passed"),
        failed: number("failed"),
        skipped: number("skipped"),
        durationMs,
        results,
      }
      yield* put(done(report))
      return report
    }),
  )

const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const from = yield* Clock.currentTimeMillis
  const answer = yield* effect
  return [(yield* Clock.currentTimeMillis) - from, answer] as const
})

const resultOf = ({ id, leftOut, ports, requirements, run, title }: SuiteCase): Effect.Effect<Result> => {
  const about = { id, title, requirements, ports }
  if (leftOut !== undefined) return Effect.succeed({ ...about, status: "skipped", durationMs: 0, message: leftOut })
  const ended = Effect.match(run, {
    onSuccess: () => ({ status: "passed", message: null }) as const,
    onFailure: ({ _tag, message }) => ({ status: _tag === "CaseSkipped" ? "skipped" : "failed", message }) as const,
  })
  return Effect.map(timed(ended), ([durationMs, outcome]) => ({ ...about, durationMs, ...outcome }))
}
