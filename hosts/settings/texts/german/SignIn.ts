import type { Texts } from "../Language.ts"

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  lead: "Verwalten Sie die API-Tokens und Webhooks Ihrer Shops.",
  key: "Verwaltungsschlüssel",
  keyHint: (variable, file) => ["Der Wert von ", variable, " oder der Inhalt der Datei ", file, " im Datenverzeichnis"],
  usedLink: (minutes) =>
    `Dieser Link wurde schon verwendet oder ist älter als ${minutes} Minuten. Geben Sie stattdessen den Schlüssel ein.`,
  kept: [
    "Ihre Sitzung ist abgelaufen. Es wurde nichts geändert, und Ihre Eingaben sind aufbewahrt: Melden Sie sich an, dann",
    "stehen sie wieder im Formular.",
  ].join(" "),
  signedIn: "Sie sind angemeldet",
  backLead: "Ihre Eingaben sind aufbewahrt, ohne Geheimnisse.",
  back: "Zurück zum Formular",
  wrongKey: "Das ist nicht der Verwaltungsschlüssel.",
  tooMany: [
    "Von Ihrer Adresse kamen zu viele falsche Schlüssel. Warten Sie eine Minute, und versuchen Sie",
    "es dann noch einmal.",
  ].join(" "),
}
