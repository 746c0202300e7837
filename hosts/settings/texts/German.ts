import * as access from "./german/Access.ts"
import * as changes from "./german/Audit.ts"
import * as catalog from "./german/Catalog.ts"
import * as delivering from "./german/Deliveries.ts"
import * as options from "./german/EndpointOptions.ts"
import * as webhooks from "./german/Endpoints.ts"
import * as receiving from "./german/Inbox.ts"
import * as connections from "./german/Platforms.ts"
import * as refusals from "./german/Reasons.ts"
import * as repairs from "./german/Repair.ts"
import * as shell from "./german/Shell.ts"
import type { Language } from "./Language.ts"

/** German, in the polite form. */
export const german: Language = {
  tag: "de",
  texts: {
    ...access,
    ...changes,
    ...catalog,
    ...delivering,
    ...options,
    ...webhooks,
    ...receiving,
    ...connections,
    ...refusals,
    ...repairs,
    ...shell,
  },
}
