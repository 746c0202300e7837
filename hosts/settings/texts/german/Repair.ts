import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

const deliveries = (count: number): string =>
  `${figure(count)} ${plural(count, { one: "Zustellung", other: "Zustellungen" })}`
const events = (count: number): string => `${figure(count)} ${plural(count, { one: "Ereignis", other: "Ereignisse" })}`
const are = (count: number): string => plural(count, { one: "ist", other: "sind" })

export const repair: Texts["repair"] = {
  tryNow: "Jetzt senden",
  tryNowOf: (event, id) => `Jetzt senden: ${event}, Zustellung ${id}`,
  tried: {
    succeeded: (number, outcome) => `Versuch ${figure(number)} ist gelungen: ${outcome}.`,
    failed: (number, outcome) => `Versuch ${figure(number)} ist fehlgeschlagen: ${outcome}.`,
    goesOn: "Die weiteren Versuche folgen wie vorgesehen.",
    lastOne: "Es war der letzte.",
    notYet: "Die Zustellung ist jetzt fällig, wurde aber noch nicht versucht. Laden Sie die Seite gleich neu.",
    refused: {
      finished: "Die Zustellung ist abgeschlossen und wird nicht mehr versucht. Stellen Sie sie erneut zu.",
      underWay:
        "Ein Versuch läuft gerade: Nichts wurde geändert. Sehen Sie sein Ergebnis an, bevor Sie es erneut versuchen.",
      behind:
        "Eine frühere Zustellung zu derselben Bestellung oder demselben Design kommt zuerst: Versuchen Sie diese.",
      paused: "Der Endpoint ist pausiert: Schalten Sie ihn ein, dann gehen seine Zustellungen weiter.",
      off: "Der Endpoint ist abgeschaltet: Schalten Sie ihn ein, dann gehen seine Zustellungen weiter.",
    },
  },
  redeliver: "Erneut zustellen",
  redeliverWaiting: "Als neue Zustellung senden",

  select: (event, id) => `Auswählen: ${event}, Zustellung ${id}`,
  sendSelected: "Ausgewählte erneut senden",
  sendCounted: (count) => `${count} ausgewählte erneut senden`,
  sendFound: (count) =>
    count === undefined ? "Alle erneut senden, die der Filter findet …" : `Alle ${figure(count)} erneut senden …`,

  question: {
    title: "Zustellungen erneut senden",
    heading: (count) =>
      count === 0 ? "Es gibt nichts, was erneut gesendet werden kann" : `${deliveries(count)} erneut senden?`,
    explained:
      "Aus jeder wird eine neue Zustellung mit derselben Ereignis-ID und derselben Nachricht. Ein Ereignis wird " +
      "einmal gesendet, auch wenn das Protokoll mehrere Zustellungen davon hat. Ausstehende werden ausgelassen, weil " +
      "sie ohnehin gesendet werden.",
    held: "Der Endpoint ist nicht aktiv: Alles wird zurückgehalten, bis Sie ihn einschalten.",
    noneSelected:
      "Es ist nichts ausgewählt, daher wurde nichts erneut gesendet. Gehen Sie zurück, und kreuzen Sie die " +
      "Zustellungen an, die Sie meinen.",
    selected: (selected) => `Sie haben ${deliveries(selected)} ausgewählt.`,
    send: (count) => `${deliveries(count)} erneut senden`,
    cancel: "Abbrechen",
    back: "Zurück zum Endpoint",
    filter: "Welche Zustellungen",
    state: "Status",
    allStates: "Alle abgeschlossenen",
    kind: "Ereignis",
    allKinds: "Alle Ereignisse",
    from: (zone) => `Ab, in ${zone}`,
    to: (zone) => `Vor, in ${zone}`,
    tests: "Auch Testereignisse",
    count: "Zählen",
    wrongTime: "Geben Sie Datum und Uhrzeit ein.",
    wrongOrder: "Geben Sie eine Zeit nach der ersten ein.",
    tooMany: (maximum) =>
      `Wählen Sie höchstens ${figure(maximum)} Zustellungen, oder senden Sie alle, die ein Filter findet.`,
  },
  progress: {
    title: "Wird erneut gesendet",
    heading: "Zustellungen werden erneut gesendet",
    done: (sent, total) => `${figure(sent)} von ${figure(total)} erneut gesendet`,
    explained:
      "Das geschieht Schritt für Schritt. Wenn Sie anhalten, bleibt gesendet, was schon erneut gesendet wurde.",
    goOn: "Fortsetzen",
    stop: "Anhalten",
  },
  stopped: (sent, total) => `Angehalten. Erneut gesendet: ${figure(sent)} von ${deliveries(total)}.`,
  sentAgain: (sent) => `Erneut gesendet: ${deliveries(sent)}.`,
  nothingSent: "Es wurde nichts erneut gesendet.",

  recover: {
    title: "Verpasste Ereignisse senden",
    heading: "Verpasste Ereignisse",
    explained:
      "Ereignisse, die dieser Endpoint hätte erhalten sollen und nicht erhalten hat: Keine ihrer Zustellungen ist " +
      "gelungen oder steht aus. Ereignisse werden 30 Tage aufbewahrt.",
    open: "Nach verpassten Ereignissen suchen",
    presets: "Seit wann",
    lastHour: "Letzte Stunde",
    lastDay: "Letzte 24 Stunden",
    sincePaused: "Seit der Pause",
    sinceOff: "Seit der Abschaltung",
    own: (zone) => `Seit, in ${zone}`,
    preview: "Zählen",
    wrongTime: "Geben Sie die Zeit ein, ab der verpasste Ereignisse gesendet werden sollen.",
    found: (count) => (count === 0 ? "Keine Ereignisse verpasst seit" : `${events(count)} verpasst seit`),
    send: (count) => `${events(count)} senden`,
    sent: (count) =>
      count === 0 ? "Seitdem hat der Endpoint keine Ereignisse verpasst." : `${events(count)} ${are(count)} unterwegs.`,
  },

  pending: (count, isActive) =>
    isActive
      ? `Jetzt ${plural(count, { one: "steht", other: "stehen" })} ${deliveries(count)} aus.`
      : `Zurückgehalten, bis der Endpoint eingeschaltet ist: ${deliveries(count)}.`,
}

