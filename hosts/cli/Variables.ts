import { readFileSync } from "node:fs"
import { Result } from "effect"
import { nearest } from "../../core/model/Nearest.ts"

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The text of a variable, or of the file that `NAME_FILE` names. Fails with a sentence that begins with the name. */
export const textOf = (environment: Environment, name: string): Result.Result<string | undefined, string> => {
  const direct = environment[name] === "" ? undefined : environment[name]
  const path = environment[`${name}_FILE`]
  if (path === undefined || path === "") return Result.succeed(direct)
  if (direct !== undefined) return Result.fail(`${name}: is given twice, as ${name} and as ${name}_FILE`)
  return Result.try({
    try: () => readFileSync(path, "utf8").trim(),
    // Without the path: a secret may have been given in its place.
    catch: (cause) => `${name}_FILE: can't be read (${(cause as NodeJS.ErrnoException).code ?? "unknown reason"})`,
  })
}

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
