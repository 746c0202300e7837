import { Result, Schema } from "effect"
import type { InvalidInput } from "../model/Errors.ts"
import { EndpointKind } from "../model/Event.ts"
import { given, limitOf, queryOf, refuse, single } from "./QueryParameters.ts"

/** Parsed query of `GET /events` (D39). */
export interface EventsQuery {
  readonly limit: number
  /** `undefined` starts at the oldest event that is kept, {@link latest} at the next one to happen. */
  readonly after: string | undefined
  /** Without duplicates. */
  readonly kinds: ReadonlyArray<EndpointKind>
}

/** Query parameters of `GET /events`. Numbers may be text, as in a URL. */
export interface EventsInput {
  /**
   * The `nextCursor` of an earlier page. Without it the feed starts at the oldest event that is kept; with `latest`, at
   * the next one to happen.
   */
  readonly after?: string | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** Kinds to include: `design.ordered`, `order.cancelled`, `design.created`; a list, or a comma-separated text. */
  readonly types?: string | ReadonlyArray<string> | undefined
}

/** The `after` of a client that wants only future events. */
export const latest = "latest"

/** Accepted form of `after`. */
export const afterForm = `the nextCursor of an earlier page, unchanged, of the same shop, or ${latest}`

const typesForm = `one or more of ${EndpointKind.literals.join(", ")}, separated by commas`

const isKind = Schema.is(EndpointKind)

/** Parses the query of `GET /events` (D12, D39). Fails with an error that names the parameter and the accepted form. */
export const parse = (query: EventsInput): Result.Result<EventsQuery, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters)
    const after = yield* single(parameters, "after", afterForm)
    return { limit, after, kinds: yield* kindsOf(given(parameters, "types")) }
  })

/** A URL may repeat the parameter. */
const kindsOf = (types: unknown): Result.Result<ReadonlyArray<EndpointKind>, InvalidInput> => {
  if (types === undefined) return Result.succeed(EndpointKind.literals)
  const lists: ReadonlyArray<unknown> = Array.isArray(types) ? types : [types]
  const names = lists.flatMap((list) => (typeof list === "string" ? list.split(",") : [list]))
  const kinds = names.filter(isKind)
  return kinds.length === 0 || kinds.length < names.length
    ? refuse("types", typesForm)
    : Result.succeed([...new Set(kinds)])
}
