/** The service suite over an embedded service. */
import { describe, inject, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { embeddedService } from "../../conformance/testkit/hosts/ServedService.ts"

/** Cases with a thousand calls, of use cases that every host shares: `hosts/server/Service.test.ts` runs them. */
const large = ["pages.many", "pages.bytes", "routes.ids.any"]

const suite = service(await embeddedService())
const cases = suite.cases.filter(({ id }) => inject("wholeMatrix") || !large.includes(id))
register({ ...suite, cases }, { describe, it })