/** One text for all errors of a kind. */
const texts: Readonly<Record<string, string>> = {
  InvalidInput: "Die Angaben sind ungültig.",
  Forbidden: "Sie sind in keiner Anwendung angemeldet, die Ihnen Zugang zu diesem Shop gibt.",
  ReadOnly: "Es wurde nichts geändert. Ihr Link erlaubt, alles anzusehen, aber nichts zu ändern.",
  NotFound: "Das gibt es in diesem Shop nicht. Vielleicht wurde es gelöscht.",
  Conflict: "Das ist zurzeit nicht möglich.",
  PlanRequired: "Der Tarif des Shops enthält das nicht.",
  Refused: "Das ist nicht erlaubt.",
  Unavailable:
    "Der Dienst ist gerade nicht verfügbar. Sehen Sie nach, was gespeichert ist, bevor Sie es erneut versuchen.",
}

export const failures: Texts["failures"] = {
  titles: {
    invalid: "Ungültige Angaben",
    wrongForm: "Dieses Formular ist veraltet",
    foreignForm: "Dieses Formular kam von einer anderen Website",
    readOnly: "Hier dürfen Sie nichts ändern",
    forbidden: "Sie dürfen diese Seite nicht sehen",
    notFound: "Nicht gefunden",
    conflict: "Das geht jetzt nicht",
    refused: "Das ist nicht erlaubt",
    unavailable: "Zurzeit nicht verfügbar",
  },
  own: ({ _tag, message }) => texts[_tag] ?? message,
  forms: {
    wrong:
      "Es wurde nichts geändert. Das Formular gehört zu einer anderen Person oder einem anderen Shop. " +
      "Öffnen Sie die Seite neu.",
    old:
      "Es wurde nichts geändert. Die Seite wurde vor mehr als zwölf Stunden geöffnet. " +
      "Öffnen Sie sie neu und wiederholen Sie die Änderung.",
  },
  again: {
    wrong:
      "Es wurde nichts geändert. Das Formular war für eine andere Person oder einen anderen Shop bestimmt. Prüfen " +
      "Sie Ihre Eingaben, und senden Sie sie dann.",
    old:
      "Es wurde nichts geändert. Die Seite wurde vor mehr als zwölf Stunden geöffnet. Prüfen Sie Ihre Eingaben, und " +
      "senden Sie sie dann noch einmal.",
    ended:
      "Es wurde noch nichts geändert: Ihre Sitzung war abgelaufen. Ihre Eingaben sind wieder da. Prüfen Sie sie, und " +
      "senden Sie sie dann.",
  },
  againSecrets: "Schlüssel und Passwörter wurden nicht aufbewahrt: Geben Sie sie noch einmal ein.",
  foreignFormText: (origin) => `Es wurde nichts geändert. Das Formular kam von einer anderen Website: ${origin}`,
  noPage: "Unter dieser Adresse gibt es keine Seite.",
  wrongMethod: "Das geht hier nicht",
  wrongMethodText: "Diese Seite lässt sich so nicht aufrufen.",
  tooLarge: "Das ist zu groß",
  tooLargeText: "Dieses Formular enthält mehr, als auf einmal gesendet werden kann.",
  unreadable: "Das Formular war nicht lesbar.",
  broken: "Etwas ist schiefgegangen",
  brokenText: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
  home: "Zur Startseite",
}

