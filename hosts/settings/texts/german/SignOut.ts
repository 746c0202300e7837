import type { Texts } from "../Language.ts"

export const signOut: Texts["signOut"] = {
  title: "Ihre Sitzung",
  signedInAs: (actor) => `Angemeldet als ${actor}`,
  here: "Hier abmelden",
  hereHint: "Beendet die Sitzung dieses Browsers. Eine Kopie seines Cookies ist von da an wertlos.",
  everywhere: "Überall abmelden",
  everywhereHint: [
    "Beendet in allen Browsern die Sitzungen, die auf dieselbe Weise begonnen haben. Links, die noch",
    "niemand verwendet hat, bleiben gültig.",
  ].join(" "),
  done: "Sie sind abgemeldet",
  newLink: [
    "Um zurückzukommen, fordern Sie dort einen neuen Link an, wo Sie den letzten erhalten haben. Jeder Link",
    "öffnet diese Seiten einmal.",
  ].join(" "),
}
