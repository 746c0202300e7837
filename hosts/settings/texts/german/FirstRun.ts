import type { Texts } from "../Language.ts"

export const firstRun: Texts["firstRun"] = {
  title: "Diesen Shop einrichten",
  progress: (done, steps) => `${done} von ${steps} erledigt`,
  isDone: "Erledigt",
  isOpen: "Offen",
  token: "Ein API-Token anlegen",
  tokenText: "Ihre Systeme lesen damit Bestellungen und Designs.",
  tokenLink: "Zu den API-Tokens",
  curl: "Damit die Bestellungen lesen",
  curlText: "Setzen Sie das ganze Token ein, das nur beim Anlegen angezeigt wird:",
  curlLabel: "Den Befehl",
  endpoint: "Einen Webhook-Endpoint anlegen",
  endpointText: "Eines Ihrer Systeme erfährt sofort von jeder Bestellung.",
  endpointLink: "Endpoint anlegen",
  verify: "Seine Zustellungen prüfen",
  verifyText: "Prüfen Sie die Signatur, bevor Sie einer Zustellung trauen. Ein Beispiel in der Sprache Ihrer Wahl:",
  languages: "Programmiersprache",
  example: (language) => `Das Beispiel für ${language}`,
  test: "Ein Testereignis senden",
  testText: "Sehen Sie, wie Ihr System antwortet. Diese Liste verschwindet mit der ersten Zustellung.",
  testButton: "Testereignis senden",
}
