import type { Inline } from "../../Inline.ts"

/** The texts of the page of a delivery. */
export const delivery = {
  title: (kind: string, host: string) => `${kind} to ${host} · Delivery`,
  waitsForEndpoint: "When the endpoint is enabled",
  redeliver: "Redeliver",
  download: "Download body",
  about: "About this delivery",
  eventId: "Event id",
  eventIdLabel: "the event id",
  deliveryId: "Delivery id",
  deliveryIdLabel: "the delivery id",
  created: "Created",
  attempts: "Attempts",
  took: (duration: string) => `in ${duration}`,
  attempt: (number: number, when: Inline): Inline => [`Attempt ${number}, `, when],
  dropped: "Dropped",
  droppedText: "The endpoint no longer receives this kind of event.",
  next: "Next attempt",
  request: "Request",
  noRequest: "Nothing has been sent yet, or the signing secret has since been replaced or can't be decrypted.",
  headers: "Headers, as last sent",
  headersLabel: "the headers",
  standard:
    "The Standard Webhooks headers are shown as they would be sent now, signed with the current signing secrets.",
  body: "Body, as sent",
  bodyLabel: "the body",
  beginning: "This is only the beginning. Download the body to see all of it.",
  formatted: "Show the body formatted",
  curl: "Send it yourself with curl",
  curlLabel: "the curl command",
  curlText: [
    "The command uses the endpoint's current URL, because the URLs of past attempts are not kept. A",
    "receiver that checks the timestamp refuses the request five minutes after the attempt.",
  ].join(" "),
  willBeSent: "The event will be sent again, with the same event id, when the endpoint is enabled.",
  isBeingSent: "The event is being sent again, with the same event id. This is the new delivery.",
}
