import { Result } from "effect"
import type { InvalidInput } from "../../model/Errors.ts"
import { type Instant, parseDateOrDateTime } from "../../model/Instant.ts"
import { queryOf, refuse, single } from "../QueryParameters.ts"

/** The records of an export. */
export const exportKinds = ["orders", "designs"] as const
export type ExportKind = (typeof exportKinds)[number]

/** The forms of an export. */
export const exportFormats = ["jsonl", "csv"] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Query parameters of an export (D75). */
export interface ExportInput {
  /** `orders` or `designs`. */
  readonly kind?: string | undefined
  /**
   * Only orders placed, or designs made, at this time or later: RFC 3339 with an offset or `Z`, or a date, which stands
   * for 00:00 UTC.
   */
  readonly since?: string | undefined
  /** `jsonl` or `csv`. Default: `jsonl`. */
  readonly format?: string | undefined
}

/** A parsed query. */
export interface ParsedExport {
  readonly kind: ExportKind
  readonly since: Instant | null
  readonly format: ExportFormat
}

const kindForm = "orders or designs"
const formatForm = "jsonl or csv"
const sinceForm = "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05"

/** Parses a query. Fails with an error that names the parameter and the accepted form. */
export const parse = (query: ExportInput): Result.Result<ParsedExport, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const kindText = yield* single(parameters, "kind", kindForm)
    const kind = exportKinds.find((each) => each === kindText)
    if (kind === undefined) return yield* refuse("kind", kindForm)
    const sinceText = yield* single(parameters, "since", sinceForm)
    // In a query an unescaped + means a space.
    const since = sinceText === undefined ? null : parseDateOrDateTime(sinceText.replace(" ", "+"))
    if (since === undefined) return yield* refuse("since", sinceForm)
    const formatText = yield* single(parameters, "format", formatForm)
    const format = formatText === undefined ? "jsonl" : exportFormats.find((each) => each === formatText)
    if (format === undefined) return yield* refuse("format", formatForm)
    return { kind, since, format }
  })
