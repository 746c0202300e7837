import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

export const find: Texts["find"] = {
  label: "Eine Bestellung mit Id oder Namen finden, ein Design, ein Ereignis oder eine Zustellung mit der Id",
  placeholder: "Id oder Bestellung suchen",
  button: "Finden",
  title: "Suche",
  titleOf: (query) => `Suche nach ${query}`,
  results: (query) => `Ergebnisse für ${query}`,
  as: { order: "Bestellung", design: "Design", event: "Ereignis", delivery: "Zustellung" },
  open: "Anzeigen",
  moreOrders: "Mehrere Bestellungen haben diesen Namen. Hier stehen nur die neuesten.",
  allOrders: (name) => `Alle Bestellungen mit dem Namen ${name}`,
  noEvents: "Ereignisse und Zustellungen dazu werden nicht mehr aufbewahrt.",
  events: (count, most) =>
    count >= most
      ? `Die neuesten ${figure(most)} Ereignisse dazu`
      : `${figure(count)} ${plural(count, { one: "Ereignis", other: "Ereignisse" })} dazu`,
  noDeliveries: [
    "Kein Endpoint hat eine Zustellung davon: Keiner erhält das Ereignis, oder die Zustellungen werden",
    "nicht mehr aufbewahrt.",
  ].join(" "),
  nothing: "Nichts gefunden",
  hint: [
    "Suchen Sie mit der ganzen Id oder dem Namen einer Bestellung, oder mit der Id eines Designs, Ereignisses",
    "(evt_…) oder einer Zustellung (dlv_…), oder fügen Sie einen Satz oder Link damit ein. Ereignisse und Zustellungen",
    "werden 30 Tage aufbewahrt.",
  ].join(" "),
}
