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
  headers: "Eigene Header-Zeilen",
  headersHint: "Je Zeile eine, als Name: Wert, höchstens 10. Werte werden verschlüsselt und nie wieder angezeigt.",
  headersAgain: "Geben Sie die Header-Zeilen erneut ein: ihre Werte werden nie angezeigt",
  removeHeaders: "Die Header-Zeilen entfernen",
  keptHeaders: "Bleiben, wenn das Feld leer ist:",
  reference: "Kennungen statt ganzer Objekte senden",
  referenceHint: "Für Empfänger, die Designs und Bestellungen über die REST-API nachlesen",
  retryAfter: "Wiederholungen darf der Empfänger aufschieben",
  retryAfterBefore: "Mit ",
  retryAfterHint: " in Antworten mit dem Status 429 oder 503, höchstens 24 Stunden",
}
