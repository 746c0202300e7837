/** Lines of ordered endpoints, as the migrations keep them (D53). */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { newEndpoint } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { connected, query } from "../../conformance/testkit/databases/PgClient.ts"
import { usualOptions } from "../../core/model/webhooks/EndpointOptions.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { changing } from "../../core/rules/webhooks/EndpointUpdates.ts"
import { fromPg, within } from "../connection/index.ts"
import { ordering } from "../sql/schema/Ordering.ts"
import { maySend } from "../sql/webhooks/DeliveryRules.ts"
import { layer } from "./index.ts"

const ordered = { options: { ...usualOptions, ordering: "object" } } as const

describe("Lines", () => {
  it.live("MUST NOT change in a transaction that can't see what others have added to them (D53)", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const endpoints = yield* EndpointStore
        const client = yield* connected(url)
        const [inOrder, usual] = [yield* newEndpoint(ordered), yield* newEndpoint()]
        for (const [isolation, expected] of [
          ["READ COMMITTED", "Success"],
          ["REPEATABLE READ", "Failure"],
          ["SERIALIZABLE", "Failure"],
        ] as const) {
          const outcome = Effect.fnUntraced(function* (endpoint: typeof usual, change: object) {
            yield* query(client, `BEGIN ISOLATION LEVEL ${isolation}`)
            const changed = endpoints.update(endpoint.shop, endpoint.id, changing(change))
            const { _tag } = yield* Effect.result(within(fromPg(client))(changed))
            yield* query(client, "ROLLBACK")
            return _tag
          })
          expect(yield* outcome(inOrder, { kinds: ["order.cancelled"] })).toBe(expected)
          expect(yield* outcome(inOrder, { options: { ordering: "none" } })).toBe(expected)
          expect(yield* outcome(usual, { options: { ordering: "object" } })).toBe(expected)
          expect(yield* outcome(inOrder, { description: "ERP" })).toBe("Success")
          expect(yield* outcome(usual, { kinds: ["order.cancelled"] })).toBe("Success")
          expect(yield* outcome(usual, { options: { ordering: "none" } })).toBe("Success")
        }
      }).pipe(Effect.scoped, Effect.provide(layer({ url: Redacted.make(url), maxConnections: 2 }), { local: true }))
    }),
  )

  it("MUST go by the rule for what may be sent: if that changes, a migration changes `line_up`", () => {
    expect(String(maySend)).toBe(
      "(s.plan IN ('pro', 'plus') AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)",
    )
    const [lineUp] = ordering.filter((statement) => statement.startsWith("CREATE FUNCTION designwire.line_up("))
    expect(lineUp).toContain("s.plan IN ('pro', 'plus') AND (d.test OR e.status = 'active')")
  })
})
