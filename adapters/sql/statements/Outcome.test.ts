import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { ChangeOutcome, CurrentOutcome } from "../../../core/model/ChangeOutcome.ts"
import { storing } from "./Outcome.ts"

/** Whether nothing was stored by a statement that fails with this code. */
const isNothing = Effect.fnUntraced(function* (code: string) {
  const outcome = new ChangeOutcome()
  const cause = Object.assign(new Error("of the driver"), { code })
  const failed = Effect.fail(new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause }) }))
  yield* Effect.flip(Effect.provideService(storing(failed), CurrentOutcome, outcome))
  return outcome.isNothing
})

it.effect("a COMMIT MUST count as refused only if the server has said so (D49)", () =>
  Effect.gen(function* () {
    for (const code of ["23505", "0A000", "40001", "40P01", "57014", "55P03"]) {
      expect([code, yield* isNothing(code)]).toEqual([code, true])
    }
    for (const code of ["08006", "57P01", "58000", "XX000", "40003", "EPIPE", "ECONNRESET", ""]) {
      expect([code, yield* isNothing(code)]).toEqual([code, false])
    }
  }),
)
