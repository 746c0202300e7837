import { connect, type Socket } from "node:net"
import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import { AssertionFailed } from "../Assertion.ts"

/** Listens without accepting: the system accepts only as many connections as its backlog holds. */
const listening = `
const { createServer } = require("node:net")
const { parentPort, workerData } = require("node:worker_threads")
const { port, host, flag } = workerData
createServer().on("error", ({ message }) => parentPort.postMessage(message)).listen({ port, host, backlog: 1 }, () => {
  parentPort.postMessage("listening")
  Atomics.wait(new Int32Array(flag), 0, 0)
})
`

/** Makes connections to a port of an address neither accepted nor refused while the scope is open. */
export const silence = (host: string, port: number): Effect.Effect<void, AssertionFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const flag = new SharedArrayBuffer(4)
    const worker = yield* Effect.acquireRelease(
      Effect.sync(() => new Worker(listening, { eval: true, workerData: { host, port, flag } })),
      (worker) =>
        Effect.promise(() => {
          Atomics.notify(new Int32Array(flag), 0)
          return worker.terminate()
        }),
    )
    const message = yield* Effect.callback<string>((resume) => {
      worker.once("message", (text: string) => resume(Effect.succeed(text)))
    })
    if (message !== "listening") return yield* new AssertionFailed({ message: `no silence: ${message}` })
    for (let taken = 0; yield* isTaken(host, port); taken++) {
      if (taken > 100) return yield* new AssertionFailed({ message: "no silence: every connection is taken" })
    }
  })

/** Opens a connection until the scope closes. Returns whether it was accepted within 100 ms. */
const isTaken = (host: string, port: number): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => connect({ host, port })),
      (socket: Socket) => Effect.sync(() => socket.destroy()),
    ),
    (socket) =>
      Effect.callback<boolean>((resume) => {
        const timer = setTimeout(() => resume(Effect.succeed(false)), 100)
        socket.on("error", () => undefined)
        socket.once("connect", () => {
          clearTimeout(timer)
          resume(Effect.succeed(true))
        })
      }),
  )
