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
        tests: [
          "hosts/server/Access.test.ts > MUST store a token's SHA-256, and its text nowhere (D18)",
          "hosts/server/Access.test.ts > MUST show a token's hint, its creation and its last use, and never its text",
          "core/rules/TokenFormat.test.ts > MUST be cmz_, the 32 bytes in base62, and the CRC-32 of all that in base62",
          "hosts/settings/Settings.test.ts > MUST show a new token once, and refuse it after it is deleted (§5)",
          "hosts/settings/ShownOnce.test.ts > MUST be shown once to a client that keeps its cookie",
          "hosts/settings/ShownOnce.test.ts > MUST NOT be shown on a page of another shop",
        ],
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
        tests: ["hosts/settings/Settings.test.ts > MUST show a new token once, and refuse it after it is deleted (§5)"],
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
        tests: [
          "hosts/manage/SigningSecrets.test.ts > MUST show the secret once: in no other answer, and nowhere",
          "core/rules/Signature.test.ts > MUST be whsec_ and base64 of 32 bytes (§5, D20)",
          "hosts/settings/ShownOnce.test.ts > MUST be shown once to a client that keeps its cookie",
        ],
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
        tests: [
          "hosts/receiver/index.test.ts > MUST be over the raw bytes: the same JSON written again is another body (§5)",
          "hosts/receiver/index.test.ts > MUST be checked before the body is parsed (§5)",
          "hosts/receiver/index.test.ts > MUST have a signature that is right in every digit (§5)",
        ],
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
