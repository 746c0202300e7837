/** Connections that calls have to themselves: for transactions and long reads. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { layerClient } from "./index.ts"

it.live("a call MUST get one that is free, though it began to wait when none was", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const held = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [both, calls] = [yield* Deferred.make<void>(), { held: 0 }]
      const call = Effect.scoped(
        Effect.andThen(
          sql.reserve,
          Effect.suspend(() => (++calls.held === 2 ? Deferred.succeed(both, undefined) : Deferred.await(both))),
        ),
      )
      const first = yield* Scope.make()
      yield* Scope.provide(sql.reserve, first)
      const waiting = yield* Effect.replicateEffect(Effect.forkChild(call), 2)
      // It begins after the calls that wait, and ends before the pool looks whether it has to grow for them.
      yield* Effect.forkChild(Scope.close(first, Exit.void))
      yield* Fiber.joinAll(waiting)
      return calls.held
    }).pipe(Effect.provide(layerClient({ url: Redacted.make(url) })))
    expect(held).toBe(2)
  }),
)
