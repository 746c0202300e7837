import { Result } from "effect"
import type { OwnPool } from "../../adapters/connection/Query.ts"
import type { PostgresOptions } from "../../adapters/postgres/index.ts"
import { defaultPrefix, prefixProblem, publicUrlProblem } from "../../core/api/Prefix.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import { parseDatabaseUrl } from "../../core/rules/catalog/ConfigValues.ts"
import { appearanceProblems } from "../settings/Options.ts"
import { type Config, options as configured, readFrom } from "./Config.ts"
import type { Item } from "./ConfigItem.ts"
import { InvalidInput, type Problem } from "./DesignwireError.ts"
import { type IngestConfig, readIngest } from "./Ingest.ts"
import type { DesignwireOptions, SettingsApp } from "./Options.ts"
import { Report } from "./Report.ts"
import { isTelemetry } from "./Telemetry.ts"

/** The database that the options choose. */
export type DatabaseConfig =
  | { readonly kind: "memory" }
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "server"; readonly options: PostgresOptions }
  | { readonly kind: "pool"; readonly pool: OwnPool }

/** The configuration of an embedded service. */
export interface EmbedConfig
  extends Pick<
    Config,
    | "serviceName"
    | "webhookPolicy"
    | "worker"
    | "schema"
    | "connectionWait"
    | "lockWait"
    | "rateLimit"
    | "traceReceivers"
    | "webhookProxy"
  > {
  readonly database: DatabaseConfig
  readonly keyRing: KeyRing["Service"]
  readonly basePath: `/${string}`
  readonly publicUrl: string | undefined
  readonly settingsApp: SettingsApp | undefined
  readonly ingest: IngestConfig | undefined
  readonly imageUrls: DesignwireOptions["imageUrls"]
  readonly onNotice: DesignwireOptions["onNotice"]
  readonly notifyInTransactions: boolean
  readonly telemetry: DesignwireOptions["telemetry"]
}

type Given = { readonly [name: string]: unknown }

/** The options, of which `Config` declares those that have an environment variable too. */
const names: ReadonlyArray<string> = [
  ...new Set(configured.map((option) => option.replace(/\..*/, ""))),
  ...([
    "basePath",
    "publicUrl",
    "settings",
    "ingest",
    "imageUrls",
    "onNotice",
    "notifyInTransactions",
    "telemetry",
  ] satisfies ReadonlyArray<keyof DesignwireOptions>),
]

/** Reads the options. Fails with every problem of theirs, without values that may be secrets. */
export const readOptions = (options: DesignwireOptions): Result.Result<EmbedConfig, ReadonlyArray<Problem>> => {
  const given: Given = isRecord(options) ? options : {}
  const report = new Report(given)
  report.noteUnknown(names)
  const kind = kindOf(given["database"])
  // An environment variable that is not set is often given as the empty text.
  const encryptionKeys = given["encryptionKeys"] === "" ? undefined : given["encryptionKeys"]
  if (encryptionKeys === undefined) {
    report.note("encryptionKeys", 'is needed: base64 of 32 bytes each, comma-separated; "npx designwire key" makes one')
  }
  const read = { ...given, encryptionKeys, database: partsOf(given["database"], kind) }
  const { config, problems } = readFrom((item) => textOf(read, item))
  for (const { message, name } of problems) report.note(name, message)
  const { connectionWait, keyRing, lockWait, rateLimit, schema, serviceName, traceReceivers } = config
  const { webhookPolicy, webhookProxy, worker } = config
  const database = readDatabase(report, given["database"], kind, config)
  const settingsApp = readSettingsApp(report, given["settings"])
  if (settingsApp !== undefined && settingsApp.path === (given["basePath"] ?? defaultPrefix)) {
    report.note("settings.path", "must be another path than basePath")
  }
  const ingest = readIngest(report, given["ingest"])
  if (ingest !== undefined && [given["basePath"] ?? defaultPrefix, settingsApp?.path].includes(ingest.path)) {
    report.note("ingest.path", "must be another path than basePath and settings.path")
  }
  const others = {
    settingsApp,
    ingest,
    basePath: report.judge("basePath", prefixProblem, defaultPrefix) as `/${string}`,
    publicUrl: report.judge("publicUrl", publicUrlProblem, undefined),
    imageUrls: report.check("imageUrls", isImageUrls, "must be a function", undefined),
    onNotice: report.check("onNotice", isOnNotice, "must be a function", undefined),
    notifyInTransactions: report.check("notifyInTransactions", isBoolean, "must be true or false", true),
    telemetry: report.check(
      "telemetry",
      isTelemetry,
      'must be the module @opentelemetry/api, or "environment"',
      undefined,
    ),
  }
  return database === undefined || keyRing === undefined || report.problems.length > 0
    ? Result.fail(report.problems)
    : Result.succeed({
        ...others,
        ...{ connectionWait, database, keyRing, lockWait, rateLimit, schema, serviceName, traceReceivers },
        ...{ webhookPolicy, webhookProxy, worker },
      })
}

/**
 * The value of an option as a text; an array's parts get commas between them. A value of another type is the empty
 * text, which no item accepts.
 */
