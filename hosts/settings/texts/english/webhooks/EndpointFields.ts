/** The texts of an endpoint's form. */
export const endpointFields = {
  url: "URL",
  urlHint: "A public https URL. It is checked now and before every delivery.",
  description: "Description",
  descriptionHint: "Optional, for your own reference",
  events: "Events",
  eventsHint: "Pending deliveries of events that you deselect are dropped.",
  customizers: "Customizers",
  customizersHint: "Ids of the customizers whose designs the receiver wants, separated by commas. Empty for all.",
  deliveries: "Deliveries",
  standard: "Add the Standard Webhooks headers",
  /** After the names of three headers. */
  standardHint: ", for receivers that verify deliveries with a Standard Webhooks library",
  and: " and ",
  headers: "Headers of your own",
  headersHint: "One per line, as Name: value, at most 10. Values are kept encrypted and never shown again.",
  headersAgain: "Enter the headers again: their values are never shown",
  removeHeaders: "Remove the headers",
  keptHeaders: "Kept if the field is empty:",
  reference: "Send ids instead of objects",
  referenceHint: "For receivers that read designs and orders back over the REST API",
  ordered: "In order",
  orderedHint: "One delivery at a time for each order; one that fails holds back the others of its order until it ends",
  retryAfter: "Let the receiver put off retries",
  /** Before and after the name of a header. */
  retryAfterBefore: "By ",
  retryAfterHint: " in answers with status 429 or 503, at most 24 hours",
}
