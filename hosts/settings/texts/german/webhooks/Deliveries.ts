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
  tls: {
    expired: "Das Zertifikat ist abgelaufen",
    notYetValid: "Das Zertifikat gilt noch nicht",
    otherName: "Das Zertifikat gilt für einen anderen Namen",
    selfSigned: "Das Zertifikat ist selbst signiert",
    untrusted: "Das Zertifikat ist von einer Stelle, der nicht vertraut wird",
    incomplete: "Das Zertifikat kam ohne Zwischenzertifikat, oder seiner Stelle wird nicht vertraut",
    http2: "Der Empfänger spricht nur HTTP/2, er muss HTTP/1.1 sprechen",
    version: "Der Empfänger spricht weder TLS 1.2 noch TLS 1.3",
    notTls: "Der Empfänger hat nicht in TLS geantwortet",
    refused: "Der Empfänger hat TLS abgelehnt, z. B. weil er ein Client-Zertifikat oder andere Verfahren verlangt",
    closed: "Der Empfänger hat die Verbindung während des TLS-Handshakes geschlossen",
    certificateWanted: "Der Empfänger verlangt ein Client-Zertifikat",
    certificateRefused: "Der Empfänger hat das Client-Zertifikat abgelehnt",
    certificateUnusable: "TLS kann das Client-Zertifikat nicht verwenden",
    broken: "Der Empfänger hat TLS gebrochen",
  },
  notReady: (seconds) => `Die Verbindung stand nicht innerhalb von ${seconds} Sekunden`,
  noResponse: (seconds) => `Keine Antwort innerhalb von ${seconds} Sekunden`,
  redirects: "Weiterleitungen werden nicht befolgt",
  notPublic: "Der Host hat eine nicht öffentliche Adresse",
  closed: "Die Verbindung wurde geschlossen",
  noToken: "Kein Zugriffstoken, daher wurde nichts gesendet",
}
