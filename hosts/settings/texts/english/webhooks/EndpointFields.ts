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