const textOf = (given: Given, { fallback, isList, isSwitch, option }: Item<unknown>) => {
  if (option === undefined) return undefined
  const [name = "", part] = option.split(".")
  const whole = given[name]
  const value = part === undefined ? whole : isRecord(whole) ? whole[part] : undefined
  if (value === undefined) return undefined
  if (isList && Array.isArray(value)) {
    if (value.length === 0 && Array.isArray(fallback) && fallback.length === 0) return undefined
    return { name: option, text: value.every(isPart) ? value.join(",") : "" }
  }
  const isFitting = isSwitch ? isBoolean(value) : typeof value === "string" || typeof value === "number"
  return { name: option, text: isFitting ? String(value) : "" }
}

/** The error with all problems of the options. */
export const refused = (problems: ReadonlyArray<Problem>): InvalidInput => {
  const sentences = problems.map(({ message, path }) => `${path}: ${message}`)
  return new InvalidInput(["These options can't be used:", ...sentences].join("\n  "), problems)
}

const isRecord = (value: unknown): value is Given => typeof value === "object" && value !== null

const isPart = (value: unknown): value is string => typeof value === "string" && !value.includes(",")

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

const isTrue = (value: unknown): value is true => value === true

const isImageUrls = (value: unknown): value is NonNullable<DesignwireOptions["imageUrls"]> =>
  typeof value === "function"

const isOnNotice = (value: unknown): value is NonNullable<DesignwireOptions["onNotice"]> => typeof value === "function"

const isOwnPool = (value: unknown): value is OwnPool =>
  isRecord(value) && typeof value["query"] === "function" && typeof value["reserve"] === "function"

const isAuthorize = (value: unknown): value is SettingsApp["authorize"] => typeof value === "function"

/** Reads the options of the settings app, and notes their problems. */
const readSettingsApp = (report: Report, settings: unknown): SettingsApp | undefined => {
  if (settings === undefined) return undefined
  if (!isRecord(settings)) {
    report.note("settings", "must be { path, authorize }")
    return undefined
  }
  const parts = report.part("settings", settings)
  parts.noteUnknown([
    "path",
    "authorize",
    "url",
    "name",
    "logo",
    "colours",
    "radius",
    "font",
    "language",
    "frameAncestors",
  ])
  const path = parts.judge("path", prefixProblem, undefined)
  const authorize = parts.check("authorize", isAuthorize, "must be a function", undefined)
  const url = parts.judge("url", publicUrlProblem, undefined)
  for (const name of ["path", "authorize"]) {
    if (settings[name] === undefined) parts.note(name, "is needed")
  }
  const appearance = settings as Omit<SettingsApp, "path" | "authorize">
  for (const problem of appearanceProblems(appearance)) parts.note(problem.path, problem.message)
  return path === undefined || authorize === undefined ? undefined : { ...appearance, path, authorize, url }
}

const kinds = { url: "server", directory: "directory", memory: "memory" } as const

const kindOf = (database: unknown): DatabaseConfig["kind"] | undefined => {
  if (isOwnPool(database)) return "pool"
  if (!isRecord(database)) return undefined
  const [kind, ...others] = Object.entries(kinds).flatMap(([name, kind]) => (database[name] === undefined ? [] : kind))
  return others.length > 0 ? undefined : kind
}

/** The options of the chosen kind of database; the others have no effect. */
const partsOf = (database: unknown, kind: DatabaseConfig["kind"] | undefined): Given => {
  if (!isRecord(database)) return {}
  return kind === "server" ? database : kind === "directory" ? { directory: database["directory"] } : {}
}

const forms =
  "must be { url }, { directory }, { memory: true }, " +
  "or a pool of yours as fromPgPool(pool) or fromPostgresJsPool(sql) give it"

/** Reads the database that the options choose, and notes problems alongside the problems of items. */
const readDatabase = (
  report: Report,
  database: unknown,
  kind: DatabaseConfig["kind"] | undefined,
  { databaseUrl, dataDirectory, pooler }: Config,
): DatabaseConfig | undefined => {
  const parts = report.part("database", isRecord(database) ? database : {})
  switch (kind) {
    case undefined:
      report.note("database", forms)
      return undefined
    case "pool":
      return { kind, pool: database as OwnPool }
    case "memory":
      parts.noteUnknown(["memory"])
      parts.check("memory", isTrue, "must be true", true)
      return { kind }
    case "directory":
      parts.noteUnknown(["directory"])
      return { kind, directory: dataDirectory }
    case "server": {
      const others = readServer(parts)
      return databaseUrl === undefined ? undefined : { kind, options: { ...others, url: databaseUrl, pooler } }
    }
  }
}

/** Reads the options of a server that have no environment variable, and notes their problems. */
const readServer = (parts: Report): Pick<PostgresOptions, "listenUrl" | "maxConnections"> => {
  parts.noteUnknown(["url", "pooler", "listenUrl", "maxConnections"])
  return {
    listenUrl: parts.parse("listenUrl", parseDatabaseUrl),
    maxConnections: parts.check("maxConnections", isCount, "must be an integer, 1 or more", undefined),
  }
}
