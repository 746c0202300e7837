import type { Section } from "./Requirement.ts"

/** §7: how the REST API refuses a request. */
export const errors: ReadonlyArray<Section> = [
  {
    id: "§7",
    title: "Errors",
    from: "specification",
    rows: [
      {
        id: "§7-1",
        title: "Error body",
        text: "An error of the REST API MUST have the JSON body `{message}` with a string (D11).",
      },
      {
        id: "§7-2",
        title: "401 Unauthorized",
        text: "A token that is missing or unknown MUST be answered with 401.",
      },
      {
        id: "§7-3",
        title: "404 Not Found",
        text: "An object that is not in the store of the token MUST be answered with 404.",
      },
      {
        id: "§7-4",
        title: "429 Too Many Requests",
        text: "A request beyond 120 in a minute with one token MUST be answered with 429 (D16).",
      },
    ],
  },
]
