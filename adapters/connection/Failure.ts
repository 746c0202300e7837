import { SqlError } from "effect/sql"

/**
 * Turns a failure of a driver, query builder or ORM into the `SqlError` that `designwire/postgres` would fail with. Its
 * cause is the database's own error, without the library's wrapping.
 */
export const sqlErrorOf = (thrown: unknown): SqlError.SqlError => {
  const cause = databaseErrorOf(thrown)
  const code = codeOf(cause) || (isObject(cause) && lostInWords.test(String(cause["message"])) ? "08006" : "")
  const props = { cause, message: "The statement failed", operation: "query" }
  return new SqlError.SqlError({ reason: sqlReasonOf(code, props) })
}

/** Whether the server answered a statement with an error and keeps the session. */
export const isRefusal = (thrown: unknown): boolean => {
  const code = codeOf(databaseErrorOf(thrown))
  return /^[0-9A-Z]{5}$/.test(code) && !isLost(code)
}

const sqlReasonOf = (code: string, props: { cause: unknown; message: string; operation: string }) => {
  if (isLost(code)) return new SqlError.ConnectionError(props)
  if (code.startsWith("28")) return new SqlError.AuthenticationError(props)
  if (code === "42501") return new SqlError.AuthorizationError(props)
  if (code.startsWith("42")) return new SqlError.SqlSyntaxError(props)
  if (code === "23505") return new SqlError.UniqueViolation({ ...props, constraint: constraintOf(props.cause) })
  if (code.startsWith("23")) return new SqlError.ConstraintError(props)
  if (code === "40P01") return new SqlError.DeadlockError(props)
  if (code === "40001") return new SqlError.SerializationError(props)
  if (code === "55P03") return new SqlError.LockTimeoutError(props)
  if (code === "57014") return new SqlError.StatementTimeoutError(props)
  return new SqlError.UnknownError(props)
}

/** The server ended the session or can't be reached. postgres.js and Node have codes of their own for that. */
const isLost = (code: string): boolean =>
  /^(08...|57P0[123]|CONNECT.*|E(CONN.*|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND))$/.test(code)

/** The messages of `pg` and its pool for the same: they have no codes. */
const lostInWords = /connection (terminated|error|timeout)|client was closed|timeout exceeded when trying to connect/i

/** The innermost error with a code, or else the innermost error. */
const databaseErrorOf = (thrown: unknown): unknown => {
  const seen = new Set<unknown>()
  let found = thrown
  for (let cause = thrown; isObject(cause) && !seen.has(cause); cause = cause["cause"]) {
    seen.add(cause)
    found = cause
  }
  return [...seen].findLast((cause) => codeOf(cause) !== "") ?? found
}

const codeOf = (thrown: unknown): string =>
  isObject(thrown) && typeof thrown["code"] === "string" ? thrown["code"] : ""

/** `pg` and postgres.js name the field differently. */
const constraintOf = (thrown: unknown): string => {
  const name = isObject(thrown) ? (thrown["constraint"] ?? thrown["constraint_name"]) : undefined
  return typeof name === "string" && name !== "" ? name : "unknown"
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
