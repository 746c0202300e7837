import { figuresOf } from "../../../parts/Figures.ts"
import type { Texts } from "../../Language.ts"

const { figure, plural } = figuresOf("de")

const pendingOf = (pending: number) =>
  pending === 0
    ? "ausstehend ist nichts"
    : `mit ihnen ${figure(pending)} ${plural(pending, { one: "ausstehende Zustellung", other: "ausstehende Zustellungen" })}`

export const endpointActions: Texts["endpointActions"] = {
  meanwhile: {
    title: "Jemand anderes hat diesen Endpoint inzwischen geändert",
    lead: [
      "Es wurde nichts gespeichert. Sie haben beide geändert, was unten steht: Wählen Sie, was bleiben soll. Alles",
      "Übrige, was die andere Person geändert hat, bleibt.",
    ].join(" "),
    by: "Wer es inzwischen geändert hat:",
    theirs: "Der andere Wert, wie er jetzt ist:",
    mine: "Ihr Wert, wie er im Formular steht:",
  },
  updateTitle: (host) => `${host} ändern`,
  updateHeading: "Den Endpoint ändern",
  updateLead: "Ausstehende Zustellungen gehen an die neue URL. Der Signaturschlüssel bleibt derselbe.",
  save: "Speichern",
  saved: "Gespeichert.",
  deleteTitle: (host) => `${host} löschen`,
  deleteSubmit: "Endpoint löschen",
  deleteQuestion: "Diesen Endpoint löschen?",
  deleteText: (pending) =>
    [
      "Ihm wird nichts mehr gesendet. Sein Signaturschlüssel und sein Protokoll werden gelöscht, und",
      `${pendingOf(pending)}. Das lässt sich nicht rückgängig machen.`,
    ].join(" "),
  deleted: (url) => `Der Endpoint ${url} ist gelöscht.`,
  wasOn: "Der Endpoint war schon eingeschaltet. Es hat sich nichts geändert.",
  isOn: "Der Endpoint ist wieder eingeschaltet. Seine ausstehenden Zustellungen werden gesendet.",
  isOnWithoutPlan: [
    "Der Endpoint ist wieder eingeschaltet. Seine ausstehenden Zustellungen werden gesendet, sobald",
    "der Tarif des Shops Webhooks enthält.",
  ].join(" "),
  paused: "Der Endpoint ist pausiert.",
  wasOff: "Der Endpoint war schon abgeschaltet. Es hat sich nichts geändert.",
  testSent: "Ein Testereignis wurde gesendet.",
}
