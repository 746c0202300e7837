import type { Texts } from "../Language.ts"

export const inbox: Texts["inbox"] = {
  title: "Bestelleingang",
  lead:
    "Was Ihre Shop-Plattform zu Bestellungen gesendet hat, das Neueste zuerst, und was daraus wurde. 30 Tage lang " +
    "aufbewahrt.",
  states: {
    waiting: "Wartet",
    failed: "Fehlgeschlagen",
    applied: "Übernommen",
    ignored: "Übergangen",
    unpaid: "Unbezahlt",
  },
  columns: { state: "Status", event: "Ereignis", order: "Bestellung", received: "Empfangen", reason: "Grund" },
  sources: { shopify: "Shopify", woocommerce: "WooCommerce" },
  noOrder: "Keine",
  waitsFor: (design) => `Das Design ${design} fehlt. Das Ereignis wird übernommen, sobald es gespeichert ist.`,
  tryAgain: "Erneut versuchen",
  tryNamed: (topic, order) => `Erneut versuchen: ${topic} ${order}`,
  tried: {
    waiting: "Das Ereignis wurde erneut versucht und wartet weiter auf sein Design.",
    failed: "Das Ereignis wurde erneut versucht und ist wieder fehlgeschlagen. Der Grund steht in der Liste.",
    applied: "Das Ereignis wurde übernommen.",
    ignored: "Das Ereignis wurde übergangen: Es war nichts zu tun. Der Grund steht in der Liste.",
    unpaid: "Die Bestellung wartet weiter auf die Zahlung. Der Grund steht in der Liste.",
  },
  placeNow: "Jetzt annehmen",
  placeNamed: (topic, order) => `Jetzt annehmen: ${topic} ${order}`,
  dismiss: "Verwerfen",
  dismissed: "Das Ereignis wurde verworfen. Ein späteres zur selben Bestellung wird wie üblich übernommen.",
  find: "Nummer oder ID der Bestellung",
  eventTitle: (topic) => `Ereignis ${topic}`,
  attention: (count, isOne) => `${count} ${isOne ? "braucht" : "brauchen"} Aufmerksamkeit`,
  about: "Über dieses Ereignis",
  design: "Fehlendes Design",
  id: "Ereignis-ID",
  copyId: "Die Ereignis-ID",
  history: "Änderungen von Hand",
  todo: "Was zu tun ist",
  todos: {
    missing:
      "Speichern Sie das Design: Dann wird das Ereignis von selbst übernommen. Ist das Design verloren, verwerfen " +
      "Sie das Ereignis, und klären Sie die Bestellung auf der Plattform.",
    waiting: "Nichts: Das Ereignis wird in wenigen Sekunden von selbst übernommen.",
    failed:
      "Beheben Sie, was der Grund nennt, und versuchen Sie es erneut. „Jetzt annehmen“ nimmt an, was sich von der " +
      "Bestellung fertigen lässt. Verwerfen Sie das Ereignis, wenn nichts zu fertigen ist.",
    unpaid:
      "Nichts: Die Bestellung wird angenommen, sobald die Plattform ihre Zahlung meldet. „Jetzt annehmen“ wartet " +
      "nicht darauf.",
    placeable: "Nichts. Soll die Bestellung trotzdem gefertigt werden, wählen Sie „Jetzt annehmen“.",
    done: "Nichts.",
  },
  none: "Kein Ereignis passt zu diesem Filter.",
  noneEver:
    "Von einer Shop-Plattform kam noch nichts. Ereignisse erscheinen hier, sobald die Plattform, Shopify oder " +
    "WooCommerce, ihre Webhooks zu Bestellungen an diesen Dienst sendet.",
}
