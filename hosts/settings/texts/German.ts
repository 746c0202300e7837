import { activity } from "./german/Activity.ts"
import { badges } from "./german/Badges.ts"
import { deliveries } from "./german/Deliveries.ts"
import { delivery } from "./german/Delivery.ts"
import { deliveryTable } from "./german/DeliveryTable.ts"
import { endpoint } from "./german/Endpoint.ts"
import { endpointActions } from "./german/EndpointActions.ts"
import { endpointFields } from "./german/EndpointFields.ts"
import { events } from "./german/Events.ts"
import { failures } from "./german/Failures.ts"
import { firstRun } from "./german/FirstRun.ts"
import { layout } from "./german/Layout.ts"
import { newEndpoint } from "./german/NewEndpoint.ts"
import { notices } from "./german/Notices.ts"
import { overview } from "./german/Overview.ts"
import { parts } from "./german/Parts.ts"
import { plans } from "./german/Plans.ts"
import { problems } from "./german/Problems.ts"
import { rotateSecret } from "./german/RotateSecret.ts"
import { signIn } from "./german/SignIn.ts"
import { stores } from "./german/Stores.ts"
import { tokens } from "./german/Tokens.ts"
import { webhooks } from "./german/Webhooks.ts"
import type { Language, Texts } from "./Language.ts"

const texts: Texts = {
  activity,
  badges,
  deliveries,
  delivery,
  deliveryTable,
  endpoint,
  endpointActions,
  endpointFields,
  events,
  failures,
  firstRun,
  layout,
  newEndpoint,
  notices,
  overview,
  parts,
  plans,
  problems,
  rotateSecret,
  signIn,
  stores,
  tokens,
  webhooks,
}

/** German, in the polite form. */
export const german: Language = { tag: "de", texts }
