import type { Texts } from "../Language.ts"

export const firstRun: Texts["firstRun"] = {
  title: "Diesen Shop einrichten",
  progress: (done, steps) => `${done} von ${steps} erledigt`,
  isDone: "Erledigt",
  isOpen: "Offen",
  token: "Ein API-Token anlegen",
  tokenText: "Ihre Systeme lesen damit Bestellungen und Designs.",
  tokenLink: "Zu den API-Tokens",
  curl: "Bestellungen mit dem Token lesen",
  curlText: "Setzen Sie das ganze Token ein, das nur beim Anlegen angezeigt wird:",
  endpoint: "Einen Webhook-Endpoint anlegen",
  endpointText: "Eines Ihrer Systeme erfährt sofort von jeder Bestellung.",
  endpointLink: "Endpoint anlegen",
  verify: "Zustellungen prüfen",
  verifyText: "Prüfen Sie die Signatur, bevor Sie einer Zustellung trauen. Ein Beispiel in der Sprache Ihrer Wahl:",
  languages: "Programmiersprache",
  test: "Ein Testereignis senden",
  testText:
    "Sehen Sie, wie Ihr System antwortet. Diese Liste verschwindet mit dem letzten Schritt oder der ersten Zustellung.",
  hide: "Liste ausblenden",
  hidden: "Die Liste ist ausgeblendet.",
}

export const link: Texts["link"] = {
  title: "Die Einstellungen öffnen",
  lead: (shop) => `Dieser Link öffnet die Einstellungen von ${shop} genau einmal.`,
  as: (actor) => `Er wurde für ${actor} erstellt.`,
  readOnly: "Sie können alles ansehen, aber nichts ändern.",
  open: "Einstellungen öffnen",
  toSettings: "Zu den Einstellungen",
  problem: "Dieser Link lässt sich nicht verwenden",
  invalid: "Er ist unvollständig oder gilt nicht für diesen Shop.",
  expired: "Er ist abgelaufen.",
  used: "Er wurde schon verwendet, und jeder Link öffnet die Einstellungen nur einmal.",
  newLink: "Fordern Sie dort einen neuen an, wo Sie diesen erhalten haben.",
}

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  lead: "Verwalten Sie die API-Tokens und Webhooks Ihrer Shops.",
  key: "Verwaltungsschlüssel",
  keyHint: (variable, file) => ["Der Wert von ", variable, " oder der Inhalt der Datei ", file, " im Datenverzeichnis"],
  usedLink: (minutes) =>
    `Dieser Link wurde schon verwendet oder ist älter als ${minutes} Minuten. Geben Sie stattdessen den Schlüssel ein.`,
  kept:
    "Ihre Sitzung ist abgelaufen. Es wurde nichts geändert, und Ihre Eingaben bleiben erhalten: Melden Sie sich an, " +
    "dann stehen sie wieder im Formular.",
  signedIn: "Sie sind angemeldet",
  backLead: "Ihre Eingaben sind noch da, außer Schlüsseln und Passwörtern.",
  back: "Zurück zum Formular",
  wrongKey: "Das ist nicht der Verwaltungsschlüssel.",
  tooMany:
    "Von Ihrer Adresse kamen zu viele falsche Schlüssel. Warten Sie eine Minute, und versuchen Sie es dann noch " +
    "einmal.",
}

