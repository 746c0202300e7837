import type { Texts } from "../../Language.ts"

export const rotateSecret: Texts["rotateSecret"] = {
  title: "Den Signaturschlüssel wechseln",
  pageTitle: (host) => `Den Signaturschlüssel von ${host} wechseln`,
  lead: [
    "Ein neuer Signaturschlüssel wird erzeugt und einmal angezeigt. Eine Zeit lang werden",
    "Zustellungen noch mit dem alten signiert, damit Sie den neuen bei Ihrem Empfänger hinterlegen",
    "können.",
  ].join(" "),
  replaces: [
    "Es gibt bereits einen neuen Schlüssel, der noch nicht signiert. Er wird ersetzt, und Ihr",
    "Empfänger wird ihn nie brauchen.",
  ].join(" "),
  overlap: "Wie lange der alte Schlüssel noch signiert",
  overlapHint: [
    "Sie können diese Zeit auf der Seite des Endpoints vorzeitig beenden, sobald Ihr Empfänger den",
    "neuen Schlüssel hat.",
  ].join(" "),
  hour: "1 Stunde",
  day: "1 Tag",
  week: "7 Tage",
  none: "Gar nicht, weil er bekannt geworden ist",
  submit: "Neuen Schlüssel erzeugen",
  replaced: "Der Signaturschlüssel ist ersetzt. Ab jetzt werden Zustellungen mit diesem signiert.",
  rotated: [
    "Das ist der neue Signaturschlüssel. Hinterlegen Sie ihn bei Ihrem Empfänger, und behalten Sie",
    "den alten, der noch signiert.",
  ].join(" "),
  promoted: [
    "Zustellungen werden jetzt mit dem neuen Schlüssel signiert. In einer Minute können Sie den",
    "alten bei Ihrem Empfänger entfernen.",
  ].join(" "),
}
