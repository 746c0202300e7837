import { Result, Schema } from "effect"
import type { InvalidInput } from "../../model/Errors.ts"
import type { InboxState } from "../../model/orders/InboxItem.ts"
import { InboxStates } from "../../model/orders/InboxView.ts"
import { limitOf, queryOf, refuse, single } from "../QueryParameters.ts"

/** Query parameters of a list of platforms' events (D57). Numbers may be text, as in a URL. */
export interface InboxInput {
  /** Only events in this state: `waiting`, `applied`, `ignored` or `failed`. */
  readonly state?: string | undefined
  /** Events on the page, 1 to 100. Default: 25. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

/** A parsed query. */
export interface ParsedInbox {
  readonly state: InboxState | null
  readonly limit: number
  readonly after: string | null
}

const isState = Schema.is(InboxStates)

const stateForm = `one of ${InboxStates.literals.join(", ")}`

const afterForm = "the nextCursor of the page before, unchanged"

/** A cursor is the id of the last event on a page: ids sort by time. */
const cursorShape = /^inb_[\x21-\x7e]{1,300}$/

/** Parses a query. Fails with an error that names the parameter and the accepted form. */
export const parse = (query: InboxInput): Result.Result<ParsedInbox, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters)
    const state = yield* single(parameters, "state", stateForm)
    if (state !== undefined && !isState(state)) return yield* refuse("state", stateForm)
    const after = yield* single(parameters, "after", afterForm)
    if (after !== undefined && !cursorShape.test(after)) return yield* refuse("after", afterForm)
    return { limit, state: state ?? null, after: after ?? null }
  })
