/** The service over Node's server, and mounted in somebody else's: what anybody's service must do. */
import { describe, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { mountedInExpress, serverOn } from "../../conformance/worlds/ServedService.ts"
import { memory, postgres, routed } from "../../conformance/worlds/TestHost.ts"

const harnesses = [await serverOn(memory), await serverOn(routed), await serverOn(postgres), await mountedInExpress()]

for (const harness of harnesses) register(service(harness), { describe, it })
