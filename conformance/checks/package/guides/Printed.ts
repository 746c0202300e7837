/** Compares what a guide shows with what was printed. `…` stands for anything; times and durations may differ. */

/** The lines of a text that a guide shows and that were not printed. */
export const missingLines = (shown: string, printed: string): ReadonlyArray<string> => {
  const lines = printed.split("\n")
  return shown
    .split("\n")
    .filter((line) => line.trim() !== "")
    .filter((line) => !lines.some((other) => isLike(line, other)))
}

/** Whether something that was printed is the JSON that a guide shows. */
export const isPrintedJson = (shown: string, printed: string): boolean => {
  const wanted: unknown = JSON.parse(shown)
  return [printed, ...printed.split("\n")].some((text) => {
    try {
      return isLikeJson(wanted, JSON.parse(text))
    } catch {
      return false
    }
  })
}

const isLike = (shown: string, printed: string): boolean =>
  new RegExp(
    `^${steady(shown)
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
  ).test(steady(printed).trim())

/** A text whose times and durations are always the same. */
const steady = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d(\.\d+)?/g, "2026-11-20$112:00:00")
    .replaceAll(/\d+\.\d s\b/g, "0.0 s")
    .replaceAll(/\b\d+ ms\b/g, "0 ms")

const isLikeJson = (shown: unknown, printed: unknown): boolean => {
  if (typeof shown === "string") return typeof printed === "string" && isLike(shown, printed)
  if (typeof shown !== "object" || shown === null) return shown === printed
  if (typeof printed !== "object" || printed === null) return false
  const [keys, others] = [Object.keys(shown), Object.keys(printed)]
  return (
    Array.isArray(shown) === Array.isArray(printed) &&
    keys.length === others.length &&
    Object.entries(shown).every(([key, value]) => isLikeJson(value, (printed as Record<string, unknown>)[key]))
  )
}
