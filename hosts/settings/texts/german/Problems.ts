import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure } = figuresOf("de")

export const problems: Texts["problems"] = {
  name: (maximum) => `Geben Sie einen Namen mit 1 bis ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  description: (maximum) =>
    `Geben Sie eine Beschreibung mit höchstens ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  url: (maximum) => `Geben Sie eine URL mit höchstens ${figure(maximum)} Zeichen ein, ohne Steuerzeichen.`,
  events: "Wählen Sie mindestens eine Art von Ereignis.",
  customizers: "Geben Sie Kennungen von Customizern ein, jede einmal, höchstens 100.",
  maxPerSecond: "Geben Sie eine ganze Zahl von 1 bis 1.000 ein, oder nichts.",
  maxConcurrent: "Geben Sie eine ganze Zahl von 1 bis 8 ein, oder nichts.",
  scopes: "Wählen Sie mindestens eine Berechtigung.",
  scope: 'Geben Sie Scopes ein, mit je einem Leerzeichen dazwischen, höchstens 1.024 Zeichen, ohne " und \\.',
  visible: (maximum) => `Geben Sie 1 bis ${figure(maximum)} Buchstaben, Ziffern und andere Zeichen aus ASCII ein.`,
  oneAuthorization: "Entfernen Sie zuerst die eigene Header-Zeile Authorization: OAuth setzt sie.",
  certificate: "Geben Sie ein Zertifikat als PEM ein, das TLS verwenden kann.",
  key: "Geben Sie den Schlüssel des Zertifikats als PEM ein, ohne Passphrase.",
  otherKey: "Der Schlüssel gehört zu einem anderen Zertifikat.",
  ended: "Dieses Zertifikat ist abgelaufen.",
  expiresAt: "Wählen Sie, wann das Token endet.",
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
