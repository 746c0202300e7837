import { Effect, Metric } from "effect"
import type { SqlError } from "effect/sql"
import { isNoConnection } from "./Waits.ts"

/** The classes of failures: as Effect's SQL client distinguishes them, and one for a pool that is too small. */
const classes = {
  ConnectionError: "connection",
  AuthenticationError: "authentication",
  AuthorizationError: "authorization",
  SqlSyntaxError: "syntax",
  UniqueViolation: "constraint",
  ConstraintError: "constraint",
  DeadlockError: "deadlock",
  SerializationError: "serialization",
  LockTimeoutError: "lock_timeout",
  StatementTimeoutError: "statement_timeout",
  UnknownError: "other",
} as const satisfies Record<SqlError.SqlErrorReason["_tag"], string>

const errors = (kind: string) =>
  Metric.counter("designwire_database_errors_total", {
    description: "Calls that the database failed, by the class of the error",
    incremental: true,
    attributes: { class: kind },
  })

/** Counts a failure that reaches a caller. */
export const countError = ({ reason }: SqlError.SqlError): Effect.Effect<void> =>
  Effect.suspend(() => Metric.update(errors(isNoConnection(reason) ? "no_free_connection" : classes[reason._tag]), 1))
