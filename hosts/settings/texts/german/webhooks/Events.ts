import type { Texts } from "../../Language.ts"

export const events: Texts["events"] = {
  title: "Ereigniskatalog",
  lead: [
    "Die Ereignisse, die Ihre Endpoints erhalten. Designs und Bestellungen haben dieselbe Form wie",
    "in der REST-API, und Beträge stehen in der kleinsten Währungseinheit. Ein Ereignis, das erneut",
    "gesendet wird, behält seine Id: Ignorieren Sie Ids, die Sie schon verarbeitet haben.",
  ].join(" "),
  meanings: {
    "design.ordered": "Eine Bestellung mit diesem Design geht ein. Einmal je Design gesendet.",
    "order.cancelled": "Eine Bestellung mit individuellen Artikeln wird storniert, und mit ihr deren Designs.",
    "design.created": "Eine Käuferin oder ein Käufer speichert im Shop ein Design. Normalerweise aus, sehr häufig.",
    ping: "Sie senden ein Testereignis, solange der Shop kein bestelltes Design hat.",
  },
  isDefault: "Normalerweise an",
  example: (kind) => `Beispiel für ${kind}`,
  exampleLabel: (kind) => `Das Beispiel für ${kind}`,
  fields: (kind) => `Felder von ${kind}`,
  sameFields: (kind) => ["Die von ", kind, ", mit einem anderen Namen des Ereignisses."],
  field: "Feld",
  type: "Typ",
  meaning: "Bedeutung",
  or: " oder ",
  listOf: (type) => `Liste von ${type}`,
  unknownKind: "Diese Art von Ereignis gibt es nicht.",
}
