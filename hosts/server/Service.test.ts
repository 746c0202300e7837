/** The service over Node's server, and mounted in somebody else's: what anybody's service must do. */
import { describe, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { mountedInExpress, serverOn } from "../../conformance/testkit/hosts/ServedService.ts"
import { memory, postgres } from "../../conformance/testkit/hosts/TestHost.ts"

const harnesses = [await serverOn(memory), await serverOn(postgres), await mountedInExpress()]

for (const harness of harnesses) register(service(harness), { describe, it })
