/** The service suite over stores that make trouble between the requests of a case, and in each of them. */
import { describe, inject, it } from "vitest"
import { register, service } from "../../conformance/index.ts"
import { serverOn } from "../../conformance/testkit/hosts/ServedService.ts"
import { memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { storeTroubles } from "../../conformance/testkit/hosts/Troubled.ts"

const repeated = "each request is sent several times, and each time counts"

/** Cases that can't be judged so. */
const skip: Readonly<Record<string, string>> = {
  rates: repeated,
  "routes.ids.any": repeated,
  strangers: "they don't send their requests through the suite's function",
}

/** Cases that read much and change little, and those that wait or fill for seconds, take most of the time. */
const others = [
  ...["pages", "routes", "query", "cursor", "shape", "evaluation", "conditional", "options", "standard"],
  ...["deliveries.once", "deliveries.log.length", "feed.writers", "off.exact", "off.reset", "scopes.end"],
]

const long = Object.fromEntries(others.map((name) => [name, "only in the whole matrix"]))

const kinds = storeTroubles(memory)

for (const [turn, kind] of kinds.entries()) {
  const suite = service({ ...(await serverOn(kind)), skip: inject("wholeMatrix") ? skip : { ...long, ...skip } })
  // Each case with one of the kinds, in turn.
  const cases = suite.cases.filter((_, index) => inject("wholeMatrix") || index % kinds.length === turn)
  register({ ...suite, cases }, { describe, it })
}