export const signOut: Texts["signOut"] = {
  title: "Ihre Sitzung",
  signedInAs: (actor) => `Angemeldet als ${actor}`,
  here: "Hier abmelden",
  hereHint: "Beendet die Sitzung dieses Browsers. Eine Kopie seines Cookies ist von da an wertlos.",
  everywhere: "Überall abmelden",
  everywhereHint: {
    byKey:
      "Meldet in allen Browsern alle ab, die sich mit dem Verwaltungsschlüssel angemeldet haben. Sitzungen, die mit " +
      "einem Link begonnen haben, bleiben bestehen.",
    byLink: (actor) =>
      `Beendet in allen Browsern die Sitzungen von ${actor} in diesem Shop. Unbenutzte Links bleiben gültig.`,
  },
  ended: {
    byKey: {
      here: "Sie sind in diesem Browser abgemeldet. Wer sonst mit dem Verwaltungsschlüssel angemeldet ist, bleibt es.",
      everywhere: "Alle, die sich mit dem Verwaltungsschlüssel angemeldet hatten, sind in allen Browsern abgemeldet.",
    },
    byLink: {
      here: (actor) => `Die Sitzung von ${actor} in diesem Shop ist beendet, aber nur in diesem Browser.`,
      everywhere: (actor) => `Alle Sitzungen von ${actor} in diesem Shop sind in allen Browsern beendet.`,
    },
    stillByLink: "Sitzungen einzelner Shops, die in diesem Browser mit einem Link begonnen haben, bleiben bestehen.",
    stillByKey: "In diesem Browser sind Sie noch anders angemeldet, z. B. mit dem Verwaltungsschlüssel.",
  },
  done: "Sie sind abgemeldet",
  newLink:
    "Um zurückzukommen, fordern Sie dort einen neuen Link an, wo Sie den letzten erhalten haben. Jeder Link öffnet " +
    "diese Seiten einmal.",
}

export const stores: Texts["stores"] = {
  title: "Einen Shop wählen",
  lead: "Jeder Shop hat eigene Tokens und Webhooks.",
  none: "Noch keine Shops",
  noneLead: (request) => ["Legen Sie Shops mit der Verwaltungs-API an: ", request, "."],
  facts: (id, plan, currency) => `${id} · Tarif ${plan} · ${currency}`,
}

export const tokens: Texts["tokens"] = {
  title: "API-Tokens",
  lead:
    "Mit einem Token lesen Ihre Systeme die Bestellungen, Designs und Customizer dieses Shops. Ändern kann ein Token " +
    "nichts.",
  newToken: "Neues Token",
  newTokenHint: "Benennen Sie es nach dem System, das es verwendet",
  ends: "Läuft ab",
  endsHint: "Danach wird das Token abgelehnt. Sieben Tage vorher erhalten Sie eine Meldung.",
  inDays: (days) => `In ${days} Tagen`,
  ended: "Abgelaufen",
  scopes: "Darf lesen",
  scopeHints: {
    "orders:read": "Bestellungen mit ihren Designs",
    "designs:read": "Einzelne Designs, auch Entwürfe",
    "customizers:read": "Customizer und ihre veröffentlichten Definitionen",
    "events:read": "Den Ereignis-Feed, mit den Bestellungen und Designs in seinen Ereignissen",
  },
  everything: "Alle Berechtigungen",
  full: (maximum) => `Ein Shop kann höchstens ${maximum} Tokens haben. Löschen Sie eines, um ein anderes anzulegen.`,
  create: "Token anlegen",
  planTitle: "API-Tokens sind in den Tarifen Pro und Plus enthalten",
  planText: "Dieser Shop hat den kostenlosen Tarif. Seine Tokens werden abgelehnt, und neue lassen sich nicht anlegen.",
  list: "Alle Tokens",
  none: "Noch keine Tokens",
  noneLead: "Legen Sie eines für das erste System an, das diesen Shop lesen soll, und probieren Sie es aus:",
  tryIt: "Probieren Sie es aus:",
  name: "Name des Systems",
  token: "Letzte Zeichen",
  created: "Angelegt",
  lastUsed: "Zuletzt verwendet",
  actions: "Aktionen",
  never: "Nie",
  remove: "Löschen",
  removeLabel: (name) => `Das Token ${name} löschen`,
  ready: (name) => `Das Token „${name}“ ist bereit.`,
  secret: "Das Token",
  missing: "Der Shop hat kein solches Token. Vielleicht wurde es gelöscht.",
  deleteTitle: (name) => `Das Token „${name}“ löschen`,
  deleteSubmit: "Token löschen",
  deleteQuestion: (name) => ["Das Token „", name, "“ löschen?"],
  deleteText: (token) => [
    "Systeme, die diesen Shop mit ",
    token,
    " lesen, erhalten sofort die Antwort 401 und funktionieren nicht mehr. Das lässt sich nicht rückgängig machen.",
  ],
  neverUsed: "Es wurde nie verwendet.",
  lastUsedAt: (when) => ["Es wurde zuletzt ", when, " verwendet."],
  deleted: (name) => `Das Token „${name}“ ist gelöscht. Ab jetzt wird es abgelehnt.`,
}
