import { Effect, Result } from "effect"
import { StaleRevision, StorageError } from "../../ports/StorageError.ts"

/** The effect of the import of a line: it stored something new, changed something, or did nothing. */
export type Imported = "created" | "changed" | "unchanged"

/** Turns the refusal of one line into a result, so that others go on. Failures of the store stay failures. */
export const orRefused = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<
  Result.Result<A, Exclude<E, StaleRevision | StorageError>>,
  Extract<E, StaleRevision | StorageError>,
  R
> =>
  Effect.flatMap(Effect.result(effect), (result) =>
    Result.isFailure(result) && (result.failure instanceof StaleRevision || result.failure instanceof StorageError)
      ? Effect.fail(result.failure as Extract<E, StaleRevision | StorageError>)
      : Effect.succeed(result as Result.Result<A, Exclude<E, StaleRevision | StorageError>>),
  )
