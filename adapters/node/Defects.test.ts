/** Faults of the sender itself, which a receiver must not be blamed for (D27). */
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { Client } from "undici"
import { answer, eventually, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { send } from "../../conformance/suites/sender/Sending.ts"
import { layerSender } from "./index.ts"

/** Bun, for one, brings an undici of its own whose client has hardly any of these methods. */
it.live.each([[["on"]], [["dispatch"]], [["dispatch", "destroy"]]] as const)(
  "a client without %s MUST be a defect of the sender at once, and leave no connection open",
  ([methods]) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of methods)
            Object.defineProperty(Client.prototype, name, { value: undefined, configurable: true })
        }),
        () =>
          Effect.sync(() => {
            for (const name of methods) Reflect.deleteProperty(Client.prototype, name)
          }),
      )
      const { port, sockets } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
      const exit = yield* Effect.exit(send(`http://127.0.0.1:${port}/`, { timeout: 2_000 }))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause), String(exit)).toBe(true)
      yield* eventually("its connection is closed", () => sockets.length === 1 && sockets.every((one) => one.destroyed))
    }).pipe(Effect.provide(layerSender()), Effect.scoped),
)
