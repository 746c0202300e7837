import { Effect, Metric } from "effect"
import type { SqlError } from "effect/sql"
import { combinations, counters } from "../../../core/model/log/Counters.ts"
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

const noConnection = "no_free_connection"

const errors = counters(
  "designwire_database_errors_total",
  "Calls that the database failed, by the class of the error",
  combinations({ class: [noConnection, ...new Set(Object.values(classes))] }),
)

/** Counts a failure that reaches a caller. */
export const countError = ({ reason }: SqlError.SqlError): Effect.Effect<void> =>
  Effect.suspend(() =>
    Metric.update(errors({ class: isNoConnection(reason) ? noConnection : classes[reason._tag] }), 1),
  )
