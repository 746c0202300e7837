import type { ActorType } from "../../../../core/model/audit/Actor.ts"
import type { AuditAction, SubjectType } from "../../../../core/model/audit/AuditEntry.ts"

const actions: Readonly<Record<AuditAction, string>> = {
  "shop.created": "Store created",
  "shop.changed": "Store changed",
  "token.created": "Token created",
  "token.deleted": "Token deleted",
  "endpoint.created": "Endpoint added",
  "endpoint.changed": "Endpoint edited",
  "endpoint.deleted": "Endpoint deleted",
  "endpoint.paused": "Endpoint paused",
  "endpoint.enabled": "Endpoint enabled",
  "endpoint.secret_rotated": "Signing secret rotated",
  "endpoint.secret_promoted": "New signing secret in use",
  "endpoint.tested": "Test event sent",
  "endpoint.recovered": "Missed events sent",
  "endpoint.failing": "Endpoint is failing",
  "endpoint.switched_off": "Endpoint switched off",
  "endpoint.resent": "Log sent again",
  "delivery.redelivered": "Delivery sent again",
  "delivery.tried": "Delivery tried now",
  "customizer.created": "Customizer created",
  "customizer.changed": "Customizer changed",
  "customizer.published": "Customizer published",
  "order.cancellation_withdrawn": "Cancellation of an order that had not come taken back",
  "order.redacted": "Order redacted",
  "design.redacted": "Design redacted",
  "design.deleted": "Design deleted",
  "inbox.tried": "Event of the shop platform tried again",
  "inbox.placed": "Order of the shop platform placed by hand",
}

const subjects: Readonly<Record<SubjectType, string>> = {
  shop: "Store",
  token: "Tokens",
  endpoint: "Endpoints",
  delivery: "Deliveries",
  customizer: "Customizers",
  order: "Orders",
  design: "Designs",
  inbox: "Events of the shop platform",
}

/** The actors that have no name of their own. */
const actors: Readonly<Partial<Record<ActorType, string>>> = {
  key: "The management key",
  application: "The application",
  service: "The service",
}

const fields: Readonly<Record<string, string>> = {
  assetBase: "Assets",
  consecutiveFailures: "Failed in a row",
  currency: "Currency",
  deliveries: "Events",
  description: "Description",
  domain: "Domain",
  events: "Events",
  expiresAt: "Ends",
  hint: "Token",
  imageBase: "Pictures",
  name: "Name",
  oldSecretSignsUntil: "Old secret signs until",
  plan: "Plan",
  platformProductId: "Product",
  roundingStep: "Rounding step",
  scopes: "May read",
  secret: "Signing secret",
  since: "Since",
  state: "State",
  status: "State",
  title: "Title",
  url: "URL",
  version: "Version",
}

/** Values of fields that are words of the API. */
const values: Readonly<Record<string, string>> = {
  active: "active",
  paused: "paused",
  switched_off: "switched off",
  full: "whole",
  reference: "reference",
  object: "in order",
  waiting: "waiting",
  applied: "applied",
  ignored: "ignored",
  failed: "failed",
}

/** The texts of the page of changes, and of an endpoint's history. */
export const audit = {
  title: "Changes",
  lead:
    "Who changed what in this store, newest first, kept for 400 days. Orders and designs that the store's platform " +
    "sends are not listed.",
  actions,
  actors,
  /** Sessions without a person. */
  sessions: {
    key: (id: string) => `the management key, session ${id}`,
    once: (id: string) => `the one-time link, session ${id}`,
  },
  fields,
  values,
  subjects,
  about: "About",
  everything: "Everything",
  from: "From",
  to: "To",
  days: "Days begin at 00:00 UTC",
  filter: "Filter",
  when: "When",
  who: "Who",
  what: "What",
  change: "Change",
  before: "before",
  after: "after",
  empty: "empty",
  none: "none",
  yes: "yes",
  no: "no",
  nothing: "No changes match this filter.",
  older: "Older changes",
  newest: "Newest changes",
  history: "History",
  historyLead: "What happened to this endpoint, and who did it",
  allOfEndpoint: "All changes of this endpoint",
}
