import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

export const webhooks: Texts["webhooks"] = {
  title: "Webhooks",
  lead: "Ihre Systeme erhalten eine signierte Anfrage, wenn ein Design bestellt oder eine Bestellung storniert wird.",
  used: (number, maximum) => `${number} von ${maximum} belegt`,
  full: (maximum) =>
    `Ein Shop kann höchstens ${figure(maximum)} Endpoints haben. Löschen Sie einen, um einen anderen anzulegen.`,
  create: "Endpoint anlegen",
  none: "Noch keine Endpoints",
  noneLead:
    "Geben Sie die URL eines Ihrer Systeme an. Senden Sie ihm dann ein Testereignis, und sehen Sie die Antwort.",
  createFirst: "Den ersten Endpoint anlegen",
  nothing: "Noch nichts zugestellt",
  columns: {
    ...{ endpoint: "Endpoint", state: "Status", success: "Zugestellt", failed: "Fehler", median: "Median" },
    ...{ slow: "Über 2 s", waiting: "Wartet", lastSuccess: "Letzter Erfolg" },
  },
  noSuccess: (attempts) => `Keiner in den letzten ${attempts} Versuchen`,
  ofLast: (attempts, causes) => `Von den letzten ${attempts}: ${causes}`,
  timedOut: (count) => `davon ${count} mit Zeitüberschreitung`,
}

const numberOfEvents = (number: number) =>
  `${figure(number)} ${plural(number, { one: "Ereignis", other: "Ereignisse" })}`

export const endpoint: Texts["endpoint"] = {
  title: (host) => `${host} · Webhook-Endpoint`,
  nothing: "Es wurde noch nichts zugestellt. Senden Sie ein Testereignis, um zu sehen, wie der Endpoint antwortet.",
  sendTest: "Testereignis senden",
  pause: "Pausieren",
  update: "Ändern",
  remove: "Löschen",
  lostSecret: (link) => [
    "Der Signaturschlüssel dieses Endpoints lässt sich nicht entschlüsseln: Keiner der Schlüssel dieser " +
      "Installation passt. An den Endpoint kann nichts gesendet werden. Stellen Sie den Schlüssel wieder her, oder ",
    link,
    ".",
  ],
  lostSecretLink: "erzeugen Sie einen neuen",
  isOff: "An diesen Endpoint wird nichts gesendet",
  isPaused: "Er ist pausiert.",
  isSwitchedOff: (failures) => `Er wurde nach ${failures} Fehlversuchen in Folge abgeschaltet.`,
  kept:
    " Seine ausstehenden Zustellungen bleiben erhalten und werden gesendet, sobald Sie ihn einschalten. Dann sehen " +
    "Sie auch, wie viele Ereignisse er verpasst hat.",
  enable: "Einschalten",
  rotating: "Ein neuer Signaturschlüssel ist bereit",
  rotatingText: (until) => [
    "Zustellungen werden bis ",
    until,
    " mit dem alten Schlüssel signiert, danach mit dem neuen. Bis dahin sollte Ihr Empfänger beide haben. Hat er " +
      "sie schon, können Sie jetzt wechseln.",
  ],
  promote: "Jetzt mit dem neuen Schlüssel signieren",
  lostNew: "Ich habe den neuen Schlüssel verloren",
  missed: (number) => `${numberOfEvents(number)} verpasst, während der Endpoint aus war`,
  missedText:
    "An diesen Endpoint wurde nichts gesendet. Sie können das jetzt in der ursprünglichen Reihenfolge nachholen.",
  sendMissed: (number) => `Jetzt ${numberOfEvents(number)} senden`,
  leaveMissed: "Nicht senden",
  tested: "Testereignis",
  notSentYet: "Es wurde noch nicht gesendet. Sehen Sie gleich im Protokoll nach.",
  outcome: (outcome, duration) => `${outcome}, nach ${duration}`,
  log: "Zustellungen",
  logLead: (deliveries) => `Die neuesten ${deliveries}, mit jedem Versuch`,
  about: "Über diesen Endpoint",
  events: "Ereignisse",
  certificateEnds: (time) => ["Ablauf: ", time],
  failed: "Fehlversuche in Folge",
  failedText: (failures, maximum) => `${failures}, bei ${maximum} wird er abgeschaltet`,
  next: "Nächster Versuch",
  nonePending: "Nichts ausstehend",
  whenEnabled: "Sobald er eingeschaltet ist",
  due: "Jetzt fällig",
  created: "Angelegt",
  secret: "Signaturschlüssel",
  secretText: (verify, rotate) => ["Einmal angezeigt, als er erzeugt wurde. ", verify, " · ", rotate],
  verify: "So wird geprüft",
  rotate: "Schlüssel wechseln",
}

