/** The vectors of refused selections, and the management API's answers to them (definition: Selection). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import refused from "../../conformance/suites/vectors/selection-refused.json" with { type: "json" }
import {
  type Json,
  manage,
  memory,
  newShop,
  onHosts,
  publishVector,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("The vectors", [memory], (it) => {
  for (const { customizer: customizerId, name, questions, selection } of refused) {
    it.effect(
      `MUST be refused with 422, naming the questions, and not stored: ${name} (definition: Selection) (§2.1-5)`,
      () =>
        Effect.gen(function* () {
          const { send, store } = yield* TestHost
          const shop = yield* newShop(send)
          yield* publishVector(send, shop, customizerId)
          const before = yield* store.dump
          const saved = yield* manage(send, "PUT", `/shops/${shop.id}/designs/d-1`, {
            customizerId,
            selection,
            basePrice: 1,
          })
          expect([saved.status, Object.keys(saved.json as Json)]).toEqual([422, ["message", "retryable", "problems"]])
          const problems = (saved.json as Json)["problems"] as ReadonlyArray<Json>
          expect(problems.map(({ path }) => path)).toEqual(questions)
          for (const problem of problems) expect(Object.keys(problem)).toEqual(["path", "message"])
          expect(yield* store.dump).toBe(before)
        }),
    )
  }
})
