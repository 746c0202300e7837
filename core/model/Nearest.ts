/** A name, and how far it is from the unknown one: from 0, the same, to 1, not a letter in common. */
interface Near {
  readonly name: string
  readonly distance: number
}

/** The name that is spelled most like an unknown one; `undefined` without names. */
const nearestOf = (unknown: string, names: Iterable<string>): Near | undefined => {
  let best: Near | undefined
  for (const name of names) {
    const distance = changes(unknown.slice(0, longest), name) / Math.max(unknown.length, name.length)
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance }
  }
  return best
}

/** The name that is spelled most like an unknown one; `undefined` without names. */
export const nearest = (unknown: string, names: Iterable<string>): string | undefined => nearestOf(unknown, names)?.name

/** Says that a field does not exist, and which field may be meant (D48). */
export const unknownField = (name: string, fields: ReadonlyArray<string>): string => {
  const near = nearestOf(name, fields)
  if (near === undefined) return "is unknown: no field is expected here"
  return near.distance <= 0.6 ? `is unknown: did you mean ${near.name}?` : `is unknown: known is ${fields.join(", ")}`
}

/** Letters of an unknown name that are compared: it may be as long as its input. */
const longest = 100

/** How many letters must be inserted, removed or replaced to turn one text into the other (Levenshtein). */
const changes = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
