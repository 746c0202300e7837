import { figuresOf } from "../../../parts/Figures.ts"
import type { Texts } from "../../Language.ts"

const { figure } = figuresOf("de")

export const deliveries: Texts["deliveries"] = {
  states: { succeeded: "Zugestellt", failed: "Fehlgeschlagen", pending: "Ausstehend", dropped: "Verworfen" },
  underWay: "Unterwegs",
  attempts: (made, maximum) => `${made} von ${maximum}`,
  milliseconds: (number) => `${figure(number)} ms`,
  statusAndReason: (code, reason) => `${code}: ${reason}`,
  notFound: "Der Host wurde nicht gefunden",
  refused: "Die Verbindung wurde abgelehnt, oder der Host ist nicht erreichbar",
  noConnection: (seconds) => `Keine Verbindung innerhalb von ${seconds} Sekunden`,
  certificate: "Das Zertifikat wurde nicht akzeptiert",
  notReady: (seconds) => `Die Verbindung stand nicht innerhalb von ${seconds} Sekunden`,
  noResponse: (seconds) => `Keine Antwort innerhalb von ${seconds} Sekunden`,
  redirects: "Weiterleitungen werden nicht befolgt",
  notPublic: "Der Host hat eine nicht öffentliche Adresse",
  closed: "Die Verbindung wurde geschlossen",
  noToken: "Kein Zugriffstoken, daher wurde nichts gesendet",
}
