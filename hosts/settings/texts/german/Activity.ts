import { figuresOf } from "../../parts/Figures.ts"
import type { Texts } from "../Language.ts"

const { figure, plural } = figuresOf("de")

export const activity: Texts["activity"] = {
  title: "Aktivität",
  time: "Zeitraum",
  ranges: { "1h": "Diese und die letzte Stunde", "24h": "24 Stunden", "7d": "7 Tage", "30d": "30 Tage" },
  delivered: "Zugestellt",
  failedAttempts: "Fehlversuche",
  retried: "Fehlgeschlagen, erneut versucht",
  givenUp: "Aufgegeben",
  median: "Mittlere Dauer",
  within: "95 % innerhalb von",
  pending: "Jetzt ausstehend",
  sentence: ({ failedAttempts, givenUp, succeeded }) =>
    [
      `${figure(succeeded)} zugestellt`,
      `${figure(failedAttempts)} ${plural(failedAttempts, { one: "Fehlversuch", other: "Fehlversuche" })}`,
      `${figure(givenUp)} aufgegeben`,
    ].join(", "),
  day: (sentence) => `Letzte 24 Stunden: ${sentence}`,
  asTable: "Als Tabelle",
  table: "Versuche nach Zeit",
  from: "Ab, in UTC",
  medianColumn: "Mittel",
  withinColumn: "95 %",
}
