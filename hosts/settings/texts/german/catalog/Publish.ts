import type { Texts } from "../../Language.ts"

export const publish: Texts["publish"] = {
  title: (title) => `Definition für ${title}`,
  crumb: "Definition",
  lead: "Fügen Sie eine Definition ein, um alle Probleme zu sehen, an denen ihre Veröffentlichung scheitern würde.",
  readOnly: "Sie können Definitionen hier prüfen. Veröffentlichen darf, wem der Betreiber es erlaubt.",
  definition: "Definition",
  hint: "JSON mit höchstens 512 KiB.",
  check: "Prüfen",
  publish: "Veröffentlichen",
  problems: (count, isOne) => `${count} ${isOne ? "Problem" : "Probleme"}: So lässt sie sich nicht veröffentlichen`,
  more: (count) => `und ${count} weitere. Beheben Sie zuerst diese.`,
  at: (line, column) => `Zeile ${line}, Spalte ${column}`,
  whole: "Die ganze Definition",
  sound: "Keine Probleme: Sie lässt sich veröffentlichen.",
  soundDetails: (steps, questions, rules) => `Schritte: ${steps}, Fragen: ${questions}, Regeln: ${rules}.`,
  notShown:
    "Die Definition ist zu lang, um hier wieder angezeigt zu werden. Fügen Sie sie nach der Korrektur noch einmal ein.",
  published: (version) => `Version ${version} ist veröffentlicht. Neue Designs werden damit ausgewertet.`,
  forbidden:
    "Sie können Definitionen prüfen, aber nicht veröffentlichen. Wenden Sie sich an den Betreiber dieses Dienstes.",
}
