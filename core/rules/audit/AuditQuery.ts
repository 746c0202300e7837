import { Result, Schema } from "effect"
import { type AuditPosition, SubjectType } from "../../model/audit/AuditEntry.ts"
import type { InvalidInput } from "../../model/Errors.ts"
import { type Instant, isInstant, parseDateOrDateTime } from "../../model/Instant.ts"
import { isStorable } from "../../model/Text.ts"
import { limitOf, queryOf, refuse, single } from "../QueryParameters.ts"

/** Query parameters of a list of changes (D59). Numbers may be text, as in a URL. */
export interface AuditInput {
  /** Entries on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
  /** Only changes of things of a type, e.g. `endpoint`, or of one thing, e.g. `endpoint:whe_…`. */
  readonly subject?: string | undefined
  /** Only changes at this time or later: RFC 3339 with an offset or `Z`, or a date, which stands for 00:00 UTC. */
  readonly from?: string | undefined
  /** Only changes before this time. */
  readonly to?: string | undefined
}

/** A parsed query. */
export interface ParsedAudit {
  readonly limit: number
  readonly after: AuditPosition | null
  readonly subject: { readonly type: SubjectType; readonly id: string | null } | null
  readonly from: Instant | null
  readonly until: Instant | null
}

const isType = Schema.is(SubjectType)

const afterForm = "the nextCursor of the page before, unchanged"

const subjectForm = `one of ${SubjectType.literals.join(", ")}, or one of them, a colon and an id`

const timeForm = "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05"

/** Parses a query. Fails with an error that names the parameter and the accepted form. */
export const parse = (query: AuditInput): Result.Result<ParsedAudit, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters)
    const after = positionOf(yield* single(parameters, "after", afterForm))
    if (after === undefined) return yield* refuse("after", afterForm)
    const subject = subjectOf(yield* single(parameters, "subject", subjectForm))
    if (subject === undefined) return yield* refuse("subject", subjectForm)
    const from = instantOf(yield* single(parameters, "from", timeForm))
    if (from === undefined) return yield* refuse("from", timeForm)
    const until = instantOf(yield* single(parameters, "to", timeForm))
    if (until === undefined) return yield* refuse("to", timeForm)
    return { limit, after, subject, from, until }
  })

/** The cursor of the page that ends with an entry. */
export const cursorOf = ({ at, id }: AuditPosition): string => `${at}.${id}`

const cursorShape = /^(-?\d{1,15})\.(aud_[\x21-\x7e]{1,300})$/

/** `null` without a value, `undefined` for one that is wrong. */
const positionOf = (text: string | undefined): AuditPosition | null | undefined => {
  if (text === undefined) return null
  const [, time = "", id = ""] = cursorShape.exec(text) ?? []
  const at = time === "" ? Number.NaN : Number(time)
  return isInstant(at) ? { at, id } : undefined
}

const subjectOf = (text: string | undefined): ParsedAudit["subject"] | undefined => {
  if (text === undefined) return null
  const [type = "", ...rest] = text.split(":")
  const id = rest.length === 0 ? null : rest.join(":")
  return isType(type) && id !== "" && (id === null || isStorable(id)) ? { type, id } : undefined
}

/** In a query an unescaped + means a space. */
const instantOf = (text: string | undefined): Instant | null | undefined =>
  text === undefined ? null : parseDateOrDateTime(text.replace(" ", "+"))
