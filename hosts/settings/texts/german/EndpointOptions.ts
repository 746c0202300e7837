import type { Texts } from "../Language.ts"

export const endpointOptions: Texts["endpointOptions"] = {
  customizers: {
    label: "Customizer",
    hint: "IDs der Customizer, deren Designs gesendet werden, durch Kommas getrennt. Leer: alle.",
    tickHint: "Die Customizer, deren Designs gesendet werden. Ohne Auswahl: alle.",
    changed: "Beschränkt auf Customizer",
    term: "Customizer",
  },
  standardWebhooks: {
    label: "Header von Standard Webhooks hinzufügen",
    hint:
      "`webhook-id`, `webhook-timestamp` und `webhook-signature`, für Empfänger, die Zustellungen mit einer " +
      "Bibliothek für Standard Webhooks prüfen",
    changed: "Header von Standard Webhooks",
    term: "Header",
    fact: "X-Service und Standard Webhooks",
    usualFact: "X-Service",
  },
  headers: {
    label: "Eigene Header",
    hint: "Je Zeile einer, als Name: Wert, höchstens 10. Werte werden verschlüsselt und nie wieder angezeigt.",
    changed: "Header",
    term: "Eigene Header",
    remove: "Die Header entfernen",
    again: "Geben Sie die Header erneut ein: Ihre Werte werden nie angezeigt",
  },
  oauth: {
    label: "OAuth 2.0 Client Credentials",
    hint:
      "Für Empfänger, die ein Zugriffstoken verlangen. Zustellungen haben es im Header Authorization. Lassen Sie " +
      "sonst alle Felder leer.",
    changed: "OAuth-Client",
    term: "Zugriffstoken von",
    again: "Geben Sie das Client-Secret erneut ein: Es wird nie angezeigt",
  },
  clientCertificate: {
    label: "Client-Zertifikat",
    hint:
      "Für Empfänger, die eines über TLS verlangen: PEM des Zertifikats, nötigenfalls seiner Aussteller, und des " +
      "Schlüssels. Es wird verschlüsselt, und der Schlüssel wird nie wieder angezeigt.",
    changed: "Client-Zertifikat",
    term: "Client-Zertifikat",
    remove: "Das Zertifikat entfernen",
    again: "Geben Sie das Zertifikat und seinen Schlüssel erneut ein: Der Schlüssel wird nie angezeigt",
  },
  payload: {
    label: "IDs statt ganzer Objekte senden",
    hint: "Für Empfänger, die Designs und Bestellungen über die REST-API abrufen",
    changed: "Inhalt",
    term: "Inhalt",
    fact: "IDs statt ganzer Objekte",
  },
  heedRetryAfter: {
    label: "Der Empfänger darf Wiederholungen aufschieben",
    hint: "Mit `Retry-After` in Antworten mit dem Status 429 oder 503, höchstens 24 Stunden",
    changed: "Beachtet Retry-After",
    term: "Wiederholungen",
    fact: "Nicht früher, als der Empfänger es wünscht",
  },
  ordering: {
    label: "Der Reihe nach",
    hint: "Je Bestellung eine Zustellung nach der anderen; schlägt eine fehl, warten die weiteren der Bestellung",
    changed: "Reihenfolge",
    term: "Reihenfolge",
    fact: "Je Bestellung eine nach der anderen",
  },
  maxPerSecond: {
    label: "Höchstens je Sekunde",
    hint: "Für Empfänger, die Anfragen begrenzen: 1 bis 1.000. Weitere warten. Leer: ohne Grenze.",
    changed: "Zustellungen je Sekunde",
    term: "Tempo",
    fact: (deliveries) => `höchstens ${deliveries} je Sekunde`,
  },
  maxConcurrent: {
    label: "Höchstens gleichzeitig",
    hint: "Gleichzeitig laufende Zustellungen: 1 bis 8. Weitere warten. Leer: die übliche Zahl.",
    changed: "Zustellungen gleichzeitig",
    term: "Tempo",
    fact: (deliveries) => `höchstens ${deliveries} gleichzeitig`,
  },
}
