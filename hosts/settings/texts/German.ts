import { activity } from "./german/Activity.ts"
import { audit } from "./german/Audit.ts"
import { badges } from "./german/Badges.ts"
import { customizers } from "./german/catalog/Customizers.ts"
import { design } from "./german/catalog/Design.ts"
import { evaluate } from "./german/catalog/Evaluate.ts"
import { orders } from "./german/catalog/Orders.ts"
import { publish } from "./german/catalog/Publish.ts"
import { failures } from "./german/Failures.ts"
import { find } from "./german/Find.ts"
import { firstRun } from "./german/FirstRun.ts"
import { inbox } from "./german/Inbox.ts"
import { layout } from "./german/Layout.ts"
import { link } from "./german/Link.ts"
import { live } from "./german/Live.ts"
import { notices } from "./german/Notices.ts"
import { overview } from "./german/Overview.ts"
import { paging } from "./german/Paging.ts"
import { parts } from "./german/Parts.ts"
import { plans } from "./german/Plans.ts"
import { problems } from "./german/Problems.ts"
import { signIn } from "./german/SignIn.ts"
import { signOut } from "./german/SignOut.ts"
import { stores } from "./german/Stores.ts"
import { tokens } from "./german/Tokens.ts"
import { deliveries } from "./german/webhooks/Deliveries.ts"
import { delivery } from "./german/webhooks/Delivery.ts"
import { deliveryList } from "./german/webhooks/DeliveryList.ts"
import { deliveryTable } from "./german/webhooks/DeliveryTable.ts"
import { endpoint } from "./german/webhooks/Endpoint.ts"
import { endpointActions } from "./german/webhooks/EndpointActions.ts"
import { endpointFields } from "./german/webhooks/EndpointFields.ts"
import { endpointOptions } from "./german/webhooks/EndpointOptions.ts"
import { events } from "./german/webhooks/Events.ts"
import { newEndpoint } from "./german/webhooks/NewEndpoint.ts"
import { repair } from "./german/webhooks/Repair.ts"
import { rotateSecret } from "./german/webhooks/RotateSecret.ts"
import { webhooks } from "./german/webhooks/Webhooks.ts"
import type { Language, Texts } from "./Language.ts"

const texts: Texts = {
  activity,
  audit,
  badges,
  customizers,
  deliveries,
  delivery,
  deliveryList,
  deliveryTable,
  design,
  endpoint,
  endpointActions,
  endpointFields,
  endpointOptions,
  evaluate,
  events,
  failures,
  find,
  firstRun,
  inbox,
  layout,
  link,
  live,
  newEndpoint,
  notices,
  orders,
  overview,
  paging,
  parts,
  plans,
  problems,
  publish,
  repair,
  rotateSecret,
  signIn,
  signOut,
  stores,
  tokens,
  webhooks,
}

/** German, in the polite form. */
export const german: Language = { tag: "de", texts }