export const problems: Texts["problems"] = {
  name: (maximum) => `Geben Sie einen Namen mit 1 bis ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  description: (maximum) =>
    `Geben Sie eine Beschreibung mit höchstens ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  url: (maximum) => `Geben Sie eine URL mit höchstens ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  events: "Wählen Sie mindestens eine Art von Ereignis.",
  customizers: "Geben Sie IDs von Customizern ein, jede einmal, höchstens 100.",
  maxPerSecond: "Geben Sie eine ganze Zahl von 1 bis 1.000 ein, oder nichts.",
  maxConcurrent: "Geben Sie eine ganze Zahl von 1 bis 8 ein, oder nichts.",
  headers: "Geben Sie höchstens 10 Header ein, je Zeile einen als Name: Wert, jeden Namen einmal, ohne Umlaute.",
  reservedHeader: (name) => `Verwenden Sie einen anderen Namen als ${name}: Der Dienst oder die Verbindung setzt ihn.`,
  domain: "Geben Sie eine Domain ein, z. B. acme.example.com.",
  othersDomain: "Mit dieser Domain ist schon ein anderer Shop verbunden.",
  secret: "Geben Sie 16 bis 255 Zeichen ein.",
  accessKey: "Geben Sie 16 bis 512 Buchstaben, Ziffern und andere Zeichen aus ASCII ein, ohne Leerzeichen.",
  keyAndSecret: "Geben Sie Key und Secret der REST-API mit einem Doppelpunkt dazwischen ein: ck_…:cs_…",
  states: "Geben Sie höchstens 50 Namen mit je 1 bis 255 Zeichen ein.",
  scopes: "Wählen Sie mindestens eine Berechtigung.",
  scope: 'Geben Sie Scopes ein, mit je einem Leerzeichen dazwischen, höchstens 1.024 Zeichen, ohne " und \\.',
  visible: (maximum) => `Geben Sie 1 bis ${figure(maximum)} Buchstaben, Ziffern und andere Zeichen aus ASCII ein.`,
  oneAuthorization: "Entfernen Sie zuerst den eigenen Header Authorization: OAuth setzt ihn.",
  certificate: "Geben Sie ein Zertifikat als PEM ein, das TLS verwenden kann.",
  key: "Geben Sie den Schlüssel des Zertifikats als PEM ein, ohne Passphrase.",
  otherKey: "Der Schlüssel gehört zu einem anderen Zertifikat.",
  ended: "Dieses Zertifikat ist abgelaufen.",
  expiresAt: "Wählen Sie, wann das Token abläuft.",
  overlap: "Wählen Sie, wie lange der alte Schlüssel noch signiert.",
  notAbsolute: "Geben Sie eine vollständige URL ein, z. B. https://erp.example.com/webhooks.",
  notHttps: "Die URL muss mit https:// beginnen.",
  notHttp: "Die URL muss mit https:// oder http:// beginnen.",
  password: "Die URL darf keinen Benutzernamen und kein Passwort enthalten.",
  fragment: "Die URL darf keinen Teil nach # haben.",
  port: (port) => `Verwenden Sie einen anderen Port: ${port} gehört zu einer anderen Art von Dienst.`,
  notPublic: "An diesen Host kann nichts gesendet werden: Er ist nicht öffentlich oder hier gesperrt.",
  notFound: "Dieser Host wurde nicht gefunden. Prüfen Sie den Namen, oder versuchen Sie es gleich noch einmal.",
  full: (maximum) =>
    `Es gibt schon ${figure(maximum)}, mehr kann ein Shop nicht haben. Löschen Sie zuerst eines davon.`,
  plan: "Der Tarif des Shops enthält das nicht.",
  other: () => "Diese Angabe ist nicht zulässig.",
}
