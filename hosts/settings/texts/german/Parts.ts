import type { Texts } from "../Language.ts"

export const parts: Texts["parts"] = {
  copy: "Kopieren",
  copied: "Kopiert",
  copyLabel: (what) => `${what} kopieren`,
  cancel: "Abbrechen",
  keep: "Behalten",
  shownOnce: "Dies wird nur einmal angezeigt. Speichern Sie es jetzt bei Ihren anderen Zugangsdaten.",
  stored: "Ich habe es gespeichert",
  webhooks: "Webhooks",
  events: "Ereignisse",
  test: "Test",
  wholeUrl: "Ganze URL",
}
