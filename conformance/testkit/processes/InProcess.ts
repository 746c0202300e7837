/**
 * The command within the process of the tests. Many of its sentences need no process of their own: for each kind, one
 * that starts shows with which code it ends, and that the sentence is printed.
 */
import process from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit } from "effect"
import { sentenceOf } from "../../../hosts/cli/Log.ts"
import { environmentWith } from "./Processes.ts"

/** The code with which a process would end, 1 after a failure, and what it would print, but for its log. */
export interface EndedHere {
  readonly code: 0 | 1
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end, with the environment that a process would have. */
export const runHere = (
  command: Effect.Effect<void, unknown, NodeServices.NodeServices>,
  environment: Readonly<Record<string, string>> = {},
): Effect.Effect<EndedHere> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = process.env
      process.env = environmentWith(environment)
      return before
    }),
    () =>
      Effect.gen(function* () {
        const printed = { stdout: "", stderr: "" }
        const printing: Console.Console = Object.assign(Object.create(console), {
          log: (...texts: ReadonlyArray<unknown>) => {
            printed.stdout += `${texts.join(" ")}\n`
          },
          error: (...texts: ReadonlyArray<unknown>) => {
            printed.stderr += `${texts.join(" ")}\n`
          },
        })
        const exit = yield* command.pipe(
          Effect.provide(NodeServices.layer),
          Effect.provideService(Console.Console, printing),
          Effect.exit,
        )
        if (Exit.isSuccess(exit)) return { code: 0, ...printed } as const
        const sentence = sentenceOf(Cause.squash(exit.cause))
        return { code: 1, stdout: printed.stdout, stderr: `${printed.stderr}${sentence}\n` } as const
      }),
    (before) =>
      Effect.sync(() => {
        process.env = before
      }),
  )
