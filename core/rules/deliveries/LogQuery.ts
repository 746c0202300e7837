/** The query of an endpoint's delivery log (§8, D32). */
import { Result } from "effect"
import { logLength } from "../../model/Delivery.ts"
import type { DeliveryPlace } from "../../model/deliveries/LoggedDelivery.ts"
import type { InvalidInput } from "../../model/Errors.ts"
import { isInstant } from "../../model/Instant.ts"
import { limitOf, queryOf, refuse, single } from "../QueryParameters.ts"

/** Query parameters of a delivery log. Numbers may be text, as in a URL. */
export interface LogInput {
  /** Deliveries on the page, 1 to 100. Default: 50. */
  readonly limit?: number | string | undefined
  /** The `nextCursor` of the page before. */
  readonly after?: string | undefined
}

const afterForm = "the nextCursor of the page before, unchanged"

const cursorShape = /^(-?\d{1,15})\.(dlv_[\x21-\x7e]{1,300})$/

/** Parses a query. Fails with an error that names the parameter and the accepted form. */
export const parse = (
  query: LogInput,
): Result.Result<{ readonly limit: number; readonly after: DeliveryPlace | null }, InvalidInput> =>
  Result.gen(function* () {
    const parameters = yield* queryOf(query)
    const limit = yield* limitOf(parameters, logLength)
    const cursor = yield* single(parameters, "after", afterForm)
    if (cursor === undefined) return { limit, after: null }
    const [, time = "", id = ""] = cursorShape.exec(cursor) ?? []
    const at = time === "" ? Number.NaN : Number(time)
    return isInstant(at) ? { limit, after: { at, id } } : yield* refuse("after", afterForm)
  })

/** The cursor of the page that ends with a delivery. */
export const cursorOf = ({ at, id }: DeliveryPlace): string => `${at}.${id}`
