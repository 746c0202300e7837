/** The catalogue of events, from their schemas: what webhooks and the event feed carry. */
import { EventKind } from "../../../core/model/events/Event.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { documentOf, exampleOf, fieldsOf, kindWithFieldsOf } from "../../settings/EventCatalogue.ts"
import { english } from "../../settings/texts/English.ts"
import { headingWithId } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"
import { tableOf } from "./tableOf.ts"

const path = "events"

/** The shop of the examples. */
const shop: Shop = {
  id: "acme",
  domain: "acme.example.com",
  currency: "EUR",
  plan: "pro",
  roundingStep: 1,
  imageBase: "https://images.acme.example.com",
}

const schemaAddress = (kind: EventKind): string => `/events/${kind}.schema.json`

const fieldsText = (kind: EventKind): string => {
  const before = kindWithFieldsOf(kind, english.events)
  if (before !== undefined) return `It has the fields of [\`${before}\`](${addressOf(path)}#${before}).`
  const rows = fieldsOf(kind, english.events).map(({ description, path: field, type }) => [
    `\`${field}\``,
    type,
    description,
  ])
  return tableOf(["field", "type", "about"], rows)
}

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), undefined, 2)

const eventText = (kind: EventKind): string =>
  [
    headingWithId(kind, `## ${kind}`),
    english.events.meanings[kind],
    `\`\`\`json\n${pretty(exampleOf(shop, kind))}\n\`\`\``,
    fieldsText(kind),
    `Its [JSON Schema](${schemaAddress(kind)}).`,
  ].join("\n\n")

/** The page of all events. */
export const eventPages = (): ReadonlyArray<Page> => [
  {
    path,
    title: "Event catalogue",
    description: "The events that webhooks and the event feed carry: their fields, an example and a schema of each.",
    body: [
      `[Receive webhooks](${addressOf("hosts/receiver")}) says how to verify what arrives.`,
      ...EventKind.literals.map(eventText),
    ].join("\n\n"),
    group: "HTTP APIs and events",
  },
]

/** The schema of each event, by its address. */
export const eventFiles = (): ReadonlyArray<readonly [string, string]> =>
  EventKind.literals.map((kind) => [schemaAddress(kind), `${documentOf(kind)}\n`])
