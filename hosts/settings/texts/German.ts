import { firstRun, link, signIn, signOut, stores, tokens } from "./german/Access.ts"
import { audit } from "./german/Audit.ts"
import { customizers, design, drafts, evaluate, orders, production, publish, ticket } from "./german/Catalog.ts"
import { activity, deliveries, delivery, deliveryList, fate } from "./german/Deliveries.ts"
import { endpointOptions } from "./german/EndpointOptions.ts"
import {
  endpoint,
  endpointActions,
  endpointFields,
  events,
  newEndpoint,
  rotateSecret,
  webhooks,
} from "./german/Endpoints.ts"
import { inbox } from "./german/Inbox.ts"
import { platforms } from "./german/Platforms.ts"
import { reasons } from "./german/Reasons.ts"
import { failures, problems, repair } from "./german/Repair.ts"
import { badges, find, layout, live, notices, overview, paging, parts, plans } from "./german/Shell.ts"
import type { Language, Texts } from "./Language.ts"

const texts: Texts = {
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

/** German, in the polite form. */
export const german: Language = { tag: "de", texts }
