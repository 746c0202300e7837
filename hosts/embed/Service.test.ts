/** The service as a backend embeds it: what anybody's service must do. */
import { describe, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { embeddedService } from "../../conformance/worlds/ServedService.ts"

register(service(await embeddedService()), { describe, it })
