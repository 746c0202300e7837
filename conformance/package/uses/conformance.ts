import { check, storage } from "designwire/conformance"
import signatures from "designwire/conformance/vectors/signatures.json" with { type: "json" }
import * as Memory from "designwire/memory"
import { RateLimits } from "designwire/ports"
import { Effect } from "effect"

const open = Effect.sync(() => Memory.layerShared(Memory.makeState()))
const { failed, passed } = await check(
  storage({ ports: [RateLimits], open, lacks: { faults: "memory can't be cut" } }),
  { write: () => undefined },
)
if (failed > 0 || passed === 0) throw new Error(`${failed} cases failed, ${passed} passed`)
if (signatures.sign.length === 0) throw new Error("There are no vectors")
