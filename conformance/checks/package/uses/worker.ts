import * as Memory from "designwire/memory"
import * as Worker from "designwire/worker"
import { Effect, Redacted } from "effect"

const keyRing = { keys: [Redacted.make(new Uint8Array(32))] as const }
const { attempts } = await Worker.drain({ keyRing }, { max: 1, deadline: Date.now() + 60_000 }).pipe(
  Effect.provide(Memory.layer),
  Effect.runPromise,
)
if (attempts !== 0) throw new Error("An empty queue has something to deliver")
