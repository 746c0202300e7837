import { figuresOf } from "../../../parts/Figures.ts"

const { figure } = figuresOf("en-GB")

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
  },
  updateTitle: (host: string) => `Update ${host}`,
  updateHeading: "Update the endpoint",
  updateLead: "Pending deliveries go to the new URL. The signing secret stays the same.",
  save: "Save",
  saved: "Saved.",
  deleteTitle: (host: string) => `Delete ${host}`,
  deleteSubmit: "Delete endpoint",
  deleteQuestion: "Delete this endpoint?",
  deleteText: (pending: number) =>
    [
      "Nothing more is sent to it. Its signing secret and its log are deleted, and",
      `${pendingOf(pending)}. This can't be undone.`,
    ].join(" "),
  deleted: (url: string) => `The endpoint ${url} is deleted.`,
  wasOn: "The endpoint was on already. Nothing has changed.",
  isOn: "The endpoint is on again. Its pending deliveries are being sent.",
  isOnWithoutPlan:
    "The endpoint is on again. Its pending deliveries will be sent when the store's plan includes webhooks.",
  paused: "The endpoint is paused.",
  wasOff: "The endpoint was switched off already. Nothing has changed.",
  testSent: "A test event was sent.",
}
