/** The databases of a deployment, as a host reaches them. */
import { Context, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { logged } from "../../core/model/log/LogEvent.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import type { DatabaseServices } from "../sql/index.ts"

/** The services of a database, which its buckets share. */
export type SharedServices = DatabaseServices | SqlClient.SqlClient

/** How long calls that concern all shops wait for a database before they go on without it. */
const patience = "2 seconds"

/** A database, and what its buckets share. */
export class Database {
  readonly name: string
  readonly services: Context.Context<SharedServices>
  #isFailing = false
  #isAsked = false

  constructor(name: string, services: Context.Context<SharedServices>) {
    this.name = name
    this.services = services
  }

  get sql(): SqlClient.SqlClient {
    return Context.get(this.services, SqlClient.SqlClient)
  }

  /**
   * Asks this database for its part of a call that concerns all shops: the others go on if it fails or takes long.
   * While it fails, one call at a time asks it, and others go on at once. Logs when it begins to fail, and when it
   * answers again.
   */
  tried<A>(asked: Effect.Effect<A, StorageError>): Effect.Effect<Result.Result<A, StorageError>> {
    return Effect.suspend(() => {
      if (this.#isFailing && this.#isAsked) return Effect.succeed(Result.fail(this.#silent))
      this.#isAsked = true
      return asked.pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(this.#silent) }),
        Effect.result,
        Effect.tap((result) => this.#note(result)),
        Effect.ensuring(
          Effect.sync(() => {
            this.#isAsked = false
          }),
        ),
      )
    })
  }

  #note(result: Result.Result<unknown, StorageError>): Effect.Effect<void> {
    if (Result.isSuccess(result)) {
      if (!this.#isFailing) return Effect.void
      this.#isFailing = false
      return Effect.log(`The database ${this.name} answers again`).pipe(
        logged("database.answers", { database: this.name }),
      )
    }
    if (this.#isFailing) return Effect.void
    this.#isFailing = true
    return Effect.logWarning(`The database ${this.name} fails; the others go on without it`, result.failure).pipe(
      logged("database.failing", { database: this.name }),
    )
  }

  get #silent(): StorageError {
    return new StorageError({
      message: `The database ${this.name} does not answer`,
      cause: undefined,
      isRetryable: true,
    })
  }
}

/** The results that succeeded. Fails if all of them failed. */
export const answersOf = <A>(
  results: ReadonlyArray<Result.Result<A, StorageError>>,
): Effect.Effect<ReadonlyArray<A>, StorageError> => {
  const answers = results.filter(Result.isSuccess).map(({ success }) => success)
  const [failed] = results.filter(Result.isFailure)
  return answers.length === 0 && failed !== undefined ? Effect.fail(failed.failure) : Effect.succeed(answers)
}
