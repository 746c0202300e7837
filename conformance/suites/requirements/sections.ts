import { authentication } from "./Authentication.ts"
import { decisionsCells } from "./DecisionsCells.ts"
import { decisionsEndpoints } from "./DecisionsEndpoints.ts"
import { decisionsExchange } from "./DecisionsExchange.ts"
import { decisionsHosts } from "./DecisionsHosts.ts"
import { decisionsOperation } from "./DecisionsOperation.ts"
import { decisionsResources } from "./DecisionsResources.ts"
import { decisionsRestApi } from "./DecisionsRestApi.ts"
import { decisionsShops } from "./DecisionsShops.ts"
import { decisionsWebhooks } from "./DecisionsWebhooks.ts"
import { definitionEvaluation } from "./DefinitionEvaluation.ts"
import { definitionFormat } from "./DefinitionFormat.ts"
import { design } from "./Design.ts"
import { errors } from "./Errors.ts"
import { limits } from "./Limits.ts"
import type { Section } from "./Requirement.ts"
import { resources } from "./Resources.ts"
import { restApi } from "./RestApi.ts"
import { service } from "./Service.ts"
import { states } from "./States.ts"
import { versions } from "./Versions.ts"
import { webhooks } from "./Webhooks.ts"

/** All sections in the order of the page. */
export const sections: ReadonlyArray<Section> = [
  ...service,
  ...design,
  ...resources,
  ...states,
  ...restApi,
  ...authentication,
  ...webhooks,
  ...errors,
  ...limits,
  ...versions,
  ...definitionFormat,
  ...definitionEvaluation,
  ...decisionsResources,
  ...decisionsRestApi,
  ...decisionsWebhooks,
  ...decisionsHosts,
  ...decisionsShops,
  ...decisionsEndpoints,
  ...decisionsExchange,
  ...decisionsOperation,
  ...decisionsCells,
]
