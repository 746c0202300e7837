import { countedWaiting } from "../../../../core/ports/DeliveryLog.ts"
import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

/** `75 ms`, or `1.4 s` from a second on. */
const duration = (milliseconds: number) =>
  milliseconds < 1000 ? `${figure(milliseconds)} ms` : `${figure(milliseconds / 1000)} s`

const counted = (count: number) => (count > countedWaiting ? `Mehr als ${figure(countedWaiting)}` : figure(count))

export const deliveries: Texts["deliveries"] = {
  states: { succeeded: "Zugestellt", failed: "Fehlgeschlagen", pending: "Ausstehend", dropped: "Verworfen" },
  underWay: "Unterwegs",
  attempts: (made, maximum) => `${made} von ${maximum}`,
  milliseconds: (number) => `${figure(number)} ms`,
  duration,
  about: (milliseconds) => `etwa ${duration(milliseconds)}`,
  upTo: (milliseconds) => `bis ${duration(milliseconds)}`,
  over: (milliseconds) => `über ${duration(milliseconds)}`,
  statusAndReason: (code, reason) => `${code}: ${reason}`,
  notFound: "Host nicht gefunden",
  refused: "Host nicht erreichbar oder lehnt ab",
  noConnection: (seconds) => `Keine Verbindung in ${seconds} s`,
  certificate: "Zertifikat nicht akzeptiert",
  tls: {
    expired: "Zertifikat abgelaufen",
    notYetValid: "Zertifikat noch nicht gültig",
    otherName: "Zertifikat für einen anderen Namen",
    selfSigned: "Zertifikat selbst signiert",
    untrusted: "Zertifikat von unbekannter Stelle",
    incomplete: "Zertifikatskette nicht prüfbar",
    http2: "Nur HTTP/2, nötig ist HTTP/1.1",
    version: "Weder TLS 1.2 noch TLS 1.3",
    notTls: "Antwort ohne TLS",
    refused: "TLS abgelehnt, z. B. ohne Client-Zertifikat",
    closed: "Im TLS-Handshake geschlossen",
    certificateWanted: "Client-Zertifikat nötig",
    certificateRefused: "Client-Zertifikat abgelehnt",
    certificateUnusable: "Client-Zertifikat unbrauchbar",
    broken: "TLS-Protokoll verletzt",
  },
  notReady: (seconds) => `Verbindung nicht bereit in ${seconds} s`,
  noResponse: (seconds) => `Keine Antwort in ${seconds} s`,
  redirects: "Weiterleitung nicht befolgt",
  notPublic: "Host mit nicht öffentlicher Adresse",
  closed: "Verbindung geschlossen",
  tokenAnswered: (code, error) => `Token-Endpoint: ${code}${error}`,
  noToken: "Ohne Zugriffstoken nicht gesendet",
}

export const deliveryList: Texts["deliveryList"] = {
  title: "Zustellungen",
  lead: "Was an Ihre Endpoints gesendet wurde, das Neueste zuerst, und was noch gesendet wird.",
  lists: "Listen von Zustellungen",
  all: "Alle",
  waiting: "Wartend",
  columns: {
    state: "Status",
    about: "Betrifft",
    event: "Ereignis",
    endpoint: "Endpoint",
    time: "Angelegt",
    response: "Antwort",
    due: "Wird gesendet",
    why: "Grund",
  },
  order: (id) => `Bestellung ${id}`,
  design: (id) => `Design ${id}`,
  aboutNothing: "Nichts im Shop",
  noAttempt: "Noch keine",
  filters: {
    state: "Status",
    endpoint: "Endpoint",
    kind: "Ereignis",
    test: "Testereignisse",
    time: "Zeit",
    chips: { "": "Alle", today: "Heute", "24h": "24 h", "7d": "7 T", since: "Seit …" },
    from: "Von",
    to: "Bis",
    attempts: "Versuche",
    any: "Alle",
    onlyTests: "Nur Testereignisse",
    noTests: "Keine Testereignisse",
    apply: "Filtern",
    reset: "Alle zeigen",
    wrong: (fields) => `Der Filter ist nicht lesbar: ${fields.join(", ")}. Wählen Sie ihn noch einmal.`,
  },
  wrongPlace: "Die Adresse nennt keine Stelle in der Liste. Beginnen Sie mit der ersten Seite.",
  none: "Keine Zustellung passt zu diesem Filter.",
  noneEver: "Es wurde noch nichts zugestellt.",
  noneHere: "Unter den neuesten Zustellungen, die durchsucht wurden, passt keine. Ältere passen vielleicht.",
  waitingTitle: "Wartende Zustellungen",
  waitingLead: "Was als Nächstes gesendet wird, und was auf etwas anderes wartet.",
  causes: {
    due: (count) => `${counted(count)} ${count === 1 ? "wird" : "werden"} jetzt gesendet`,
    retry: (count, next) => [
      ...[`${counted(count)} ${count === 1 ? "wird" : "werden"} wiederholt, `, count > 1 && "die nächste ", next],
    ],
    behind: (count) =>
      `${counted(count)} ${count === 1 ? "wartet" : "warten"} hinter einer zur selben Bestellung oder zum selben Design`,
    held: (count) => `${counted(count)} zurückgehalten für`,
    limited: (count) => `${counted(count)} davon an`,
  },
  limits: {
    failing: "Ein fehlerhafter Endpoint erhält eine nach der anderen",
    concurrent: (number) => `Höchstens ${figure(number)} zugleich`,
    rate: (number) => `Höchstens ${figure(number)} pro Sekunde`,
  },
  nothingWaits: "Nichts wartet.",
  now: "Jetzt",
  held: "Zurückgehalten",
  why: {
    plan: "Der Tarif des Shops enthält keine Webhooks",
    paused: "Der Endpoint ist pausiert",
    off: "Der Endpoint ist abgeschaltet",
    underWay: "Ein Versuch läuft gerade",
    behind: "Eine frühere zur selben Bestellung oder zum selben Design geht vor",
    due: "Fällig",
    retry: (number, maximum) => `Wiederholung ${number} von ${maximum}`,
  },
  allOfEndpoint: "Alle Zustellungen dieses Endpoints",
  allWaiting: "Alles, was wartet",
  endpointWaiting: "Wartet auf diesen Endpoint",
}

