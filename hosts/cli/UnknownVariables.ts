import { nearest } from "../../core/model/Nearest.ts"

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
    .map(
      (unknown) =>
        `The environment variable ${unknown} is unknown and has no effect: did you mean ${nearest(unknown, names)}?`,
    )
}
