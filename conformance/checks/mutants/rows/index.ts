import { decisions } from "./faults/Decisions.ts"
import { definition } from "./faults/Definition.ts"
import { resources } from "./faults/Resources.ts"
import { restApi } from "./faults/RestApi.ts"
import { service } from "./faults/Service.ts"
import { settings } from "./faults/Settings.ts"
import { webhooks } from "./faults/Webhooks.ts"
import type { RowFault } from "./RowFault.ts"

/** At least one fault for each row of the requirements that a test can hold. */
export const rowFaults: ReadonlyArray<RowFault> = [
  ...service,
  ...resources,
  ...restApi,
  ...webhooks,
  ...definition,
  ...decisions,
  ...settings,
]
