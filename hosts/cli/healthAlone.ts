/**
 * `designwire health` without the packages of the other commands, which take a second of processor time to load: a
 * container runs it every few seconds.
 */
import { Effect } from "effect"
import { health } from "./Health.ts"

await Effect.runPromise(
  Effect.match(health(), {
    onSuccess: () => undefined,
    onFailure: ({ message }) => {
      console.error(message)
      process.exitCode = 1
    },
  }),
)