export const newEndpoint: Texts["newEndpoint"] = {
  title: "Einen Endpoint anlegen",
  created: "Der Endpoint ist angelegt. Prüfen Sie seine Zustellungen mit diesem Signaturschlüssel.",
  secret: "Den Signaturschlüssel",
  verify: "Zustellungen prüfen",
  verifyTitle: (host) => `Zustellungen an ${host} prüfen`,
  verifyLead:
    "Jede Zustellung ist mit dem Signaturschlüssel des Endpoints signiert, der nur beim Anlegen angezeigt wird. " +
    "Prüfen Sie die Signatur anhand der unveränderten Nachricht, bevor Sie diese auswerten. Stimmt sie nicht, " +
    "antworten Sie mit 401.",
  toEndpoint: "Zum Endpoint",
  standard: "Mit einer Bibliothek für Standard Webhooks",
  standardBefore: "Dieser Endpoint erhält auch ",
  and: " und ",
  standardAfter: ". Bibliotheken für viele Sprachen nehmen den Signaturschlüssel so, wie er ist.",
  standardLabel: "Das Beispiel für Standard Webhooks",
  example: (language) => `Das Beispiel für ${language}`,
}

export const endpointFields: Texts["endpointFields"] = {
  url: "URL",
  urlHint: "Eine öffentliche https-URL. Sie wird jetzt und vor jeder Zustellung geprüft.",
  description: "Beschreibung",
  descriptionHint: "Optional, für Ihre eigenen Zwecke",
  events: "Ereignisse",
  eventsHint: "Ausstehende Zustellungen von Ereignissen, die Sie abwählen, werden verworfen.",
  shape: "Auswahl, Form und Tempo der Zustellungen",
  deliveries: "Zustellungen",
  basic: "Anmeldung mit Benutzer und Passwort",
  basicHint: "Nur wenn der Empfänger danach fragt (Basic-Authentifizierung). Ersetzt gespeicherte Header.",
  basicUser: "Benutzer",
  basicUserTitle: "Ein Benutzername hat keinen Doppelpunkt",
  basicPassword: "Passwort",
  passwordAgain: "Geben Sie das Passwort erneut ein: Es wird nie angezeigt",
  access: "Zugang zum Empfänger",
  keptHeaders: "Bleiben erhalten, wenn das Feld leer ist:",
  oauthFields: {
    tokenUrl: "Token-URL",
    clientId: "Client-ID",
    clientSecret: "Client-Secret",
    scope: "Scope (optional)",
    audience: "Audience (optional)",
  },
  clientSecretHint:
    "Wird verschlüsselt und nie wieder angezeigt. Bleibt erhalten, wenn Sie keines dieser Felder ändern.",
}

const pendingOf = (pending: number) =>
  pending === 0 ? "Es steht keine Zustellung aus" : `Ausstehende Zustellungen entfallen: ${figure(pending)}`

