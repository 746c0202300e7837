/** The texts of an endpoint's form. */
export const endpointFields = {
  url: "URL",
  urlHint: "A public https URL. It is checked now and before every delivery.",
  description: "Description",
  descriptionHint: "Optional, for your own reference",
  events: "Events",
  eventsHint: "Pending deliveries of events that you deselect are dropped.",
  headers: "Headers",
  standard: "Add the Standard Webhooks headers",
  /** After the names of three headers. */
  standardHint: ", for receivers that verify deliveries with a Standard Webhooks library",
  and: " and ",
}
