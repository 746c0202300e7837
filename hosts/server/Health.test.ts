/** `/livez` and `/readyz` (hosts/cli/README.md). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { inProcess, memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"

/** A host whose store is in the state that the test sets, and its log. */
const host = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const log: Array<string> = []
  const state: { ready: Effect.Effect<void, { readonly message: string }> } = { ready: Effect.void }
  const send = yield* inProcess(ports, { ready: Effect.suspend(() => state.ready) }).pipe(
    Effect.provide(Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])),
  )
  return { send, log, state }
})

const secret = "connect ECONNREFUSED 10.0.0.5:5432, lacks 3_feed"

describe("/readyz", () => {
  it.effect("MUST answer 200 while the store works, and otherwise 503 without the reason", () =>
    Effect.gen(function* () {
      const { send, state } = yield* host
      expect((yield* send("GET", "/readyz")).status).toBe(200)
      state.ready = Effect.fail({ message: secret })
      for (const headers of [{}, { authorization: "Bearer test-manage-key-0123456789" }]) {
        const answer = yield* send("GET", "/readyz", { headers })
        expect([answer.status, answer.json]).toEqual([503, { message: "Not ready" }])
        expect(JSON.stringify(answer.headers)).not.toContain("ECONN")
      }
      expect((yield* send("GET", "/livez")).status).toBe(200)
    }),
  )

  it.effect("MUST ask the store if the host has no check of its own", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      let down = false
      const flaky = Layer.effect(
        ShopStore,
        Effect.map(ShopStore, (shops) => ({
          ...shops,
          find: (id) =>
            Effect.suspend(() =>
              down
                ? Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
                : shops.find(id),
            ),
        })),
      )
      const send = yield* inProcess(Layer.provideMerge(flaky, ports))
      expect((yield* send("GET", "/readyz")).status).toBe(200)
      down = true
      expect((yield* send("GET", "/readyz")).status).toBe(503)
    }),
  )

  it.effect("MUST log why it is not ready, once for each reason and not for each probe", () =>
    Effect.gen(function* () {
      const { log, send, state } = yield* host
      const probe = Effect.repeat(send("GET", "/readyz"), { times: 4 })
      yield* probe
      expect(log).toEqual([])
      state.ready = Effect.fail({ message: secret })
      yield* probe
      expect(log).toEqual([`Not ready: ${secret}`])
      state.ready = Effect.fail({ message: "The schema is not current" })
      yield* probe
      expect(log.slice(1)).toEqual(["Not ready: The schema is not current"])
      state.ready = Effect.void
      yield* probe
      expect(log.slice(2)).toEqual(["Ready again"])
      state.ready = Effect.fail({ message: secret })
      yield* probe
      expect(log.slice(3)).toEqual([`Not ready: ${secret}`])
    }),
  )

  it.effect("MUST NOT wait longer than 3 seconds for a store that does not answer", () =>
    Effect.gen(function* () {
      const { log, send, state } = yield* host
      state.ready = Effect.never
      const answer = yield* Effect.forkScoped(send("GET", "/readyz"))
      yield* TestClock.adjust("3 seconds")
      expect((yield* Fiber.join(answer)).status).toBe(503)
      expect(log).toEqual(["Not ready: The store does not answer"])
    }),
  )
})
