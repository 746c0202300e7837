import type { Texts } from "../../Language.ts"

export const endpointFields: Texts["endpointFields"] = {
  url: "Webadresse (URL)",
  urlHint: "Eine öffentliche https-URL. Sie wird jetzt und vor jeder Zustellung geprüft.",
  description: "Beschreibung",
  descriptionHint: "Freiwillig, für Ihre eigenen Zwecke",
  events: "Ereignisse",
  eventsHint: "Ausstehende Zustellungen von Ereignissen, die Sie abwählen, werden verworfen.",
  shape: "Auswahl, Form und Tempo der Zustellungen",
  deliveries: "Zustellungen",
  access: "Zugang zum Empfänger",
  keptHeaders: "Bleiben, wenn das Feld leer ist:",
  oauthFields: {
    tokenUrl: "Token-URL",
    clientId: "Client-ID",
    clientSecret: "Client-Secret",
    scope: "Scope (freiwillig)",
    audience: "Audience (freiwillig)",
  },
  clientSecretHint:
    "Wird verschlüsselt und nie wieder angezeigt. Bleibt, wenn das Feld leer ist und Sie kein anderes davon ändern.",
}
