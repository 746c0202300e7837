import * as access from "./english/Access.ts"
import * as changes from "./english/Audit.ts"
import * as catalog from "./english/Catalog.ts"
import * as delivering from "./english/Deliveries.ts"
import * as options from "./english/EndpointOptions.ts"
import * as webhooks from "./english/Endpoints.ts"
import * as receiving from "./english/Inbox.ts"
import * as connections from "./english/Platforms.ts"
import * as repairs from "./english/Repair.ts"
import * as shell from "./english/Shell.ts"

/** The app's texts in English, by page. A text with something in it is a function. */
export const english = {
  ...access,
  ...changes,
  ...catalog,
  ...delivering,
  ...options,
  ...webhooks,
  ...receiving,
  ...connections,
  ...repairs,
  ...shell,
}
