/** The service suite over an embedded service. */
import { describe, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { embeddedService } from "../../conformance/testkit/hosts/ServedService.ts"

register(service(await embeddedService()), { describe, it })
