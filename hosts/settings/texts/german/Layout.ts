import type { Texts } from "../Language.ts"

export const layout: Texts["layout"] = {
  skip: "Zum Inhalt springen",
  menu: "Einstellungen",
  overview: "Übersicht",
  orders: "Bestellungen",
  customizers: "Customizer",
  webhooks: "Webhooks",
  deliveries: "Zustellungen",
  events: "Ereigniskatalog",
  tokens: "API-Tokens",
  audit: "Änderungen",
  changeStore: "Shop wechseln",
  signOut: "Abmelden",
  session: "Ihre Sitzung",
  readOnly: "Sie können hier alles ansehen, aber nichts ändern: Ihr Link erlaubt nur das Lesen.",
}
