/** What all parts of a move share: the bucket, the two databases, and the names of what a move makes in them. */
import { Data, Effect, type Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Why a bucket can't be moved, with what to do about it. */
export class MoveError extends Data.TaggedError("MoveError")<{ readonly message: string }> {}

/** One of a deployment's databases. */
export interface Place {
  readonly sql: SqlClient.SqlClient
  /**
   * A direct connection as other database servers reach it, in the form that libpq knows, as a user who may replicate.
   * While a bucket moves, the target keeps it in its catalog. Only superusers can read it there.
   */
  readonly url: Redacted.Redacted<string>
}

/** A {@link Place} by its name in the directory. */
export interface NamedPlace extends Place {
  readonly name: string
}

/** A deployment's directory and databases. */
export interface Deployment {
  /** The schema that its name begins with, e.g. `designwire`. */
  readonly schema: string
  /** The database of the directory. A move holds one of its connections, and uses another. */
  readonly directory: SqlClient.SqlClient
  /** By their names in the directory. */
  readonly databases: Readonly<Record<string, Place>>
}

/** A database by its name. Fails if it is not known. */
export const placeIn = Effect.fnUntraced(function* (
  { databases }: Pick<Deployment, "databases">,
  name: string,
): Effect.fn.Return<NamedPlace, MoveError> {
  const place = Object.hasOwn(databases, name) ? databases[name] : undefined
  if (place !== undefined) return { ...place, name }
  return yield* new MoveError({
    message: `The database ${name} is not known. The known ones are ${Object.keys(databases).join(", ")}`,
  })
})

/** A move of a bucket. */
export interface Move {
  readonly bucket: number
  /** The schema of the bucket, e.g. `designwire_07`. */
  readonly schema: string
  readonly source: NamedPlace
  readonly target: NamedPlace
  /** Runs before each change. Fails if another command may have begun to move the bucket. */
  readonly step: (name: string) => Effect.Effect<void, MoveError | SqlError.SqlError>
  /** Records in the directory whether the source is being closed. */
  readonly setPhase: (phase: MovePhase) => Effect.Effect<void, SqlError.SqlError>
}

/** `copying`, or `switching` while the source is closed. */
export type MovePhase = "copying" | "switching"

/** The schema of a bucket at the source once it is closed. */
export const closedSchema = (schema: string): string => `${schema}_closed`

/** The schema of what moves of shops keep at a bucket, so that none of the bucket's tables are ours. */
export const gatesSchema = (schema: string): string => `${schema}_gates`

/** The name of the publication at the source and of the subscription at the target. */
export const moveName = (schema: string): string => `${schema}_move`

/** A name of SQL. All of ours are of letters, digits and underscores. */
export const quoted = (...names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(".")
