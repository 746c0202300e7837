import type { Texts } from "../Language.ts"

export const inbox: Texts["inbox"] = {
  title: "Von der Shop-Plattform",
  lead: [
    "Was Ihre Shop-Plattform zu Bestellungen gesendet hat, das Neueste zuerst, und was daraus wurde.",
    "30 Tage lang aufbewahrt.",
  ].join(" "),
  lists: "Ereignisse nach Zustand",
  all: "Alle",
  states: {
    waiting: "Wartet",
    failed: "Fehlgeschlagen",
    applied: "Übernommen",
    ignored: "Übergangen",
    unpaid: "Unbezahlt",
  },
  columns: { state: "Zustand", event: "Ereignis", order: "Bestellung", received: "Empfangen", reason: "Warum" },
  sources: { shopify: "Shopify", woocommerce: "WooCommerce" },
  noOrder: "Keine",
  waitsFor: (design) => `Das Design ${design} fehlt. Das Ereignis wird übernommen, sobald es gespeichert ist.`,
  tryAgain: "Erneut versuchen",
  tryNamed: (topic, order) => `Erneut versuchen: ${topic} ${order}`,
  tried: {
    waiting: "Das Ereignis wurde erneut versucht und wartet weiter auf sein Design.",
    failed: "Das Ereignis wurde erneut versucht und ist wieder fehlgeschlagen. Die Liste sagt, warum.",
    applied: "Das Ereignis wurde übernommen.",
    ignored: "Das Ereignis wurde übergangen: Es war nichts zu tun. Die Liste sagt, warum.",
    unpaid: "Die Bestellung wartet weiter auf die Zahlung. Die Liste sagt, warum.",
  },
  placeNow: "Jetzt annehmen",
  placeNamed: (topic, order) => `Jetzt annehmen: ${topic} ${order}`,
  none: "Kein Ereignis ist in diesem Zustand.",
  noneEver: [
    "Von einer Shop-Plattform kam noch nichts. Ereignisse erscheinen hier, sobald die Plattform, Shopify oder",
    "WooCommerce, ihre Webhooks zu Bestellungen an diesen Dienst sendet.",
  ].join(" "),
  pages: "Seiten der Ereignisse",
  newest: "Neueste Ereignisse",
  older: "Ältere Ereignisse",
}
