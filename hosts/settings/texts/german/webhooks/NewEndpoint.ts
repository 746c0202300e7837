import type { Texts } from "../../Language.ts"

export const newEndpoint: Texts["newEndpoint"] = {
  title: "Einen Endpoint anlegen",
  submit: "Endpoint anlegen",
  created: "Der Endpoint ist angelegt. Prüfen Sie seine Zustellungen mit diesem Signaturschlüssel.",
  secret: "Den Signaturschlüssel",
  verify: "Zustellungen prüfen",
  verifyTitle: (host) => `Zustellungen an ${host} prüfen`,
  verifyLead: [
    "Jede Zustellung ist mit dem Signaturschlüssel des Endpoints signiert, der nur beim Anlegen",
    "angezeigt wird. Prüfen Sie die Signatur anhand der unveränderten Nachricht, bevor Sie diese",
    "auswerten. Stimmt sie nicht, antworten Sie mit 401.",
  ].join(" "),
  toEndpoint: "Zum Endpoint",
  standard: "Mit einer Bibliothek für Standard Webhooks",
  standardBefore: "Dieser Endpoint erhält auch ",
  and: " und ",
  standardAfter: ". Bibliotheken für viele Sprachen nehmen den Signaturschlüssel so, wie er ist.",
  standardLabel: "Das Beispiel für Standard Webhooks",
  example: (language) => `Das Beispiel für ${language}`,
}
