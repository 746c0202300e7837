import { firstRun, link, signIn, signOut, stores, tokens } from "./english/Access.ts"
import { audit } from "./english/Audit.ts"
import { customizers, design, drafts, evaluate, orders, production, publish, ticket } from "./english/Catalog.ts"
import { activity, deliveries, delivery, deliveryList, fate } from "./english/Deliveries.ts"
import { endpointOptions } from "./english/EndpointOptions.ts"
import {
  endpoint,
  endpointActions,
  endpointFields,
  events,
  newEndpoint,
  rotateSecret,
  webhooks,
} from "./english/Endpoints.ts"
import { inbox } from "./english/Inbox.ts"
import { platforms } from "./english/Platforms.ts"
import { failures, problems, reasons, repair } from "./english/Repair.ts"
import { badges, find, layout, live, notices, overview, paging, parts, plans } from "./english/Shell.ts"

/** The app's texts in English, by page. A text with something in it is a function. */
export const english = {
  activity,
  audit,
  badges,
  customizers,
  deliveries,
  delivery,
  deliveryList,
  design,
  endpoint,
  endpointActions,
  endpointFields,
  endpointOptions,
  evaluate,
  events,
  failures,
  fate,
  find,
  firstRun,
  inbox,
  layout,
  link,
  live,
  newEndpoint,
  notices,
  orders,
  drafts,
  overview,
  paging,
  parts,
  plans,
  platforms,
  problems,
  production,
  publish,
  reasons,
  repair,
  rotateSecret,
  signIn,
  signOut,
  stores,
  ticket,
  tokens,
  webhooks,
}
