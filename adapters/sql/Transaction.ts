import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Whether a call is made within an outer `sql.withTransaction`. */
export const inTransaction = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.withFiber((fiber) =>
    Effect.succeed(Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined),
  )
