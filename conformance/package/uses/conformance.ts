import { hosts, storageCases } from "designwire/conformance"
import * as Memory from "designwire/memory"
import { Effect } from "effect"

const [first] = storageCases
if (first === undefined) throw new Error("There are no cases")
const harness = { open: Effect.sync(() => Memory.layerShared(Memory.makeState())) }
await first.run.pipe(Effect.provide(hosts(harness)), Effect.scoped, Effect.runPromise)
