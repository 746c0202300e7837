import { type AttemptCounts, quantileRange } from "../../../core/model/webhooks/AttemptCounts.ts"
import type { Texts } from "../texts/Language.ts"

/** One digit, two after a 1: as much as is known, and within each class of durations. */
const rounded = (milliseconds: number): number =>
  Number(milliseconds.toPrecision(String(milliseconds).startsWith("1") ? 2 : 1))

/** The median of the durations: `about 3 s`. Nothing is known within a class of durations. */
export const medianOf = (counts: AttemptCounts, { deliveries: texts }: Texts): string => {
  const found = quantileRange(counts, 0.5)
  if (found === null) return "–"
  if (found.most === null) return texts.over(found.above)
  return found.above === 0 ? texts.upTo(found.most) : texts.about(rounded(Math.sqrt(found.above * found.most)))
}

/** The time that 95 % of the durations did not exceed: `5 s`. */
export const withinOf = (counts: AttemptCounts, { deliveries: texts }: Texts): string => {
  const found = quantileRange(counts, 0.95)
  if (found === null) return "–"
  return found.most === null ? texts.over(found.above) : texts.duration(found.most)
}
