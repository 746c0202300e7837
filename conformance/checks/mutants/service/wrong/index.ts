import addresses from "../../../../suites/vectors/addresses.json" with { type: "json" }
import type { ServiceFault } from "../ServiceFault.ts"
import { accepting, fault } from "./Changes.ts"
import { wrongEvaluation, wrongFeed } from "./EvaluationAndFeed.ts"
import { wrongRest } from "./Rest.ts"
import { wrongWebhooks } from "./Webhooks.ts"

/** Services that break a requirement, by the profile that must notice it. */
export const wrongServices: Readonly<Record<string, ReadonlyArray<ServiceFault>>> = {
  rest: wrongRest,
  webhooks: wrongWebhooks,
  evaluation: wrongEvaluation,
  feed: wrongFeed,
}

/** Services that accept an endpoint at one address that is not public. */
export const wrongAddresses: ReadonlyArray<ServiceFault> = addresses.flatMap(({ address, public: isPublic }) => {
  const url = `https://${address.includes(":") ? `[${address}]` : address}/`
  const isOwn = /^(127\.|\[::1\]|\[::ffff:7f)/.test(URL.parse(url)?.hostname ?? "")
  const when = new RegExp(JSON.stringify(url).replace(/[.[\]?*+]/g, "\\$&"))
  const caughtBy = isOwn ? "endpoints.public.default" : "endpoints.public"
  const accepted = accepting("createEndpoint", when, { id: "whe_1", secret: "whsec_1" })
  return isPublic ? [] : [fault(`an endpoint at ${url} accepted`, caughtBy, accepted)]
})
