import { figuresOf } from "../../../parts/Figures.ts"
import type { Inline } from "../../Inline.ts"

const { figure } = figuresOf("en-GB")

/** The texts of the page of an endpoint. */
export const endpoint = {
  title: (host: string) => `${host} · Webhook endpoint`,
  nothing: "Nothing has been delivered yet. Send a test event to see how the endpoint responds.",
  noMatch: "No deliveries match this filter.",
  sendTest: "Send test event",
  pause: "Pause",
  update: "Update",
  remove: "Delete",
  lostSecret: (link: Inline): Inline => [
    [
      "The signing secret of this endpoint can't be decrypted: none of the installation's encryption",
      "keys fits. Nothing can be sent to the endpoint. Restore the key, or ",
    ].join(" "),
    link,
    ".",
  ],
  lostSecretLink: "create a new secret",
  isOff: "Nothing is sent to this endpoint",
  isPaused: "It is paused.",
  isSwitchedOff: (failures: number) => `It was switched off after ${failures} failed attempts in a row.`,
  kept: [
    " Its pending deliveries are kept and will be sent when you enable it. You will also see how many",
    "events it has missed.",
  ].join(" "),
  enable: "Enable",
  rotating: "A new signing secret is ready",
  rotatingText: (until: Inline): Inline => [
    "Deliveries are signed with the old secret until ",
    until,
    [
      ", and with the new one after that. Your receiver should have both by then. If it already has",
      "both, you can switch now.",
    ].join(" "),
  ],
  promote: "Sign with the new secret now",
  lostNew: "I have lost the new secret",
  missed: (events: number) => `${figure(events)} ${events === 1 ? "event" : "events"} happened while it was off`,
  missedText: "They were not sent to this endpoint. You can send them now, in their original order.",
  sendMissed: (events: number) => (events === 1 ? "Send it" : `Send ${figure(events)} events`),
  leaveMissed: "Leave them",
  tested: "Test event",
  notSentYet: "It has not been sent yet. Check the log in a moment.",
  outcome: (outcome: string, duration: string) => `${outcome}, in ${duration}`,
  log: "Deliveries",
  logLead: (deliveries: number) => `The newest ${deliveries}, with every attempt`,
  state: "State",
  allStates: "All states",
  event: "Event",
  allEvents: "All events",
  filter: "Filter",
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
