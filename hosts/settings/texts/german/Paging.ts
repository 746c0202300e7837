import type { Texts } from "../Language.ts"

export const paging: Texts["paging"] = {
  search: "Suchen",
  stores: "Anfang der Id oder der Domain",
  tokens: "Name oder die letzten vier Zeichen",
  noneFound: "Nichts gefunden",
  tryAnother: (search) => `Nichts passt zu „${search}“.`,
  showAll: "Alle zeigen",
  pages: "Seiten",
  first: "Erste Seite",
  next: "Nächste Seite",
}
