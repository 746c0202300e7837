/** Translates failures of the core into the errors that {@link Designwire} throws: the one place that decides it. */
import { Cause } from "effect"
import type { Migrator, SqlError } from "effect/sql"
import type { DataDirectoryError } from "../../adapters/pglite/index.ts"
import type { NewerSchema, SchemaNotCurrent } from "../../adapters/sql/index.ts"
import { causeCodeOf, reasonOf } from "../../adapters/sql/statements/Reason.ts"
import * as Core from "../../core/model/Errors.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import * as Errors from "./DesignwireError.ts"
import type { PackagesMissing } from "./Packages.ts"

/** Every failure of a call. */
export type Failure =
  | Core.InvalidInput
  | Core.UnknownFields
  | Core.Refused
  | Core.TooLarge
  | Core.NotFound
  | Core.Conflict
  | Core.DesignFrozen
  | Core.Gone
  | Core.PlanRequired
  | StorageError
  | SqlError.SqlError
  | Migrator.MigrationError
  | NewerSchema
  | SchemaNotCurrent
  | PackagesMissing
  | DataDirectoryError

const errors: {
  readonly [Tag in Failure["_tag"]]: (failure: Extract<Failure, { readonly _tag: Tag }>) => Errors.DesignwireError
} = {
  InvalidInput: ({ message, problems }) => new Errors.InvalidInput(message, problems),
  UnknownFields: ({ message, problems }) => new Errors.InvalidInput(message, problems),
  Refused: ({ message, problems }) => new Errors.Refused(message, problems),
  TooLarge: ({ message }) => new Errors.TooLarge(message),
  NotFound: ({ message }) => new Errors.NotFound(message),
  Conflict: ({ conflict, message, retryable }) => new Errors.Conflict(message, { retryable }, conflict),
  DesignFrozen: ({ message }) => new Errors.DesignFrozen(message),
  Gone: ({ message }) => new Errors.Gone(message),
  PlanRequired: ({ message }) => new Errors.PlanRequired(message),
  SchemaNotCurrent: ({ message }) => new Errors.NotMigrated(message),
  NewerSchema: ({ message }) => new Errors.NotMigrated(message),
  PackagesMissing: ({ message }) => new Errors.Unavailable(message),
  StorageError: ({ cause, message }) => ofDatabase(message, cause),
  SqlError: (cause) => ofDatabase(reasonOf(cause), cause),
  MigrationError: (cause) => new Errors.Unavailable(reasonOf(cause), { cause, retryable: cause.kind === "Locked" }),
  DataDirectoryError: (cause) => new Errors.Unavailable(cause.message, { cause }),
}

/** The error for a failure of the database: only what may pass by itself is {@link Errors.Unavailable}. */
const ofDatabase = (message: string, cause: unknown): Errors.DesignwireError => {
  const code = causeCodeOf(cause)
  switch (code) {
    case "25P01": // The transaction is not begun, or has ended.
    case "25P02": // A statement in it failed before.
      return new Errors.InvalidInput(message, [{ path: "tx", message }])
    case "42501":
      return new Errors.NotPermitted(message, { cause })
    case "55P03":
      return new Errors.Conflict(message, { retryable: true })
    default:
      return new Errors.Unavailable(message, { cause, retryable: code === undefined || !lasting.test(code) })
  }
}

/** Classes of SQLSTATEs of statements that fail again: wrong credentials, names, values and features. */
const lasting = /^(0A|22|23|28|3D|3F|42)/

const errorOf = <F extends Failure>(failure: F): Errors.DesignwireError =>
  (errors[failure._tag] as (failure: F) => Errors.DesignwireError)(failure)

/** The error of a call after {@link Designwire.stop}. */
const stopped = (): Errors.Unavailable => new Errors.Unavailable("Designwire was stopped")

/**
 * The error to throw for a cause: a failure's public error, with the stack of `caller`, or the defect itself.
 */
export const thrownFor = (cause: Cause.Cause<Failure>, caller: CallSite): unknown => {
  const [failure] = cause.reasons.filter(Cause.isFailReason)
  const [defect] = cause.reasons.filter(Cause.isDieReason)
  if (failure !== undefined) return from(errorOf(failure.error), caller)
  if (defect === undefined) return from(stopped(), caller)
  return defect.defect instanceof Error
    ? defect.defect
    : new Error("Something went wrong in designwire", { cause: defect.defect })
}

/** The failure of a call with an argument that can't be used. */
export const invalidArgument = (path: string, message: string): Core.InvalidInput =>
  new Core.InvalidInput({ message: `${path} ${message}`, problems: [{ path, message }] })

/** The failure of a call whose `tx` can't be used. */
export const invalidTransaction = (message: string): Core.InvalidInput =>
  new Core.InvalidInput({ message, problems: [{ path: "tx", message }] })

/** A cause in one line, for the log. */
export const reasonFor = (cause: Cause.Cause<Failure>): string => reasonOf(thrownFor(cause, {}))

/** The place of a call: its `stack`, without the method's own frames. */
export interface CallSite {
  readonly stack?: string
}

/** Remembers the current call of `method`. The text of the stack is made only when it is read. */
export const callSite = (method: (...args: never) => unknown): CallSite => {
  const site: CallSite = {}
  // Some engines lack it.
  Error.captureStackTrace?.(site, method)
  return site
}

/** Gives the error the stack of the caller: its own would begin in the scheduler. */
export const from = <E extends Error>(error: E, { stack }: CallSite): E => {
  const frames = stack?.slice(stack.indexOf("\n"))
  if (frames?.startsWith("\n")) error.stack = `${error.name}: ${error.message}${frames}`
  return error
}
