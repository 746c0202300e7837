import type { Texts } from "../Language.ts"

/** One text for all errors of a kind. */
const texts: Readonly<Record<string, string>> = {
  InvalidInput: "Die Angaben sind ungültig.",
  Forbidden: "Sie sind in keiner Anwendung angemeldet, die Ihnen Zugang zu diesem Shop gibt.",
  ReadOnly: "Es wurde nichts geändert. Ihr Link erlaubt, alles anzusehen, aber nichts zu ändern.",
  NotFound: "Das gibt es in diesem Shop nicht. Vielleicht wurde es gelöscht.",
  Conflict: "Im jetzigen Zustand ist das nicht möglich.",
  PlanRequired: "Der Tarif des Shops enthält das nicht.",
  Refused: "Das ist nicht erlaubt.",
  Unavailable:
    "Der Dienst ist gerade nicht verfügbar. Sehen Sie nach, was gespeichert ist, bevor Sie es erneut versuchen.",
}

export const failures: Texts["failures"] = {
  titles: {
    invalid: "Ungültige Angaben",
    wrongForm: "Dieses Formular ist veraltet",
    foreignForm: "Dieses Formular kam von einer anderen Website",
    readOnly: "Hier dürfen Sie nichts ändern",
    forbidden: "Sie dürfen diese Seite nicht sehen",
    notFound: "Hier gibt es nichts",
    conflict: "Das geht jetzt nicht",
    refused: "Das ist nicht erlaubt",
    unavailable: "Zurzeit nicht verfügbar",
  },
  own: ({ _tag, message }) => texts[_tag] ?? message,
  forms: {
    wrong:
      "Es wurde nichts geändert. Das Formular gehört zu einer anderen Person oder einem anderen Shop. " +
      "Öffnen Sie die Seite neu.",
    old:
      "Es wurde nichts geändert. Die Seite wurde vor mehr als zwölf Stunden geöffnet. " +
      "Öffnen Sie sie neu und wiederholen Sie die Änderung.",
  },
  again: {
    wrong: [
      "Es wurde nichts geändert. Das Formular war für eine andere Person oder einen anderen Shop bestimmt. Prüfen Sie",
      "Ihre Eingaben, und senden Sie sie dann.",
    ].join(" "),
    old: [
      "Es wurde nichts geändert. Die Seite wurde vor mehr als zwölf Stunden geöffnet. Prüfen Sie Ihre Eingaben, und",
      "senden Sie sie dann noch einmal.",
    ].join(" "),
    ended: [
      "Es wurde noch nichts geändert: Ihre Sitzung war abgelaufen. Ihre Eingaben sind wieder da. Prüfen Sie sie, und",
      "senden Sie sie dann.",
    ].join(" "),
  },
  againSecrets: "Geheimnisse wurden nicht aufbewahrt: Geben Sie sie noch einmal ein.",
  foreignFormText: (origin) => `Es wurde nichts geändert. Das Formular kam von einer anderen Website: ${origin}`,
  noPage: "Unter dieser Adresse gibt es keine Seite.",
  wrongMethod: "Das geht hier nicht",
  wrongMethodText: "Diese Seite lässt sich so nicht aufrufen.",
  tooLarge: "Das ist zu groß",
  tooLargeText: "Dieses Formular enthält mehr, als auf einmal gesendet werden kann.",
  unreadable: "Das Formular war nicht lesbar.",
  broken: "Etwas ist schiefgegangen",
  brokenText: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
  home: "Zur ersten Seite",
}
