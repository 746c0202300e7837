import { Formatter } from "effect"
import { SqlError } from "effect/sql"
import { migrations } from "../schema/KnownMigrations.ts"

/**
 * The reason of a failure in one line: first the remedy, if known, then the database's or the system's own words with
 * their code. Drivers put them into the innermost of several causes. Sent values are left out.
 */
export const reasonOf = (thrown: unknown): string => {
  const words = wordsOf(thrown)
  const advice = adviceFor(thrown)
  return advice === undefined ? words : `${advice}. ${words}`
}

/** The remedy for a failure, as the beginning of a sentence; `undefined` if unknown. */
export const adviceFor = (thrown: unknown): string | undefined => {
  const innermost = causesOf(thrown).at(-1)
  const code = codeOf(innermost)
  const message = messageOf(innermost)
  // Undefined table, function, schema, column. The message may be in any language, the names in it are not.
  if ((["42P01", "42883", "3F000"].includes(code ?? "") && ours.test(message)) || code === "42703") return notMigrated
  // A named statement that another session has prepared, or this one already, or another under that name.
  if (code === "26000" || code === "42P05" || (code === "08P01" && message.includes("prepared statement")))
    return pooler
  if (code === "25P01") return notBegun
  if (code === "25P02") return aborted
  if (code === "42501") return missingRight(message)
  if (code === "55P03") return locked(innermost)
  return undefined
}

/** The schema by its default name, or one of its tables or functions in any schema. */
const ours = new RegExp(
  `\\bdesignwire\\b|\\.(${Object.values(migrations)
    .flat()
    .flatMap((statement) => /(?:TABLE|FUNCTION) designwire\.(\w+)/.exec(statement)?.[1] ?? [])
    .join("|")})\\b`,
)

const notMigrated = 'The database is not migrated: run "designwire migrate"'

const notBegun = "The transaction is not begun, or has ended already"

const aborted = "A statement of the transaction has failed: roll it back"

/** The statement that grants the right that a message of the server names. The names in it are in any language. */
const missingRight = (message: string): string => {
  const kind = /\b(schema|table|sequence|function|database)\b/.exec(message)?.[1] ?? "table"
  return `The user of the database lacks a right. Let its owner run: ${grants[kind]}`
}

const grants: Readonly<Record<string, string>> = {
  database: "GRANT CREATE ON DATABASE … TO …",
  schema: "GRANT USAGE ON SCHEMA designwire TO …",
  table: "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA designwire TO …",
  sequence: "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA designwire TO …",
  function: "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA designwire TO …",
}

/** The error's context names the row that was waited for: `while updating tuple (0,1) in relation "designs"`. */
const locked = (cause: unknown): string => {
  const context = typeof cause === "object" && cause !== null && "where" in cause ? String(cause.where) : ""
  const table = /"(\w+?)(?:_pkey)?"/.exec(context)?.[1]
  const object = table === undefined ? "what this call changes" : `a row of ${table} that this call changes`
  return `Another transaction has locked ${object}: end it first, or make the call part of it`
}

const pooler =
  "The database is behind a pooler in transaction mode: set DESIGNWIRE_DATABASE_POOLER=transaction, " +
  "the option `pooler` of designwire/postgres, or `prepare: false` of postgres.js"

/** {@link reasonOf} without the advice. */
export const wordsOf = (thrown: unknown): string => {
  const causes = causesOf(thrown)
  const messages: Array<string> = []
  for (const [index, cause] of causes.entries()) {
    // The wrapping of the SQL client says only that something failed.
    if (isWrapping(cause) && index < causes.length - 1) continue
    const message = messageOf(cause)
    if (message !== "" && !messages.some((told) => told.includes(message))) messages.push(message)
  }
  const code = codeOf(causes.at(-1))
  const words = messages.join(": ") || Formatter.format(thrown)
  return (isSqlState(code) ? `${words} (SQLSTATE ${code})` : words).replace(/\s+/g, " ").trim()
}

/** The code of a failure's innermost cause: the database's SQLSTATE or the system's, such as `ECONNREFUSED`. */
export const causeCodeOf = (thrown: unknown): string | undefined => codeOf(causesOf(thrown).at(-1))

const isWrapping = (cause: unknown): boolean => SqlError.isSqlError(cause) || SqlError.isSqlErrorReason(cause)

/** A failure and its causes, innermost last. */
const causesOf = (thrown: unknown): ReadonlyArray<unknown> => {
  const causes: Array<unknown> = []
  for (let cause = thrown; cause !== undefined && cause !== null && !causes.includes(cause); cause = next(cause)) {
    causes.push(cause)
  }
  return causes
}

const next = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : undefined

const codeOf = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined

const isSqlState = (code: string | undefined): code is string =>
  code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

const messageOf = (cause: unknown): string => {
  if (typeof cause === "string") return cause
  if (typeof cause !== "object" || cause === null) return ""
  // Several addresses were tried: the error itself says nothing, each of them its own.
  if (cause instanceof AggregateError && cause.message === "") {
    return [...new Set(cause.errors.map(messageOf))].filter((message) => message !== "").join(", ")
  }
  const message = "message" in cause && typeof cause.message === "string" ? cause.message : ""
  const code = codeOf(cause)
  if (message === "") return code ?? ""
  // Data exceptions repeat the value, in the quotes of the server's language or behind a colon.
  return isSqlState(code) && code.startsWith("22")
    ? message.replace(/: .*$/s, "").replace(/["«„].*["»“]/s, "…")
    : message
}
