import { check, service, storage } from "designwire/conformance"
import signatures from "designwire/conformance/vectors/signatures.json" with { type: "json" }
import standard from "designwire/conformance/vectors/standard-webhooks.json" with { type: "json" }
import * as Memory from "designwire/memory"
import { RateLimits } from "designwire/ports"
import { Effect } from "effect"

const open = Effect.sync(() => Memory.layerShared(Memory.makeState()))
const { failed, passed } = await check(
  storage({ ports: [RateLimits], open, lacks: { faults: "memory can't be cut" } }),
  { write: () => undefined },
)
if (failed > 0 || passed === 0) throw new Error(`${failed} cases failed, ${passed} passed`)
const refusing = () => Response.json({ message: "no" }, { status: 401 })
const wrong = await check(service({ url: "http://service.test/api/v1", request: refusing, only: ["access.missing"] }), {
  write: () => undefined,
})
if (wrong.failed !== 1) throw new Error("A server that is not a service passes")
if (signatures.sign.length === 0 || standard.sign.length === 0) throw new Error("There are no vectors")
