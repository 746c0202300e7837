import { Result } from "effect"
import type { InvalidInput } from "../model/Errors.ts"
import { type Instant, parseDateOrDateTime } from "../model/Instant.ts"
import { limitOf, queryOf, refuse, single } from "./QueryParameters.ts"

/** Parsed query of `GET /orders` (§4). */
export interface OrdersQuery {
  readonly limit: number
  /** `undefined` without a cursor. */
  readonly cursor: string | undefined
  /** `undefined` without a filter. */
  readonly orderedAfter: Instant | undefined
}

/** Query parameters of `GET /orders`. Numbers may be text, as in a URL. */
export interface OrdersInput {
  /** Orders on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Only orders placed at or after this time: an RFC 3339 date-time with an offset or `Z`, or a date (D13). */
  readonly orderedAfter?: string | undefined
}

/**
 * Parses the query of `GET /orders` (D12, D13). Fails with an error that names the parameter and the accepted form.
 * Nothing is clamped.
 */
export const parse = (query: OrdersInput): Result.Result<OrdersQuery, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters)
    const cursor = yield* single(parameters, "cursor", cursorForm)
    const after = yield* single(parameters, "orderedAfter", orderedAfterForm)
    // In a query an unescaped + means a space.
    const orderedAfter = after === undefined ? undefined : parseDateOrDateTime(after.replace(" ", "+"))
    if (after !== undefined && orderedAfter === undefined) return yield* refuse("orderedAfter", orderedAfterForm)
    return { limit, cursor, orderedAfter }
  })

/** Accepted form of a cursor. */
export const cursorForm =
  "the nextCursor of the previous page, unchanged, of the same shop and with the same orderedAfter"

/** ISO 8601 has further forms, such as 24:00, decimals behind a comma, and week and ordinal dates. */
const orderedAfterForm =
  "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, or a date, e.g. 2026-10-05; " +
  "of the other forms of ISO 8601 only the basic form and times without seconds are accepted"