/** The texts of the fate of an order. */
export const fate: Texts["fate"] = {
  title: "Übermittlung",
  titleOf: (order) => `Übermittlung der Bestellung ${order}`,
  became: "Ergebnis",
  send: "Senden",
  sendCount: (events) => (events === 1 ? "Senden" : `${figure(events)} senden`),
  sendTo: (name, events) => (events === 1 ? `Senden: an ${name}` : `${figure(events)} senden: an ${name}`),
  more: (events) => `und ${figure(events)} weitere`,
  newest: (events) => `Die neuesten ${figure(events)} Ereignisse`,
  noEndpoints: "Der Shop hat keine Webhook-Endpoints.",
  noEvents: "Zu dieser Bestellung ist kein Ereignis gespeichert.",
  old: "Nicht bekannt: Die Bestellung ist älter als 30 Tage, und Ereignisse werden 30 Tage lang gespeichert.",
  oldOnes: "Ereignisse werden 30 Tage lang gespeichert. Ältere zu dieser Bestellung fehlen hier.",
  notSent: "Nicht gesendet",
  notListed: "Nicht im Protokoll",
  behind: "wartet hinter",
  nextTry: "nächster Versuch:",
  because: {
    added: "Der Endpoint kam später dazu",
    plan: "Der Tarif des Shops enthielt keine Webhooks",
    paused: "Der Endpoint war pausiert",
    switched_off: "Der Endpoint war abgeschaltet",
    kind: "Der Endpoint erhielt diese Art von Ereignis nicht",
    customizers: "Der Endpoint erhält nur Designs anderer Customizer",
    unlisted: "Das Protokoll reicht nicht so weit zurück, oder die Bestellung wurde importiert",
  },
  sent: (events) =>
    events === 0
      ? "Nichts wurde gesendet: Alles zu dieser Bestellung wartet schon oder ist nicht mehr gespeichert."
      : `${figure(events)} ${events === 1 ? "Ereignis ist" : "Ereignisse sind"} unterwegs.`,
}

export const delivery: Texts["delivery"] = {
  title: (kind, host) => `${kind} an ${host} · Zustellung`,
  waitsForEarlier: "Sobald die früheren zu derselben Bestellung oder demselben Design abgeschlossen sind",
  waitsForEndpoint: "Sobald der Endpoint eingeschaltet ist",
  download: "Nachricht herunterladen",
  about: "Über diese Zustellung",
  deliveryId: "Zustellungs-ID",
  deliveryIdLabel: "Die Zustellungs-ID",
  created: "Angelegt",
  attempts: "Versuche",
  took: (duration) => `nach ${duration}`,
  attempt: (number, when) => [`Versuch ${number}, `, when],
  droppedText: "Der Endpoint erhält diese Art von Ereignis nicht mehr.",
  next: "Nächster Versuch",
  request: "Anfrage",
  noRequest:
    "Es wurde noch nichts gesendet, oder der Signaturschlüssel wurde inzwischen ersetzt oder lässt sich nicht " +
    "entschlüsseln.",
  headers: "Zuletzt gesendete Header",
  headersLabel: "Die Header",
  standard:
    "Die Header von Standard Webhooks stehen hier so, wie sie jetzt gesendet würden, mit den aktuellen " +
    "Signaturschlüsseln.",
  body: "Nachricht",
  bodyLabel: "Die Nachricht",
  beginning: "Das ist nur der Anfang. Laden Sie die Nachricht herunter, um alles zu sehen.",
  formatted: "Nachricht formatiert anzeigen",
  curl: "Selbst mit curl senden",
  curlLabel: "Den curl-Befehl",
  curlText:
    "Der Befehl verwendet die aktuelle URL des Endpoints, weil die URLs früherer Versuche nicht aufbewahrt werden. " +
    "Ein Empfänger, der den Zeitstempel prüft, lehnt die Anfrage fünf Minuten nach dem Versuch ab.",
  willBeSent: "Das Ereignis wird mit derselben Ereignis-ID erneut gesendet, sobald der Endpoint eingeschaltet ist.",
  isBeingSent: "Das Ereignis wird mit derselben Ereignis-ID erneut gesendet. Das ist die neue Zustellung.",
}

export const activity: Texts["activity"] = {
  title: "Aktivität",
  time: "Zeitraum",
  ranges: { "1h": "2 h", "24h": "24 h", "7d": "7 T", "30d": "30 T" },
  delivered: "Zugestellt",
  failedAttempts: "Fehlversuche",
  retried: "Fehlgeschlagen, erneut versucht",
  givenUp: "Aufgegeben",
  median: "Median",
  within: "95 % binnen",
  pending: "Jetzt ausstehend",
  sentence: ({ failedAttempts, givenUp, succeeded }) =>
    [
      `${figure(succeeded)} zugestellt`,
      `${figure(failedAttempts)} ${plural(failedAttempts, { one: "Fehlversuch", other: "Fehlversuche" })}`,
      `${figure(givenUp)} aufgegeben`,
    ].join(", "),
  asTable: "Als Tabelle",
  table: "Versuche nach Zeit",
  from: "Ab (UTC)",
  medianColumn: "Median",
  withinColumn: "95 %",
}
