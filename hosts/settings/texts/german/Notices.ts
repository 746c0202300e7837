import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

export const notices: Texts["notices"] = {
  title: "Meldungen",
  failing: (failures) => `${figure(failures)} Mal nacheinander fehlgeschlagen`,
  switchedOff: (failures) => `Nach ${figure(failures)} Fehlversuchen nacheinander abgeschaltet`,
  givenUp: (attempts) =>
    `Zustellung nach ${figure(attempts)} ${plural(attempts, { one: "Versuch", other: "Versuchen" })} aufgegeben`,
  tokenEnding: (name) => `Das API-Token „${name}“ endet bald`,
  tokenEnd: (when) => ["Endet ", when],
  inboxDropped: (events) =>
    events === 1
      ? "Ein Ereignis der Shop-Plattform wurde gelöscht, ohne übernommen zu sein"
      : `${figure(events)} Ereignisse der Shop-Plattform wurden gelöscht, ohne übernommen zu sein`,
  inboxOldest: (order) => ["Das älteste betraf die Bestellung ", order],
  bannerLabel: "Abgeschaltete Webhooks",
  banner: "Ein Webhook-Endpoint wurde abgeschaltet",
  bannerReason: (failures) => `, nach ${failures} Fehlversuchen nacheinander: `,
}