export const endpointActions: Texts["endpointActions"] = {
  meanwhile: {
    title: "Jemand anderes hat diesen Endpoint inzwischen geändert",
    lead:
      "Es wurde nichts gespeichert. Sie haben beide geändert, was unten steht: Wählen Sie, was bleiben soll. Alles " +
      "Übrige, was die andere Person geändert hat, bleibt.",
    by: "Wer es inzwischen geändert hat:",
    theirs: "Der andere Wert, wie er jetzt ist:",
    mine: "Ihr Wert, wie er im Formular steht:",
    parts: { added: "hinzugefügt", removed: "entfernt", set: "neu gesetzt" },
  },
  updateTitle: (host) => `${host} ändern`,
  updateHeading: "Den Endpoint ändern",
  updateLead: "Ausstehende Zustellungen gehen an die neue URL. Der Signaturschlüssel bleibt derselbe.",
  saved: "Gespeichert.",
  deleteTitle: (host) => `${host} löschen`,
  deleteSubmit: "Endpoint löschen",
  deleteQuestion: "Diesen Endpoint löschen?",
  deleteText: (pending) =>
    "An ihn wird nichts mehr gesendet. Sein Signaturschlüssel und sein Protokoll werden gelöscht. " +
    `${pendingOf(pending)}. Das lässt sich nicht rückgängig machen.`,
  deleted: (name) => `Der Endpoint ${name} ist gelöscht.`,
  wasOn: "Der Endpoint war schon eingeschaltet. Es hat sich nichts geändert.",
  isOn: "Der Endpoint ist wieder eingeschaltet.",
  isOnWithoutPlan:
    "Der Endpoint ist wieder eingeschaltet. Seine ausstehenden Zustellungen werden gesendet, sobald der Tarif des " +
    "Shops Webhooks enthält.",
  paused: "Der Endpoint ist pausiert.",
  wasOff: "Der Endpoint war schon abgeschaltet. Es hat sich nichts geändert.",
  testSent: "Ein Testereignis wurde gesendet.",
}

export const rotateSecret: Texts["rotateSecret"] = {
  title: "Den Signaturschlüssel wechseln",
  pageTitle: (host) => `Den Signaturschlüssel von ${host} wechseln`,
  lead:
    "Ein neuer Signaturschlüssel wird erzeugt und einmal angezeigt. Eine Zeit lang werden Zustellungen noch mit dem " +
    "alten signiert, damit Sie den neuen bei Ihrem Empfänger hinterlegen können.",
  replaces:
    "Es gibt bereits einen neuen Schlüssel, der noch nicht signiert. Er wird ersetzt, und Ihr Empfänger wird ihn nie " +
    "brauchen.",
  overlap: "Wie lange der alte Schlüssel noch signiert",
  overlapHint:
    "Sie können diese Zeit auf der Seite des Endpoints vorzeitig beenden, sobald Ihr Empfänger den neuen Schlüssel " +
    "hat.",
  hour: "1 Stunde",
  day: "1 Tag",
  week: "7 Tage",
  none: "Gar nicht, weil er bekannt geworden ist",
  submit: "Neuen Schlüssel erzeugen",
  replaced: "Der Signaturschlüssel ist ersetzt. Ab jetzt werden Zustellungen mit diesem signiert.",
  rotated:
    "Das ist der neue Signaturschlüssel. Hinterlegen Sie ihn bei Ihrem Empfänger, und behalten Sie den alten, der " +
    "noch signiert.",
  promoted:
    "Zustellungen werden jetzt mit dem neuen Schlüssel signiert. In einer Minute können Sie den alten bei Ihrem " +
    "Empfänger entfernen.",
}

export const events: Texts["events"] = {
  title: "Ereigniskatalog",
  lead:
    "Die Ereignisse, die Ihre Endpoints erhalten. Designs und Bestellungen haben dieselbe Form wie in der REST-API, " +
    "und Beträge stehen in der kleinsten Währungseinheit. Ein Ereignis, das erneut gesendet wird, behält seine ID: " +
    "Ignorieren Sie IDs, die Sie schon verarbeitet haben.",
  meanings: {
    "design.ordered": "Eine Bestellung mit diesem Design geht ein. Einmal je Design gesendet.",
    "design.cancelled":
      "Eine Position einer Bestellung wird entfernt, erstattet oder storniert; der Rest bleibt. Standardmäßig aus.",
    "order.cancelled": "Eine Bestellung mit individuellen Artikeln wird storniert, und mit ihr deren Designs.",
    "design.created": "Eine Käuferin oder ein Käufer speichert im Shop ein Design. Standardmäßig aus, sehr häufig.",
    ping: "Sie senden ein Testereignis, solange der Shop kein bestelltes Design hat.",
  },
  isDefault: "Standardmäßig an",
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
