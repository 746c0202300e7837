import { figuresOf } from "../../../parts/Figures.ts"
import type { Texts } from "../../Language.ts"

const { figure } = figuresOf("de")

export const webhooks: Texts["webhooks"] = {
  title: "Webhooks",
  lead: "Ihre Systeme erhalten eine signierte Anfrage, wenn ein Design bestellt oder eine Bestellung storniert wird.",
  used: (number, maximum) => `${number} von ${maximum} belegt`,
  full: (maximum) =>
    [
      `Ein Shop kann ${figure(maximum)} Endpoints haben, und dieser hat sie alle. Löschen Sie einen,`,
      "um einen anderen anzulegen.",
    ].join(" "),
  create: "Endpoint anlegen",
  none: "Noch keine Endpoints",
  noneLead:
    "Geben Sie die URL eines Ihrer Systeme an. Senden Sie ihm dann ein Testereignis, und sehen Sie die Antwort.",
  createFirst: "Den ersten Endpoint anlegen",
  nothing: "Noch nichts zugestellt",
  latest: (when) => ["Letzte Zustellung ", when],
  pending: (number) => ` · ${figure(number)} ausstehend`,
}
