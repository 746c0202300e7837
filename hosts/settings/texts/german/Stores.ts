import type { Texts } from "../Language.ts"

export const stores: Texts["stores"] = {
  title: "Einen Shop wählen",
  lead: "Jeder Shop hat eigene Tokens und Webhooks.",
  none: "Noch keine Shops",
  noneLead: (request) => ["Legen Sie Shops mit der Verwaltungs-API an: ", request, "."],
  facts: (id, plan, currency) => `${id} · Tarif ${plan} · ${currency}`,
}
