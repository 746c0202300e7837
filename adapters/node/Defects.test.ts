/** Faults of the sender itself, which a receiver must not be blamed for (D27). */
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { vi } from "vitest"
import { answer, eventually, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { send } from "../../conformance/suites/sender/Sending.ts"
import { layerSender } from "./index.ts"

/** The methods of undici's client that are missing: Bun, for one, brings an undici of its own with hardly any. */
const missing = vi.hoisted(() => new Set<string>())

vi.mock("undici", async (original) => {
  const undici = await original<typeof import("undici")>()
  class Client extends undici.Client {
    constructor(...parameters: ConstructorParameters<typeof undici.Client>) {
      super(...parameters)
      for (const name of missing) Object.defineProperty(this, name, { value: undefined })
    }
  }
  return { ...undici, Client }
})

it.live.each([[["on"]], [["dispatch"]], [["dispatch", "destroy"]]] as const)(
  "a client without %s MUST be a defect of the sender at once, and leave no connection open",
  ([methods]) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of methods) missing.add(name)
        }),
        () => Effect.sync(() => missing.clear()),
      )
      const { port, sockets } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
      const exit = yield* Effect.exit(send(`http://127.0.0.1:${port}/`, { timeout: 2_000 }))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause), String(exit)).toBe(true)
      yield* eventually("its connection is closed", () => sockets.length === 1 && sockets.every((one) => one.destroyed))
    }).pipe(Effect.provide(layerSender()), Effect.scoped),
)
