import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure } = figuresOf("de")

export const overview: Texts["overview"] = {
  title: "Übersicht",
  orders: "Neueste Bestellungen",
  ordersTotal: "Bestellungen insgesamt",
  noOrders: "Noch keine Bestellungen mit individuellen Artikeln.",
  more: (designs) => `und ${figure(designs)} weitere`,
  webhooks: "Webhooks",
  allWorking: "Alle in Ordnung",
}
