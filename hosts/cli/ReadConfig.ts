import { Data, Effect, Result } from "effect"
import { logged } from "../../core/model/log/LogEvent.ts"
import { type Config, readFrom, variables } from "../embed/Config.ts"
import { type Environment, textOf, unknownVariables } from "./Variables.ts"

/** Every problem of a configuration that can't be used. Values are never repeated, because they may be secrets. */
export class ConfigError extends Data.TaggedError("ConfigError")<{
  readonly message: string
  /** One sentence a problem, each beginning with the name of its environment variable. */
  readonly problems: ReadonlyArray<string>
}> {}

/** An error with one problem. */
export const configError = (message: string): ConfigError => new ConfigError({ message, problems: [message] })

/** The configuration of a host. Keys that are `undefined` are generated and kept in the data directory. */
export interface HostConfig extends Omit<Config, "manage"> {
  /**
   * The listener of the management API, its documentation and metrics; `undefined`: the listener of everything else.
   */
  readonly manage: { readonly host: string; readonly port: number } | undefined
}

/** The secrets that processes on one database must share. */
export type Secret = "DESIGNWIRE_MANAGE_KEY" | "DESIGNWIRE_ENCRYPTION_KEYS"

/**
 * Reads the configuration from environment variables. Instead of each variable, `NAME_FILE` may give the path of a file
 * with the value. Logs unknown variables that look like ours.
 *
 * `needed`: the secrets that are required with `DATABASE_URL`.
 */
export const readConfig = Effect.fn("readConfig")(function* (
  environment: Environment,
  needed: ReadonlyArray<Secret> = ["DESIGNWIRE_MANAGE_KEY", "DESIGNWIRE_ENCRYPTION_KEYS"],
) {
  for (const warning of unknownVariables(environment, variables))
    yield* Effect.logWarning(warning).pipe(logged("config.unknown_variable"))
  const { problems, read, texts } = readVariables(environment)
  if (texts.has("DATABASE_URL")) {
    for (const name of needed) {
      if (!texts.has(name)) problems.push(`${name}: is needed with DATABASE_URL; "designwire key" makes a new one`)
    }
  }
  if ((read.config.cell === undefined) !== (read.config.cellsFile === undefined)) {
    problems.push("DESIGNWIRE_CELL: is needed together with DESIGNWIRE_CELLS_FILE, or neither")
  }
  if (problems.length > 0) {
    return yield* new ConfigError({
      message: ["This configuration can't be used:", ...problems].join("\n  "),
      problems,
    })
  }
  const config: HostConfig = { ...read.config, manage: managementListener(read.config) }
  return config
})

/** How to log, before anything else is known: a variable with a problem has its default until that is reported. */
export const readLog = (environment: Environment): Config["log"] => readVariables(environment).read.config.log

const readVariables = (environment: Environment) => {
  const problems: Array<string> = []
  const texts = new Map<string, string>()
  for (const variable of variables) {
    const text = textOf(environment, variable)
    if (Result.isFailure(text)) problems.push(text.failure)
    else if (text.success !== undefined) texts.set(variable, text.success)
  }
  const read = readFrom(({ variable }) => {
    const text = texts.get(variable)
    return text === undefined ? undefined : { name: variable, text }
  })
  problems.push(...read.problems.map(({ message, name }) => `${name}: ${message}`))
  return { problems, read, texts }
}

const managementListener = ({ host, manage, port }: Config): HostConfig["manage"] => {
  const listener = { host: manage.host ?? host, port: manage.port ?? port }
  // Port 0 means any free port: twice that is two ports.
  const isOther = listener.host !== host || listener.port !== port || manage.port === 0
  return isOther ? listener : undefined
}
