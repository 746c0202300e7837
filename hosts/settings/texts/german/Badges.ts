import type { Texts } from "../Language.ts"

export const badges: Texts["badges"] = {
  free: "Im kostenlosen Tarif wird nichts gesendet",
  switchedOff: (when) => ["Abgeschaltet ", when],
  paused: (when) => ["Pausiert ", when],
  active: "Aktiv",
  failing: (failures, maximum) => `Fehlerhaft, ${failures} von ${maximum}`,
}
