import type { Section } from "./Requirement.ts"

/** §5: tokens of the REST API and signatures of webhooks. */
export const authentication: ReadonlyArray<Section> = [
  {
    id: "§5",
    title: "Authentication",
    from: "specification",
    rows: [
      {
        id: "§5-1",
        title: "Making a token",
        text:
          "A token is created in the settings. It MUST begin with `cmz_`, MUST be shown once, and cannot be shown " +
          "again (D18).",
      },
      {
        id: "§5-2",
        title: "Sending a token",
        text: "A client sends its token with every request in the header `Authorization: Bearer <token>`.",
      },
      {
        id: "§5-3",
        title: "One store each",
        text:
          "A token belongs to one store and MUST see that store's data only. An object of another store MUST be " +
          "answered with 404.",
      },
      {
        id: "§5-4",
        title: "Revoking a token",
        text: "Deleting a token in the settings MUST revoke it (D18).",
      },
      {
        id: "§5-5",
        title: "Missing or unknown token",
        text: "A request without a token, or with one that is unknown, MUST be answered with 401.",
      },
      {
        id: "§5-6",
        title: "Signing secret",
        text:
          "Every webhook endpoint MUST have a signing secret of its own. It begins with `whsec_` and is shown " +
          "once, when the endpoint is created (D20).",
      },
      {
        id: "§5-7",
        title: "Computing the signature",
        text:
          "`X-Service-Signature` MUST be the HMAC-SHA256 of `{timestamp}.{raw body}` under the endpoint's signing " +
          "secret, in lower-case hexadecimal digits. `{timestamp}` is the value of `X-Service-Timestamp`, and the " +
          "raw body is the exact bytes of the request's body (D20).",
      },
      {
        id: "§5-8",
        title: "Verifying a delivery",
        text:
          "A receiver checks the signature over the raw body, before it parses the JSON, and compares in constant " +
          "time.",
        unobservable:
          "That the comparison takes constant time: how long a comparison takes says nothing reliable in a test.",
      },
      {
        id: "§5-9",
        title: "Age of a delivery",
        text:
          "A receiver rejects a delivery whose timestamp is more than 300 seconds away from its own clock, in " +
          "either direction.",
      },
      {
        id: "§5-10",
        title: "Rejecting a delivery",
        text: "A receiver that rejects a delivery answers 401.",
        unobservable: "A receiver chooses its own response. The service sees only that it is not a 2xx (§6-19).",
      },
    ],
  },
]
