/** What `designwire listen` takes its token from. */
export const tokenVariable = "DESIGNWIRE_TOKEN"

/**
 * The variables of an environment that look like settings of ours and are none, each as a sentence that names the setting that is spelled most like it.
 *
 * `known`: the names of the settings; each is also known as `NAME_FILE`.
 */
export const unknownSettings = (
  environment: Readonly<Record<string, string | undefined>>,
  known: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const settings = known.flatMap((name) => [name, `${name}_FILE`])
  return Object.keys(environment)
    .filter((name) => name.startsWith("DESIGNWIRE_") && name !== tokenVariable && !settings.includes(name))
    .sort()
    .map((name) => {
      const [nearest] = settings
        .map((setting) => ({ setting, distance: distance(name, setting) }))
        .sort((left, right) => left.distance - right.distance)
      return `${name} is not a setting and has no effect: did you mean ${nearest?.setting}?`
    })
}

/** How many letters have to be put in, taken out or replaced to make one text of the other (Levenshtein). */
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
