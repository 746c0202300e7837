import type { Texts } from "../../Language.ts"

export const deliveryTable: Texts["deliveryTable"] = {
  columns: ["Zustand", "Ereignis", "Zeit", "Antwort", "Dauer", "Versuch"],
  noResponse: "Noch keine",
}
