import type { Texts } from "../Language.ts"

export const signOut: Texts["signOut"] = {
  title: "Ihre Sitzung",
  signedInAs: (actor) => `Angemeldet als ${actor}`,
  here: "Hier abmelden",
  hereHint: "Beendet die Sitzung dieses Browsers. Eine Kopie seines Cookies ist von da an wertlos.",
  everywhere: "Überall abmelden",
  everywhereHint: {
    byKey: [
      "Meldet in allen Browsern alle ab, die sich mit dem Verwaltungsschlüssel angemeldet haben. Sitzungen, die mit",
      "einem Link begonnen haben, bleiben.",
    ].join(" "),
    byLink: (actor) =>
      `Beendet in allen Browsern die Sitzungen von ${actor} in diesem Shop. Unbenutzte Links bleiben gültig.`,
  },
  ended: {
    byKey: {
      here: "Sie sind in diesem Browser abgemeldet. Andere, die sich mit dem Verwaltungsschlüssel angemeldet haben, bleiben es.",
      everywhere: "Alle, die sich mit dem Verwaltungsschlüssel angemeldet hatten, sind in allen Browsern abgemeldet.",
    },
    byLink: {
      here: (actor) => `Die Sitzung von ${actor} in diesem Shop ist in diesem Browser beendet, und nur hier.`,
      everywhere: (actor) => `Alle Sitzungen von ${actor} in diesem Shop sind in allen Browsern beendet.`,
    },
    stillByLink: "Sitzungen einzelner Shops, die in diesem Browser mit einem Link begonnen haben, bleiben.",
    stillByKey: "In diesem Browser sind Sie noch anders angemeldet, z. B. mit dem Verwaltungsschlüssel.",
  },
  done: "Sie sind abgemeldet",
  newLink: [
    "Um zurückzukommen, fordern Sie dort einen neuen Link an, wo Sie den letzten erhalten haben. Jeder Link",
    "öffnet diese Seiten einmal.",
  ].join(" "),
}
