/** The texts of the pages to add an endpoint and to verify its deliveries. */
export const newEndpoint = {
  title: "Create an endpoint",
  submit: "Create endpoint",
  created: "The endpoint has been created. Verify its deliveries with this signing secret.",
  secret: "the signing secret",
  verify: "Verify deliveries",
  verifyTitle: (host: string) => `Verify deliveries to ${host}`,
  verifyLead: [
    "Every delivery is signed with the endpoint's signing secret, which is shown only when it is",
    "created. Check the signature against the raw body, before you parse it. If it does not match,",
    "respond with 401.",
  ].join(" "),
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
