import { activity } from "./english/Activity.ts"
import { audit } from "./english/Audit.ts"
import { badges } from "./english/Badges.ts"
import { customizers } from "./english/catalog/Customizers.ts"
import { design } from "./english/catalog/Design.ts"
import { evaluate } from "./english/catalog/Evaluate.ts"
import { orders } from "./english/catalog/Orders.ts"
import { publish } from "./english/catalog/Publish.ts"
import { failures } from "./english/Failures.ts"
import { find } from "./english/Find.ts"
import { firstRun } from "./english/FirstRun.ts"
import { inbox } from "./english/Inbox.ts"
import { layout } from "./english/Layout.ts"
import { link } from "./english/Link.ts"
import { live } from "./english/Live.ts"
import { notices } from "./english/Notices.ts"
import { overview } from "./english/Overview.ts"
import { paging } from "./english/Paging.ts"
import { parts } from "./english/Parts.ts"
import { plans } from "./english/Plans.ts"
import { problems } from "./english/Problems.ts"
import { signIn } from "./english/SignIn.ts"
import { signOut } from "./english/SignOut.ts"
import { stores } from "./english/Stores.ts"
import { tokens } from "./english/Tokens.ts"
import { deliveries } from "./english/webhooks/Deliveries.ts"
import { delivery } from "./english/webhooks/Delivery.ts"
import { deliveryList } from "./english/webhooks/DeliveryList.ts"
import { deliveryTable } from "./english/webhooks/DeliveryTable.ts"
import { endpoint } from "./english/webhooks/Endpoint.ts"
import { endpointActions } from "./english/webhooks/EndpointActions.ts"
import { endpointFields } from "./english/webhooks/EndpointFields.ts"
import { endpointOptions } from "./english/webhooks/EndpointOptions.ts"
import { events } from "./english/webhooks/Events.ts"
import { newEndpoint } from "./english/webhooks/NewEndpoint.ts"
import { repair } from "./english/webhooks/Repair.ts"
import { rotateSecret } from "./english/webhooks/RotateSecret.ts"
import { webhooks } from "./english/webhooks/Webhooks.ts"

/** The app's texts in English, by page. A text with something in it is a function. */
export const english = {
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
