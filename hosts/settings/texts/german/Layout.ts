import type { Texts } from "../Language.ts"

export const layout: Texts["layout"] = {
  skip: "Zum Inhalt springen",
  menu: "Einstellungen",
  overview: "Übersicht",
  webhooks: "Webhooks",
  events: "Ereigniskatalog",
  tokens: "API-Tokens",
  changeStore: "Shop wechseln",
  signOut: "Abmelden",
}
