import type { Section } from "./Requirement.ts"

/** §9: the versions of the API, of envelopes and of customizers. */
export const versions: ReadonlyArray<Section> = [
  {
    id: "§9",
    title: "Versioning",
    from: "specification",
    rows: [
      {
        id: "§9-1",
        title: "API version",
        text: "The REST API has the path version `v1` (part of the base address) and the API version `2026-10` (D19).",
      },
      {
        id: "§9-2",
        title: "Version in envelopes",
        text: 'Every webhook envelope MUST carry `apiVersion: "2026-10"`.',
      },
      {
        id: "§9-3",
        title: "Version of the definition format",
        text: "Every definition carries the integer `schemaVersion`. It is 1 for the format of F-1 to F-14.",
      },
      {
        id: "§9-4",
        title: "Version of a customizer",
        text: "A customizer's integer `version` MUST count its published versions (D5).",
      },
    ],
  },
]
