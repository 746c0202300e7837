import type { Texts } from "../Language.ts"

export const delivery: Texts["delivery"] = {
  title: (kind, host) => `${kind} an ${host} · Zustellung`,
  waitsForEndpoint: "Sobald der Endpoint eingeschaltet ist",
  redeliver: "Erneut zustellen",
  download: "Nachricht herunterladen",
  about: "Über diese Zustellung",
  eventId: "Ereignis-Id",
  eventIdLabel: "Die Ereignis-Id",
  deliveryId: "Zustellungs-Id",
  deliveryIdLabel: "Die Zustellungs-Id",
  created: "Angelegt",
  attempts: "Versuche",
  took: (duration) => `nach ${duration}`,
  attempt: (number, when) => [`Versuch ${number}, `, when],
  dropped: "Verworfen",
  droppedText: "Der Endpoint erhält diese Art von Ereignis nicht mehr.",
  next: "Nächster Versuch",
  request: "Anfrage",
  noRequest:
    "Es wurde noch nichts gesendet, oder der Signaturschlüssel wurde inzwischen ersetzt oder lässt sich nicht entschlüsseln.",
  headers: "Header, wie zuletzt gesendet",
  headersLabel: "Die Header",
  standard:
    "Die Header von Standard Webhooks stehen hier so, wie sie jetzt gesendet würden, mit den aktuellen Signaturschlüsseln.",
  body: "Nachricht, wie gesendet",
  bodyLabel: "Die Nachricht",
  beginning: "Das ist nur der Anfang. Laden Sie die Nachricht herunter, um alles zu sehen.",
  formatted: "Nachricht formatiert anzeigen",
  curl: "Selbst mit curl senden",
  curlLabel: "Den curl-Befehl",
  curlText:
    "Der Befehl verwendet die aktuelle URL des Endpoints, weil die URLs früherer Versuche nicht aufbewahrt werden. Ein Empfänger, der den Zeitstempel prüft, lehnt die Anfrage fünf Minuten nach dem Versuch ab.",
  willBeSent: "Das Ereignis wird mit derselben Ereignis-Id erneut gesendet, sobald der Endpoint eingeschaltet ist.",
  isBeingSent: "Das Ereignis wird mit derselben Ereignis-Id erneut gesendet. Das ist die neue Zustellung.",
}
