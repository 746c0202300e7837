import { Result, Schema } from "effect"
import type { InvalidInput } from "../model/Errors.ts"
import { EndpointKind } from "../model/Event.ts"
import { given, limitOf, queryOf, refuse, single } from "./QueryParameters.ts"

/** What `GET /events` was asked for (D39). */
export interface EventsQuery {
  readonly limit: number
  /** `undefined` to begin with the oldest event that is kept, {@link latest} to begin with the next that happens. */
  readonly after: string | undefined
  /** Each once. */
  readonly kinds: ReadonlyArray<EndpointKind>
}

/** What may be asked of `GET /events`: numbers may be text, as they are in an address. */
export interface EventsInput {
  /** The `nextCursor` of an earlier page; left out, the feed begins with the oldest event that is kept; `latest`: with the next that happens. */
  readonly after?: string | undefined
  /** Events on the page, 1 to 100; 25 where it is left out. */
  readonly limit?: number | string | undefined
  /** Only events of these kinds: `design.ordered`, `order.cancelled`, `design.created`; a list, or a text with commas between them. */
  readonly types?: string | ReadonlyArray<string> | undefined
}

/** What `after` is for who wants only what is still to happen. */
export const latest = "latest"

/** What `after` must be. */
export const afterForm = `the nextCursor of an earlier page, unchanged, of the same shop, or ${latest}`

const typesForm = `one or more of ${EndpointKind.literals.join(", ")}, separated by commas`

const isKind = Schema.is(EndpointKind)

/** Reads the query of `GET /events` (D12, D39), or answers an error that names the parameter and the allowed form. */
export const parse = (query: EventsInput): Result.Result<EventsQuery, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters)
    const after = yield* single(parameters, "after", afterForm)
    return { limit, after, kinds: yield* kindsOf(given(parameters, "types")) }
  })

/** An address may also name the parameter several times. */
const kindsOf = (types: unknown): Result.Result<ReadonlyArray<EndpointKind>, InvalidInput> => {
  if (types === undefined) return Result.succeed(EndpointKind.literals)
  const lists: ReadonlyArray<unknown> = Array.isArray(types) ? types : [types]
  const names = lists.flatMap((list) => (typeof list === "string" ? list.split(",") : [list]))
  const kinds = names.filter(isKind)
  return kinds.length === 0 || kinds.length < names.length
    ? refuse("types", typesForm)
    : Result.succeed([...new Set(kinds)])
}
