/** The vectors through HTTP: what is evaluated, and what is refused and why (definition: Selection, summary, productionData, price). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import accepted from "../../conformance/vectors/evaluation.json" with { type: "json" }
import refused from "../../conformance/vectors/selection-refused.json" with { type: "json" }
import {
  type Json,
  manage,
  memory,
  newShop,
  onHosts,
  publishVector,
  read,
  TestHost,
} from "../../conformance/worlds/TestHost.ts"

onHosts("The vectors", [memory], (it) => {
  for (const vector of accepted) {
    it.effect(`MUST be evaluated through PUT: ${vector.name} (§2.1)`, () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const { currency, roundingStep } = vector
        const shop = yield* newShop(send, { currency, roundingStep })
        yield* publishVector(send, shop, vector.customizer)
        const { basePrice, customizer: customizerId, expected, selection } = vector
        const saved = yield* manage(send, "PUT", `/shops/${shop.id}/designs/d-1`, {
          customizerId,
          selection,
          basePrice,
        })
        expect(saved.status).toBe(201)
        const { price, productionData, summary, ...rest } = (yield* read(send, shop.token, "/designs/d-1")).json as Json
        // As text, because the order of the keys is part of the format.
        expect(JSON.stringify({ summary, productionData, price })).toBe(JSON.stringify(expected))
        expect(JSON.stringify(rest["selection"])).toBe(JSON.stringify(selection))
      }),
    )
  }

  for (const { customizer: customizerId, name, questions, selection } of refused) {
    it.effect(`MUST be refused with 422, naming the questions, and not stored: ${name} (definition: Selection)`, () =>
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
        expect([saved.status, Object.keys(saved.json as Json)]).toEqual([422, ["message", "problems"]])
        const problems = (saved.json as Json)["problems"] as ReadonlyArray<Json>
        expect(problems.map(({ path }) => path)).toEqual(questions)
        for (const problem of problems) expect(Object.keys(problem)).toEqual(["path", "message"])
        expect(yield* store.dump).toBe(before)
      }),
    )
  }
})
