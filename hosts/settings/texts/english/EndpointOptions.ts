/** The texts of an option of an endpoint. Names in backticks are shown as code. */
export interface OptionTexts {
  /** The label of its field. */
  readonly label: string
  readonly hint: string
  /** The hint if its values are boxes to tick. */
  readonly tickHint?: string
  /** Its name in the list of changes. */
  readonly changed: string
  /** Its name on the page of the endpoint; options of one name are shown together. */
  readonly term: string
  /** The text of that page if the option is not as usual: as it is, or with its value. */
  readonly fact?: string | ((value: number) => string)
  /** Its text if the option is as usual. Without it, nothing. */
  readonly usualFact?: string
  /** Of one with a secret: the label of the box that removes it. */
  readonly remove?: string
  /** Of one with a secret: that it has to be entered again. */
  readonly again?: string
}

/** The options of an endpoint. */
export const endpointOptions = {
  customizers: {
    label: "Customizers",
    hint: "Ids of the customizers whose designs the receiver wants, separated by commas. Empty for all.",
    tickHint: "The customizers whose designs the receiver wants. None ticked: all of them.",
    changed: "Limited to customizers",
    term: "Customizers",
  },
  standardWebhooks: {
    label: "Add the Standard Webhooks headers",
    hint:
      "`webhook-id`, `webhook-timestamp` and `webhook-signature`, for receivers that verify deliveries with a " +
      "Standard Webhooks library",
    changed: "Standard Webhooks headers",
    term: "Headers",
    fact: "X-Service and Standard Webhooks",
    usualFact: "X-Service",
  },
  headers: {
    label: "Headers of your own",
    hint: "One per line, as Name: value, at most 10. Values are kept encrypted and never shown again.",
    changed: "Headers",
    term: "Headers of your own",
    remove: "Remove the headers",
    again: "Enter the headers again: their values are never shown",
  },
  oauth: {
    label: "OAuth 2.0 client credentials",
    hint:
      "For receivers that want an access token. Deliveries have it in the header Authorization. Leave all fields " +
      "empty if yours does not.",
    changed: "OAuth client",
    term: "Access tokens from",
    again: "Enter the client secret again: it is never shown",
  },
  clientCertificate: {
    label: "Client certificate",
    hint:
      "For receivers that want one over TLS: PEM of the certificate, its issuers if needed, and the key. It is kept " +
      "encrypted, and the key is never shown again.",
    changed: "Client certificate",
    term: "Client certificate",
    remove: "Remove the certificate",
    again: "Enter the certificate and its key again: the key is never shown",
  },
  payload: {
    label: "Send ids instead of objects",
    hint: "For receivers that read designs and orders back over the REST API",
    changed: "Payload",
    term: "Payload",
    fact: "Ids instead of objects",
  },
  heedRetryAfter: {
    label: "Let the receiver put off retries",
    hint: "By `Retry-After` in answers with status 429 or 503, at most 24 hours",
    changed: "Heeds Retry-After",
    term: "Retries",
    fact: "No earlier than the receiver asks",
  },
  ordering: {
    label: "In order",
    hint: "One delivery at a time for each order; one that fails holds back the others of its order until it ends",
    changed: "Ordering",
    term: "Order",
    fact: "One at a time for each order",
  },
  maxPerSecond: {
    label: "At most per second",
    hint: "For receivers that limit requests: 1 to 1000. The others wait. Empty for no limit.",
    changed: "Deliveries per second",
    term: "Pace",
    fact: (deliveries: number) => `at most ${deliveries} per second`,
  },
  maxConcurrent: {
    label: "At most at the same time",
    hint: "Deliveries under way: 1 to 8. The others wait. Empty for the usual number.",
    changed: "Deliveries at the same time",
    term: "Pace",
    fact: (deliveries: number) => `at most ${deliveries} at the same time`,
  },
} satisfies Readonly<Record<string, OptionTexts>>
