import { Result } from "effect"
import type { InvalidInput } from "../../model/Errors.ts"
import { type Instant, parseDateOrDateTime } from "../../model/Instant.ts"
import { type ExportInput, exportFormats, exportKinds } from "../../model/orders/Export.ts"
import { queryOf, refuse, single } from "../QueryParameters.ts"

/** A parsed query. */
export interface ExportQuery {
  readonly kind: (typeof exportKinds)[number]
  readonly since: Instant | null
  readonly format: (typeof exportFormats)[number]
}

const sinceForm = "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05"

/** Parses a query. Fails with an error that names the parameter and the accepted form. */
export const parse = (query: ExportInput): Result.Result<ExportQuery, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const givenKind = yield* single(parameters, "kind", exportKinds.join(" or "))
    const kind = exportKinds.find((one) => one === givenKind)
    if (kind === undefined) return yield* refuse("kind", exportKinds.join(" or "))
    const givenFormat = yield* single(parameters, "format", exportFormats.join(" or "))
    const format = exportFormats.find((one) => one === (givenFormat ?? "jsonl"))
    if (format === undefined) return yield* refuse("format", exportFormats.join(" or "))
    const givenSince = yield* single(parameters, "since", sinceForm)
    const since = givenSince === undefined ? null : parseDateOrDateTime(givenSince.replace(" ", "+"))
    if (since === undefined) return yield* refuse("since", sinceForm)
    return { kind, since, format }
  })
