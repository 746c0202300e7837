import type { Texts } from "../../Language.ts"

export const endpointFields: Texts["endpointFields"] = {
  url: "Webadresse (URL)",
  urlHint: "Eine öffentliche https-URL. Sie wird jetzt und vor jeder Zustellung geprüft.",
  description: "Beschreibung",
  descriptionHint: "Freiwillig, für Ihre eigenen Zwecke",
  events: "Ereignisse",
  eventsHint: "Ausstehende Zustellungen von Ereignissen, die Sie abwählen, werden verworfen.",
  deliveries: "Zustellungen",
  standard: "Header von Standard Webhooks hinzufügen",
  standardHint: ", für Empfänger, die Zustellungen mit einer Bibliothek für Standard Webhooks prüfen",
  and: " und ",
  reference: "Kennungen statt ganzer Objekte senden",
  referenceHint: "Für Empfänger, die Designs und Bestellungen über die REST-API nachlesen",
  retryAfter: "Wiederholungen darf der Empfänger aufschieben",
  retryAfterBefore: "Mit ",
  retryAfterHint: " in Antworten mit dem Status 429 oder 503, höchstens 24 Stunden",
}
