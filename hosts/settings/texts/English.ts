import { activity } from "./english/Activity.ts"
import { audit } from "./english/Audit.ts"
import { badges } from "./english/Badges.ts"
import { customizers } from "./english/Customizers.ts"
import { deliveries } from "./english/Deliveries.ts"
import { delivery } from "./english/Delivery.ts"
import { deliveryList } from "./english/DeliveryList.ts"
import { deliveryTable } from "./english/DeliveryTable.ts"
import { design } from "./english/Design.ts"
import { endpoint } from "./english/Endpoint.ts"
import { endpointActions } from "./english/EndpointActions.ts"
import { endpointFields } from "./english/EndpointFields.ts"
import { evaluate } from "./english/Evaluate.ts"
import { events } from "./english/Events.ts"
import { failures } from "./english/Failures.ts"
import { find } from "./english/Find.ts"
import { firstRun } from "./english/FirstRun.ts"
import { layout } from "./english/Layout.ts"
import { link } from "./english/Link.ts"
import { live } from "./english/Live.ts"
import { newEndpoint } from "./english/NewEndpoint.ts"
import { notices } from "./english/Notices.ts"
import { orders } from "./english/Orders.ts"
import { overview } from "./english/Overview.ts"
import { paging } from "./english/Paging.ts"
import { parts } from "./english/Parts.ts"
import { plans } from "./english/Plans.ts"
import { problems } from "./english/Problems.ts"
import { publish } from "./english/Publish.ts"
import { repair } from "./english/Repair.ts"
import { rotateSecret } from "./english/RotateSecret.ts"
import { signIn } from "./english/SignIn.ts"
import { signOut } from "./english/SignOut.ts"
import { stores } from "./english/Stores.ts"
import { tokens } from "./english/Tokens.ts"
import { webhooks } from "./english/Webhooks.ts"

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
  evaluate,
  events,
  failures,
  find,
  firstRun,
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
