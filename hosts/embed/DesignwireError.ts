/** Why a call did not do what it was asked: a class each, with a `code` that stays the same over versions. */

/** What tells one {@link DesignwireError} from another. */
export type ErrorCode =
  | "NotFound"
  | "Conflict"
  | "DesignFrozen"
  | "Gone"
  | "InvalidInput"
  | "Refused"
  | "TooLarge"
  | "PlanRequired"
  | "NotMigrated"
  | "Unavailable"

/** One thing that is wrong with an input. */
export interface Problem {
  /** Where it is, e.g. `lines[0].designId`; for a selection the question's id; `""` for the whole. */
  readonly path: string
  /** A sentence that its reader can act on. */
  readonly message: string
}

/**
 * The class of every error for a reason that the caller can do something about. Nothing was changed, unless {@link Unavailable} says otherwise. What should
 * never happen is another `Error`.
 *
 * ```ts
 * import { DesignwireError } from "designwire/embed"
 *
 * export const statusOf = (error: unknown): number => {
 *   if (!(error instanceof DesignwireError)) return 500
 *   return { NotFound: 404, InvalidInput: 400, Refused: 422, TooLarge: 413, PlanRequired: 403, Conflict: 409, DesignFrozen: 409, Gone: 410, NotMigrated: 503, Unavailable: 503 }[error.code]
 * }
 * ```
 */
export class DesignwireError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.name = code
  }
}

/** There is nothing of that id in this shop, or there is no such shop. */
export class NotFound extends DesignwireError {
  declare readonly code: "NotFound"
  constructor(message: string) {
    super("NotFound", message)
  }
}

/**
 * The change does not fit the state that things are in; or, within a transaction of yours, another change came between: roll the transaction back and begin it
 * again.
 */
export class Conflict extends DesignwireError {
  declare readonly code: "Conflict"
  constructor(message: string) {
    super("Conflict", message)
  }
}

/** The design is ordered or cancelled and can't be saved again. */
export class DesignFrozen extends DesignwireError {
  declare readonly code: "DesignFrozen"
  constructor(message: string) {
    super("DesignFrozen", message)
  }
}

/** Events behind a position of the feed are no longer kept: begin again without `after`. */
export class Gone extends DesignwireError {
  declare readonly code: "Gone"
  constructor(message: string) {
    super("Gone", message)
  }
}

/** The input, or the options, do not have the form that is asked for. */
export class InvalidInput extends DesignwireError {
  declare readonly code: "InvalidInput"
  /** At most 100 of them. */
  readonly problems: ReadonlyArray<Problem>

  constructor(message: string, problems: ReadonlyArray<Problem>) {
    super("InvalidInput", message)
    this.problems = problems
  }
}

/** The input is well-formed, but what it says is not allowed: a selection, a definition, the URL of an endpoint. */
export class Refused extends DesignwireError {
  declare readonly code: "Refused"
  /** At most 100 of them. */
  readonly problems: ReadonlyArray<Problem>

  constructor(message: string, problems: ReadonlyArray<Problem>) {
    super("Refused", message)
    this.problems = problems
  }
}

/** A definition of more than 512 KiB, a selection of more than 64 KiB, a design of more than 256 KiB. */
export class TooLarge extends DesignwireError {
  declare readonly code: "TooLarge"
  constructor(message: string) {
    super("TooLarge", message)
  }
}

/** The shop's plan does not include the REST API and webhooks. */
export class PlanRequired extends DesignwireError {
  declare readonly code: "PlanRequired"
  constructor(message: string) {
    super("PlanRequired", message)
  }
}

/** The database's schema is not the one that this version needs. The message begins with what to do. */
export class NotMigrated extends DesignwireError {
  declare readonly code: "NotMigrated"
  constructor(message: string) {
    super("NotMigrated", message)
  }
}

/**
 * The database is down, too slow or full, and the `cause` is the driver's own error; or a package is not installed that delivering needs; or `stop()` was called.
 * Where the connection was lost during a commit, nobody can know whether it took effect: placing, cancelling and saving can be repeated.
 */
export class Unavailable extends DesignwireError {
  declare readonly code: "Unavailable"
  constructor(message: string, options?: ErrorOptions) {
    super("Unavailable", message, options)
  }
}
