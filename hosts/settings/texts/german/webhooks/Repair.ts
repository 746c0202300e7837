import { figuresOf } from "../../../parts/Figures.ts"
import type { Texts } from "../../Language.ts"

const { figure, plural } = figuresOf("de")

const deliveries = (count: number): string =>
  `${figure(count)} ${plural(count, { one: "Zustellung", other: "Zustellungen" })}`
const events = (count: number): string => `${figure(count)} ${plural(count, { one: "Ereignis", other: "Ereignisse" })}`
const are = (count: number): string => plural(count, { one: "ist", other: "sind" })

export const repair: Texts["repair"] = {
  tryNow: "Jetzt versuchen",
  tryNowOf: (event, id) => `Jetzt versuchen: ${event}, Zustellung ${id}`,
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

  older: "Ältere Zustellungen",
  newer: "Neuere Zustellungen",

  question: {
    title: "Zustellungen erneut senden",
    heading: (count) =>
      count === 0 ? "Es gibt nichts, was erneut gesendet werden kann" : `${deliveries(count)} erneut senden?`,
    explained: [
      "Aus jeder wird eine neue Zustellung mit derselben Ereignis-Id und derselben Nachricht. Ein Ereignis",
      "wird einmal gesendet, auch wenn das Protokoll mehrere Zustellungen davon hat. Ausstehende werden",
      "ausgelassen, weil sie ohnehin gesendet werden.",
    ].join(" "),
    held: "Der Endpoint ist nicht aktiv: Sie werden zurückgehalten, bis Sie ihn einschalten.",
    noneSelected: [
      "Es ist nichts ausgewählt, daher wurde nichts erneut gesendet. Gehen Sie zurück, und kreuzen Sie die",
      "Zustellungen an, die Sie meinen.",
    ].join(" "),
    selected: (selected) => `Sie haben ${deliveries(selected)} ausgewählt.`,
    send: (count) => `${deliveries(count)} erneut senden`,
    cancel: "Abbrechen",
    back: "Zurück zum Endpoint",
    filter: "Welche Zustellungen",
    state: "Zustand",
    allStates: "Alle abgeschlossenen",
    kind: "Ereignis",
    allKinds: "Alle Ereignisse",
    from: "Ab, in UTC",
    to: "Vor, in UTC",
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
    explained: [
      "Ereignisse, die dieser Endpoint hätte erhalten sollen und nicht erhalten hat: Keine ihrer Zustellungen",
      "ist gelungen oder steht aus. Ereignisse werden 30 Tage aufbewahrt.",
    ].join(" "),
    open: "Nach verpassten Ereignissen suchen",
    presets: "Seit wann",
    lastHour: "Letzte Stunde",
    lastDay: "Letzte 24 Stunden",
    sincePaused: "Seit der Pause",
    sinceOff: "Seit der Abschaltung",
    own: "Seit, in UTC",
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
