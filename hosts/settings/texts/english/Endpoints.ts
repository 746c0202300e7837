import { eventMeanings } from "../../../../core/model/events/Event.ts"
import type { EndpointKind } from "../../../../core/model/Resources.ts"
import { figuresOf } from "../../parts/Figures.ts"
import type { Inline } from "../Inline.ts"

const { figure } = figuresOf("en-GB")

/** The texts of the list of endpoints. */
export const webhooks = {
  title: "Webhooks",
  lead: "Your systems receive a signed request when a design is ordered or an order is cancelled.",
  used: (number: number, maximum: number) => `${number} of ${maximum} used`,
  full: (maximum: number) =>
    `A shop can have ${figure(maximum)} endpoints, and this one has them all. Delete one to create another.`,
  create: "Create endpoint",
  none: "No endpoints yet",
  noneLead: "Give the URL of one of your systems. Then send it a test event and see how it responds.",
  createFirst: "Create the first endpoint",
  nothing: "Nothing delivered yet",
  columns: {
    ...{ endpoint: "Endpoint", state: "State", success: "Delivered", failed: "Failed", median: "Median" },
    ...{ slow: "Over 2 s", waiting: "Waiting", lastSuccess: "Last success" },
  },
  noSuccess: (attempts: string) => `None in the last ${attempts} attempts`,
  ofLast: (attempts: string, causes: string) => `Of the last ${attempts}: ${causes}`,
  timedOut: (count: string) => `${count} timed out`,
}

/** The texts of the page of an endpoint. */
export const endpoint = {
  title: (host: string) => `${host} · Webhook endpoint`,
  nothing: "Nothing has been delivered yet. Send a test event to see how the endpoint responds.",
  sendTest: "Send test event",
  pause: "Pause",
  update: "Update",
  remove: "Delete",
  lostSecret: (link: Inline): Inline => [
    "The signing secret of this endpoint can't be decrypted: none of the installation's encryption keys fits. " +
      "Nothing can be sent to the endpoint. Restore the key, or ",
    link,
    ".",
  ],
  lostSecretLink: "create a new secret",
  isOff: "Nothing is sent to this endpoint",
  isPaused: "It is paused.",
  isSwitchedOff: (failures: number) => `It was switched off after ${failures} failed attempts in a row.`,
  kept:
    " Its pending deliveries are kept and will be sent when you enable it. You will also see how many events it has " +
    "missed.",
  enable: "Enable",
  rotating: "A new signing secret is ready",
  rotatingText: (until: Inline): Inline => [
    "Deliveries are signed with the old secret until ",
    until,
    ", and with the new one after that. Your receiver should have both by then. If it already has both, you can " +
      "switch now.",
  ],
  promote: "Sign with the new secret now",
  lostNew: "I have lost the new secret",
  missed: (events: number) => `${figure(events)} ${events === 1 ? "event" : "events"} happened while it was off`,
  missedText: "They were not sent to this endpoint. You can send them now, in their original order.",
  sendMissed: (events: number) => (events === 1 ? "Send it now" : `Send ${figure(events)} now`),
  leaveMissed: "Leave them",
  tested: "Test event",
  notSentYet: "It has not been sent yet. Check the log in a moment.",
  outcome: (outcome: string, duration: string) => `${outcome}, in ${duration}`,
  log: "Deliveries",
  logLead: (deliveries: number) => `The newest ${deliveries}, with every attempt`,
  about: "About this endpoint",
  events: "Events",
  certificateEnds: (time: Inline): Inline => ["ends ", time],
  failed: "Failed in a row",
  failedText: (failures: number, maximum: number) =>
    `${failures} of the ${maximum} attempts after which it is switched off`,
  next: "Next attempt",
  nonePending: "None pending",
  whenEnabled: "When it is enabled",
  due: "Due now",
  created: "Created",
  secret: "Signing secret",
  secretText: (verify: Inline, rotate: Inline): Inline => ["Shown once, when it was created. ", verify, " · ", rotate],
  verify: "How to verify",
  rotate: "Rotate it",
}

/** The texts of the pages to add an endpoint and to verify its deliveries. */
export const newEndpoint = {
  title: "Create an endpoint",
  created: "The endpoint has been created. Verify its deliveries with this signing secret.",
  secret: "the signing secret",
  verify: "Verify deliveries",
  verifyTitle: (host: string) => `Verify deliveries to ${host}`,
  verifyLead:
    "Every delivery is signed with the endpoint's signing secret, which is shown only when it is created. Check the " +
    "signature against the raw body, before you parse it. If it does not match, respond with 401.",
  toEndpoint: "Go to the endpoint",
  standard: "With a Standard Webhooks library",
  /** Before the names of three headers. */
  standardBefore: "This endpoint also receives ",
  and: " and ",
  /** After them. */
  standardAfter: ". Libraries for many languages accept the signing secret as it is.",
  standardLabel: "the Standard Webhooks example",
  example: (language: string) => `the ${language} example`,
}

