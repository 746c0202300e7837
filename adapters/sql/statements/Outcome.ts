/** Reports to the request what of its changes may be stored (D49). */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { CurrentOutcome } from "../../../core/model/ChangeOutcome.ts"
import { causeCodeOf } from "./Reason.ts"

/**
 * Whether the server has refused a statement. After a lost connection (08, 57P, or a failure of the system that a
 * pooler reports, 58 and XX) and an unknown completion (40003) it may have been carried out.
 */
const isRefusal = (error: SqlError.SqlError): boolean =>
  /^(?!08|57P|58|XX|40003)(?=.*\d)[0-9A-Z]{5}$/.test(causeCodeOf(error) ?? "")

/** A store takes part in the request, and has stored nothing yet. */
export const reported = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    fiber.getRef(CurrentOutcome)?.begin()
    return effect
  })

/** Runs a COMMIT, or a statement outside of transactions. */
export const storing = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.withFiber<A, SqlError.SqlError, R>((fiber) => {
    const outcome = fiber.getRef(CurrentOutcome)
    if (outcome === undefined) return statement
    outcome.send()
    return Effect.tapError(statement, (error) => Effect.sync(() => isRefusal(error) && outcome.refuse()))
  })
