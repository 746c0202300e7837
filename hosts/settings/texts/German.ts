import { activity } from "./german/Activity.ts"
import { audit } from "./german/Audit.ts"
import { badges } from "./german/Badges.ts"
import { customizers } from "./german/Customizers.ts"
import { deliveries } from "./german/Deliveries.ts"
import { delivery } from "./german/Delivery.ts"
import { deliveryList } from "./german/DeliveryList.ts"
import { deliveryTable } from "./german/DeliveryTable.ts"
import { design } from "./german/Design.ts"
import { endpoint } from "./german/Endpoint.ts"
import { endpointActions } from "./german/EndpointActions.ts"
import { endpointFields } from "./german/EndpointFields.ts"
import { evaluate } from "./german/Evaluate.ts"
import { events } from "./german/Events.ts"
import { failures } from "./german/Failures.ts"
import { find } from "./german/Find.ts"
import { firstRun } from "./german/FirstRun.ts"
import { layout } from "./german/Layout.ts"
import { link } from "./german/Link.ts"
import { live } from "./german/Live.ts"
import { newEndpoint } from "./german/NewEndpoint.ts"
import { notices } from "./german/Notices.ts"
import { orders } from "./german/Orders.ts"
import { overview } from "./german/Overview.ts"
import { paging } from "./german/Paging.ts"
import { parts } from "./german/Parts.ts"
import { plans } from "./german/Plans.ts"
import { problems } from "./german/Problems.ts"
import { publish } from "./german/Publish.ts"
import { repair } from "./german/Repair.ts"
import { rotateSecret } from "./german/RotateSecret.ts"
import { signIn } from "./german/SignIn.ts"
import { signOut } from "./german/SignOut.ts"
import { stores } from "./german/Stores.ts"
import { tokens } from "./german/Tokens.ts"
import { webhooks } from "./german/Webhooks.ts"
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

/** German, in the polite form. */
export const german: Language = { tag: "de", texts }
