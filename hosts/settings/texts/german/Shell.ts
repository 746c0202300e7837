import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

export const layout: Texts["layout"] = {
  skip: "Zum Inhalt springen",
  menu: "Einstellungen",
  changeStore: "Shop wechseln",
  signOut: "Abmelden",
  readOnly: "Sie können hier alles ansehen, aber nichts ändern: Ihr Link erlaubt nur das Lesen.",
}

export const overview: Texts["overview"] = {
  title: "Übersicht",
  orders: "Neueste Bestellungen",
  ordersTotal: "Bestellungen insgesamt",
  more: (designs) => `und ${figure(designs)} weitere`,
  allWorking: "Alle in Ordnung",
  waiting: (count) => `${count} wartend: was und warum`,
  platformFailed: (events) =>
    `${figure(events)} ${plural(events, { one: "Ereignis", other: "Ereignisse" })} zu Bestellungen ` +
    `${plural(events, { one: "konnte", other: "konnten" })} nicht übernommen werden`,
  platformWaiting: (events) =>
    `${figure(events)} ${plural(events, { one: "Ereignis wartet", other: "Ereignisse warten" })} zu lange auf ein ` +
    "Design oder eine Zahlung",
}

export const live: Texts["live"] = {
  fresh: "# neue",
  stale: "Diese Seite ließ sich nicht aktualisieren und ist vielleicht veraltet. Laden Sie sie neu.",
}

export const notices: Texts["notices"] = {
  title: "Meldungen",
  failing: (failures) => `${figure(failures)}-mal in Folge fehlgeschlagen`,
  switchedOff: (failures) => `Nach ${figure(failures)} Fehlversuchen in Folge abgeschaltet`,
  timeout: "keine rechtzeitige Antwort",
  givenUp: (attempts) =>
    `Zustellung nach ${figure(attempts)} ${plural(attempts, { one: "Versuch", other: "Versuchen" })} aufgegeben`,
  tokenEnding: (name) => `Das API-Token „${name}“ läuft bald ab`,
  tokenEnd: (when) => ["Ablauf: ", when],
  inboxDropped: (events) =>
    events === 1
      ? "Ein Ereignis der Shop-Plattform wurde gelöscht, bevor es übernommen war"
      : `${figure(events)} Ereignisse der Shop-Plattform wurden gelöscht, bevor sie übernommen waren`,
  inboxOldest: (order) => ["Das älteste betraf die Bestellung ", order],
  inboxTroubled: {
    failed: "Ein Ereignis der Shop-Plattform konnte nicht übernommen werden",
    waiting: "Ein Ereignis der Shop-Plattform wartet seit 15 Minuten",
    unpaid: "Eine Bestellung wartet seit 24 Stunden auf Zahlung",
  },
  platformEnded: (platform) => `Die Verbindung zu ${platform} ist beendet: Von dort kommen keine Bestellungen mehr`,
  platformTroubled: (platform) => `Die Verbindung zu ${platform} braucht Aufmerksamkeit`,
  inboxOrder: (order) => ["Betrifft die Bestellung ", order],
  inboxMany: (count) => `Das älteste von damals ${count}`,
  off: (endpoints) => (endpoints === 1 ? "1 Endpoint ist aus" : `${figure(endpoints)} Endpoints sind aus`),
}

export const find: Texts["find"] = {
  label: "Eine Bestellung nach ID oder Namen suchen, ein Design, ein Ereignis oder eine Zustellung nach der ID",
  placeholder: "ID oder Bestellung suchen",
  button: "Suchen",
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
  noDeliveries:
    "Kein Endpoint hat eine Zustellung davon: Keiner erhält das Ereignis, oder die Zustellungen werden nicht mehr " +
    "aufbewahrt.",
  nothing: "Nichts gefunden",
  hint:
    "Suchen Sie nach der ganzen ID oder dem Namen einer Bestellung oder nach der ID eines Designs, Ereignisses " +
    "(evt_…) oder einer Zustellung (dlv_…), oder fügen Sie einen Satz oder Link damit ein. Ereignisse und " +
    "Zustellungen werden 30 Tage aufbewahrt.",
}

export const paging: Texts["paging"] = {
  search: "Suchen",
  stores: "Anfang der ID oder der Domain",
  tokens: "Name oder die letzten vier Zeichen",
  noneFound: "Nichts gefunden",
  tryAnother: (search) => `Nichts passt zu „${search}“.`,
  showAll: "Alle zeigen",
  pages: "Seiten",
  links: {
    newest: ["Neueste", "Ältere"],
    soonest: ["Nächste", "Spätere"],
    first: ["Erste Seite", "Nächste Seite"],
  },
  beginning: "Zurück zum Anfang",
  further: "Weiter",
}

export const parts: Texts["parts"] = {
  copy: "Kopieren",
  copied: "Kopiert",
  copyLabel: (what) => `${what} kopieren`,
  command: "Den Befehl",
  apiHint: "Setzen Sie statt der Punkte ein API-Token ein.",
  save: "Speichern",
  cancel: "Abbrechen",
  keep: "Behalten",
  shownOnce: "Dies wird nur einmal angezeigt. Speichern Sie es jetzt bei Ihren anderen Zugangsdaten.",
  stored: "Ich habe es gespeichert",
  test: "Test",
}

export const badges: Texts["badges"] = {
  free: "Im kostenlosen Tarif wird nichts gesendet",
  switchedOff: (when) => ["Abgeschaltet ", when],
  paused: (when) => ["Pausiert ", when],
  active: "Aktiv",
  failing: (failures, maximum) => `Fehlerhaft, ${failures} von ${maximum}`,
  why: (answer, when, since) => [
    ...["Letzte Antwort: ", answer, " ", when, since !== false && " · erster Fehlschlag "],
    since,
  ],
}

export const plans: Texts["plans"] = {
  webhooks:
    "Webhooks sind in den Tarifen Pro und Plus enthalten. Dieser Shop hat den kostenlosen Tarif: Es wird nichts " +
    "gesendet, und es lassen sich keine Endpoints hinzufügen.",
  waits: "Sobald der Tarif des Shops Webhooks enthält",
}
