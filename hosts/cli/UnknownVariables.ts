/** The environment variable with the API token of `designwire listen`. */
export const tokenVariable = "DESIGNWIRE_TOKEN"

/**
 * A sentence for each unknown environment variable that begins with `DESIGNWIRE_`, with the known one that is spelled
 * most like it.
 *
 * `known`: the names of the variables; each is also known as `NAME_FILE`.
 */
export const unknownVariables = (
  environment: Readonly<Record<string, string | undefined>>,
  known: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const names = known.flatMap((name) => [name, `${name}_FILE`])
  return Object.keys(environment)
    .filter((name) => name.startsWith("DESIGNWIRE_") && name !== tokenVariable && !names.includes(name))
    .sort()
    .map((unknown) => {
      const [nearest] = names
        .map((name) => ({ name, distance: distance(unknown, name) }))
        .sort((left, right) => left.distance - right.distance)
      return `The environment variable ${unknown} is unknown and has no effect: did you mean ${nearest?.name}?`
    })
}

/** How many letters must be inserted, removed or replaced to turn one text into the other (Levenshtein). */
const distance = (from: string, to: string): number => {
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
