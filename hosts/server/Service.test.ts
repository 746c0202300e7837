/** The service suite over Node's server, and over an application's server that mounts the service. */
import { describe, inject, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { mountedInExpress, serverOn, tracedOn } from "../../conformance/testkit/hosts/ServedService.ts"
import { memory, postgres } from "../../conformance/testkit/hosts/TestHost.ts"

// In Express the paths, the methods and the headers of requests may arrive otherwise.
const mounted = inject("wholeMatrix") ? {} : { only: ["access", "routes", "conditional", "options"] }

const harnesses = [
  await serverOn(postgres),
  { ...(await mountedInExpress()), ...mounted },
  ...(inject("wholeMatrix") ? [await serverOn(memory)] : []),
]

for (const harness of harnesses) register(service(harness), { describe, it })

// With a tracer, deliveries have more headers.
const traced = service(await tracedOn(memory))
const delivering = traced.cases.filter(({ id }) => /^deliveries\.|^retries\.trace$/.test(id))
register({ ...traced, cases: delivering }, { describe, it })
