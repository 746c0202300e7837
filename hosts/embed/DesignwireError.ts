/** The errors of calls: a class for each reason, with a `code` that stays the same in later versions. */

/** The `code` of a {@link DesignwireError}. */
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
  | "NotPermitted"
  | "Unavailable"

/** One problem of an input. */
export interface Problem {
  /** The place, e.g. `lines[0].designId`; in a selection the question's id; `""` for the whole input. */
  readonly path: string
  /** A sentence that says what to change. */
  readonly message: string
}

/** Facts about an error. */
interface Details extends ErrorOptions {
  readonly retryable?: boolean
}

/**
 * The base class of errors that a caller can handle. Nothing was changed, unless {@link Unavailable} says otherwise. A
 * defect is another `Error`.
 *
 * ```ts
 * import { DesignwireError } from "designwire/embed"
 *
 * export const statusOf = (error: unknown): number => {
 *   if (!(error instanceof DesignwireError)) return 500
 *   return {
 *     InvalidInput: 400,
 *     PlanRequired: 403,
 *     NotFound: 404,
 *     Conflict: 409,
 *     DesignFrozen: 409,
 *     Gone: 410,
 *     TooLarge: 413,
 *     Refused: 422,
 *     NotMigrated: 503,
 *     NotPermitted: 503,
 *     Unavailable: 503,
 *   }[error.code]
 * }
 * ```
 */
export class DesignwireError extends Error {
  readonly code: ErrorCode
  /**
   * Whether the same call may succeed later: a lock was not released in time, another change came first, the database
   * is away. Within a transaction of yours: roll it back and begin it again.
   */
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, { retryable = false, ...options }: Details = {}) {
    super(message, options)
    this.code = code
    this.name = code
    this.retryable = retryable
  }
}

/** The shop has nothing with that id, or does not exist. */
export class NotFound extends DesignwireError {
  declare readonly code: "NotFound"
  constructor(message: string) {
    super("NotFound", message)
  }
}

/** The field of what is stored that a call would change, and can't. */
export interface Difference {
  readonly field: "name" | "orderedAt" | "lineItemId" | "orderId" | "currency" | "status"
  /** The design whose line item, order or currency it is. */
  readonly designId?: string
  /** The value that is stored. */
  readonly held: string
  /** The value of the call. */
  readonly given: string
}

/**
 * The current state does not allow the change: `retryable` is false. Or it is true: another transaction has locked what
 * the call changes for longer than `lockWait`, or, within a transaction of yours, another change came between.
 */
export class Conflict extends DesignwireError {
  declare readonly code: "Conflict"
  /** Of `orders.place`: what was placed otherwise before. */
  readonly conflict?: Difference

  constructor(message: string, details?: Details, conflict?: Difference) {
    super("Conflict", message, details)
    if (conflict !== undefined) this.conflict = conflict
  }
}

/** The design is ordered or cancelled and can't be saved again. */
export class DesignFrozen extends DesignwireError {
  declare readonly code: "DesignFrozen"
  constructor(message: string) {
    super("DesignFrozen", message)
  }
}

/** Events after that position of the feed are no longer kept: begin again without `after`. */
export class Gone extends DesignwireError {
  declare readonly code: "Gone"
  constructor(message: string) {
    super("Gone", message)
  }
}

/** The input or the options do not have the required form. */
export class InvalidInput extends DesignwireError {
  declare readonly code: "InvalidInput"
  /** At most 100 problems. */
  readonly problems: ReadonlyArray<Problem>

  constructor(message: string, problems: ReadonlyArray<Problem>) {
    super("InvalidInput", message)
    this.problems = problems
  }
}

/** The input is well-formed but not allowed: a selection, a definition, the URL of an endpoint. */
export class Refused extends DesignwireError {
  declare readonly code: "Refused"
  /** At most 100 problems. */
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

/** The user of the database lacks a right. The message begins with the GRANT to run. */
export class NotPermitted extends DesignwireError {
  declare readonly code: "NotPermitted"
  constructor(message: string, options?: ErrorOptions) {
    super("NotPermitted", message, options)
  }
}

/**
 * The database is down, too slow or full, or the pool has no connection for `connectionWait`, with the driver's error
 * as `cause`; or, not `retryable`, a package that delivering needs is not installed, or `stop()` was called. If the
 * connection was lost during a commit, it may have taken effect: placing, cancelling and saving can be repeated.
 */
export class Unavailable extends DesignwireError {
  declare readonly code: "Unavailable"
  constructor(message: string, details?: Details) {
    super("Unavailable", message, details)
  }
}
