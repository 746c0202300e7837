import type { Texts } from "../Language.ts"

export const link: Texts["link"] = {
  title: "Die Einstellungen öffnen",
  lead: (store) => `Dieser Link öffnet die Einstellungen von ${store}, ein einziges Mal.`,
  as: (actor) => `Er wurde für ${actor} erstellt.`,
  readOnly: "Sie können alles ansehen, aber nichts ändern.",
  open: "Einstellungen öffnen",
  toSettings: "Zu den Einstellungen",
  problem: "Dieser Link lässt sich nicht verwenden",
  invalid: "Er ist nicht vollständig oder nicht für diesen Shop.",
  expired: "Er ist abgelaufen.",
  used: "Er wurde schon verwendet, und jeder Link öffnet die Einstellungen nur einmal.",
  newLink: "Fordern Sie dort einen neuen an, wo Sie diesen erhalten haben.",
}