/** The texts of an endpoint's form. */
export const endpointFields = {
  url: "URL",
  urlHint: "A public https URL. It is checked now and before every delivery.",
  description: "Description",
  descriptionHint: "Optional, for your own reference",
  events: "Events",
  eventsHint: "Pending deliveries of events that you deselect are dropped.",
  shape: "Filter, form and pace of deliveries",
  deliveries: "Deliveries",
  basic: "Basic authentication",
  basicHint: "Only if the receiver asks for a user and a password. They replace headers that were stored before.",
  basicUser: "User",
  basicUserTitle: "A user name has no colon",
  basicPassword: "Password",
  passwordAgain: "Enter the password again: it is never shown",
  access: "Access to the receiver",
  keptHeaders: "Kept if the field is empty:",
  oauthFields: {
    tokenUrl: "Token URL",
    clientId: "Client id",
    clientSecret: "Client secret",
    scope: "Scope (optional)",
    audience: "Audience (optional)",
  },
  clientSecretHint: "Kept encrypted and never shown again. Empty keeps it, unless you change another of these fields.",
}

const pendingOf = (pending: number) =>
  pending === 0
    ? "nothing is pending"
    : `${figure(pending)} pending ${pending === 1 ? "delivery" : "deliveries"} with them`

/** The texts of the pages that change an endpoint, and of their results. */
export const endpointActions = {
  meanwhile: {
    title: "Somebody else has changed this endpoint meanwhile",
    lead:
      "Nothing was saved. You have both changed what is below: choose what to keep. Everything else that the other " +
      "changed stays.",
    by: "Changed meanwhile by",
    theirs: "Theirs, as it is now:",
    mine: "Yours, as it is in the form:",
    parts: { added: "added", removed: "removed", set: "set again" },
  },
  updateTitle: (host: string) => `Update ${host}`,
  updateHeading: "Update the endpoint",
  updateLead: "Pending deliveries go to the new URL. The signing secret stays the same.",
  saved: "Saved.",
  deleteTitle: (host: string) => `Delete ${host}`,
  deleteSubmit: "Delete endpoint",
  deleteQuestion: "Delete this endpoint?",
  deleteText: (pending: number) =>
    `Nothing more is sent to it. Its signing secret and its log are deleted, and ${pendingOf(pending)}. This can't ` +
    "be undone.",
  deleted: (name: string) => `The endpoint ${name} is deleted.`,
  wasOn: "The endpoint was on already. Nothing has changed.",
  isOn: "The endpoint is on again.",
  isOnWithoutPlan:
    "The endpoint is on again. Its pending deliveries will be sent when the shop's plan includes webhooks.",
  paused: "The endpoint is paused.",
  wasOff: "The endpoint was switched off already. Nothing has changed.",
  testSent: "A test event was sent.",
}

/** The texts of the rotation of a signing secret. */
export const rotateSecret = {
  title: "Rotate the signing secret",
  pageTitle: (host: string) => `Rotate the signing secret of ${host}`,
  lead:
    "A new signing secret is created and shown once. For a while, deliveries are still signed with the old one, so " +
    "that you have time to add the new one to your receiver.",
  replaces:
    "There is already a new secret that does not sign yet. It is replaced, and your receiver will never need it.",
  overlap: "How long the old secret still signs",
  overlapHint: "You can end this period early on the page of the endpoint, once your receiver has the new secret.",
  hour: "1 hour",
  day: "1 day",
  week: "7 days",
  none: "Not at all, because it has leaked",
  submit: "Create a new secret",
  replaced: "The signing secret has been replaced. From now on, deliveries are signed with this one.",
  rotated: "This is the new signing secret. Add it to your receiver, and keep the old one, which still signs.",
  promoted: "Deliveries are now signed with the new secret. You can remove the old one from your receiver in a minute.",
}

/** The texts of the catalogue of events. */
export const events = {
  title: "Event catalogue",
  lead:
    "The events that your endpoints receive. Designs and orders have the same form as in the REST API, and amounts " +
    "are in minor units. An event that is sent again keeps its id: ignore ids that you have already processed.",
  meanings: eventMeanings as Readonly<Record<EndpointKind | "ping", string>>,
  isDefault: "On by default",
  example: (kind: string) => `Example of ${kind}`,
  exampleLabel: (kind: string) => `the example of ${kind}`,
  fields: (kind: string) => `Fields of ${kind}`,
  sameFields: (kind: Inline): Inline => ["Those of ", kind, ", with another name of the event."],
  field: "Field",
  type: "Type",
  meaning: "Meaning",
  or: " or ",
  listOf: (type: string) => `list of ${type}`,
  unknownKind: "This kind of event does not exist.",
}
