import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"

it.effect(
  "Every claim MUST have a token of its own, that nobody can guess: a claim that was lost settles nothing (D27)",
  () =>
    Effect.gen(function* () {
      const tokens: Array<string> = []
      const world = yield* makeWorld({
        deliveries: (store) => ({
          claim: (request) =>
            Effect.andThen(
              Effect.sync(() => tokens.push(request.token)),
              store.claim(request),
            ),
        }),
      })
      yield* world.endpoint()
      const other = yield* world.another({})
      for (const id of ["1", "2", "3"]) {
        yield* world.order(id, [`d-${id}`])
        yield* id === "2" ? other.drain : world.drain
      }
      expect(tokens.length).toBeGreaterThanOrEqual(3)
      for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/)
      expect(new Set(tokens).size).toBe(tokens.length)
    }),
)
