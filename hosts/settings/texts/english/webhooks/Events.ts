import { eventMeanings } from "../../../../../core/model/events/Event.ts"
import type { EndpointKind } from "../../../../../core/model/Resources.ts"
import type { Inline } from "../../Inline.ts"

/** The texts of the catalogue of events. */
export const events = {
  title: "Event catalogue",
  lead: [
    "The events that your endpoints receive. Designs and orders have the same form as in the REST",
    "API, and amounts are in minor units. An event that is sent again keeps its id: ignore ids that",
    "you have already processed.",
  ].join(" "),
  meanings: eventMeanings as Readonly<Record<EndpointKind | "ping", string>>,
  isDefault: "On by default",
  example: (kind: string) => `Example of ${kind}`,
  exampleLabel: (kind: string) => `the example of ${kind}`,
  fields: (kind: string) => `Fields of ${kind}`,
  sameFields: (kind: Inline): Inline => ["Those of ", kind, ", with another name of the event."],
  field: "Field",
  type: "Type",
  meaning: "Meaning",
  or: " or ",
  listOf: (type: string) => `list of ${type}`,
  unknownKind: "This kind of event does not exist.",
}
