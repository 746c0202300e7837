import { figuresOf } from "../../../parts/Figures.ts"
import type { Texts } from "../../Language.ts"

const { figure, plural } = figuresOf("de")

const events = (number: number) => `${figure(number)} ${plural(number, { one: "Ereignis", other: "Ereignisse" })}`

export const endpoint: Texts["endpoint"] = {
  title: (host) => `${host} · Webhook-Endpoint`,
  nothing: "Es wurde noch nichts zugestellt. Senden Sie ein Testereignis, um zu sehen, wie der Endpoint antwortet.",
  noMatch: "Keine Zustellung passt zu diesem Filter.",
  sendTest: "Testereignis senden",
  pause: "Pausieren",
  update: "Ändern",
  remove: "Löschen",
  lostSecret: (link) => [
    [
      "Der Signaturschlüssel dieses Endpoints lässt sich nicht entschlüsseln: Keiner der Schlüssel",
      "dieser Installation passt. Dem Endpoint kann nichts gesendet werden. Stellen Sie den Schlüssel",
      "wieder her, oder ",
    ].join(" "),
    link,
    ".",
  ],
  lostSecretLink: "erzeugen Sie einen neuen",
  isOff: "Diesem Endpoint wird nichts gesendet",
  isPaused: "Er ist pausiert.",
  isSwitchedOff: (failures) => `Er wurde nach ${failures} Fehlversuchen nacheinander abgeschaltet.`,
  kept: [
    " Seine ausstehenden Zustellungen bleiben erhalten und werden gesendet, sobald Sie ihn",
    "einschalten. Dann sehen Sie auch, wie viele Ereignisse er verpasst hat.",
  ].join(" "),
  enable: "Einschalten",
  rotating: "Ein neuer Signaturschlüssel ist bereit",
  rotatingText: (until) => [
    "Zustellungen werden bis ",
    until,
    [
      " mit dem alten Schlüssel signiert, danach mit dem neuen. Bis dahin sollte Ihr Empfänger beide",
      "haben. Hat er sie schon, können Sie jetzt wechseln.",
    ].join(" "),
  ],
  promote: "Jetzt mit dem neuen Schlüssel signieren",
  lostNew: "Ich habe den neuen Schlüssel verloren",
  missed: (number) => `${events(number)} während der Endpoint aus war`,
  missedText: "Sie wurden diesem Endpoint nicht gesendet. Sie können das jetzt in der richtigen Reihenfolge nachholen.",
  sendMissed: (number) => `${events(number)} senden`,
  leaveMissed: "Nicht senden",
  tested: "Testereignis",
  notSentYet: "Es wurde noch nicht gesendet. Sehen Sie gleich im Protokoll nach.",
  outcome: (outcome, duration) => `${outcome}, nach ${duration}`,
  log: "Zustellungen",
  logLead: (deliveries) => `Die neuesten ${deliveries}, mit jedem Versuch`,
  state: "Zustand",
  allStates: "Alle Zustände",
  event: "Ereignis",
  allEvents: "Alle Ereignisse",
  filter: "Filtern",
  about: "Über diesen Endpoint",
  events: "Ereignisse",
  certificateEnds: (time) => ["endet ", time],
  failed: "Nacheinander fehlgeschlagen",
  failedText: (failures, maximum) => `${failures} der ${maximum} Versuche, nach denen er abgeschaltet wird`,
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
