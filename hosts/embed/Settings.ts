import { Result } from "effect"
import type { OwnPool } from "../../adapters/connection/Query.ts"
import type { PostgresOptions } from "../../adapters/postgres/index.ts"
import { parseSchemaName } from "../../adapters/sql/Schema.ts"
import { prefixProblem, publicUrlProblem } from "../../core/api/Prefix.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import { parseNetworks } from "../../core/rules/PublicHost.ts"
import { parseSchedule } from "../../core/rules/RetryPolicy.ts"
import {
  parseConcurrency,
  parseDatabaseUrl,
  parseKeyRing,
  parsePooler,
  parseServiceName,
} from "../../core/rules/SettingForms.ts"
import { defaultWorker, type WorkerOptions } from "../../core/usecases/dispatch/Dispatch.ts"
import { appearanceProblems } from "../settings/Options.ts"
import { InvalidInput, type Problem } from "./DesignwireError.ts"
import type { DesignwireOptions, SettingsApp } from "./Options.ts"

/** Where everything is kept. */
export type DatabaseSettings =
  | { readonly kind: "memory" }
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "server"; readonly options: PostgresOptions }
  | { readonly kind: "pool"; readonly pool: OwnPool }

/** What {@link DesignwireOptions} mean. */
export interface Settings {
  readonly database: DatabaseSettings
  readonly keyRing: KeyRing["Service"]
  readonly basePath: `/${string}`
  readonly publicUrl: string | undefined
  readonly settingsApp: SettingsApp | undefined
  readonly imageUrls: DesignwireOptions["imageUrls"]
  readonly onNotice: DesignwireOptions["onNotice"]
  readonly serviceName: string
  readonly webhookPolicy: HostPolicy
  readonly worker: WorkerOptions
  readonly schema: string
  readonly notifyInTransactions: boolean
}

const names: ReadonlySet<string> = new Set<keyof DesignwireOptions>([
  "database",
  "encryptionKeys",
  "basePath",
  "publicUrl",
  "settings",
  "imageUrls",
  "onNotice",
  "serviceName",
  "retrySchedule",
  "allowNetworks",
  "denyNetworks",
  "allowHttp",
  "concurrency",
  "schema",
  "notifyInTransactions",
])

/** Reads the options, or answers every problem of theirs, without values that may be secrets. */
export const readOptions = (options: DesignwireOptions): Result.Result<Settings, ReadonlyArray<Problem>> => {
  const given: { readonly [name: string]: unknown } = isRecord(options) ? options : {}
  const report = new Report(given)
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !names.has(name))
      report.note(name, `is no option; those that there are: ${[...names].join(", ")}`)
  }
  const settingsApp = readSettingsApp(report, given["settings"])
  if (settingsApp !== undefined && settingsApp.path === (given["basePath"] ?? "/api/v1")) {
    report.note("settings.path", "must be another path than basePath")
  }
  const settings: Omit<Settings, "keyRing" | "database"> = {
    settingsApp,
    basePath: report.judge("basePath", prefixProblem, "/api/v1") as `/${string}`,
    publicUrl: report.judge("publicUrl", publicUrlProblem, undefined),
    imageUrls: report.check("imageUrls", isImageUrls, "must be a function", undefined),
    onNotice: report.check("onNotice", isOnNotice, "must be a function", undefined),
    serviceName: report.read("serviceName", parseServiceName, "Designwire"),
    webhookPolicy: {
      allowNetworks: report.read("allowNetworks", parseNetworks, publicOnly.allowNetworks),
      denyNetworks: report.read("denyNetworks", parseNetworks, []),
      allowHttp: report.check("allowHttp", isBoolean, "must be true or false", false),
    },
    worker: {
      ...defaultWorker,
      schedule: report.read("retrySchedule", parseSchedule, defaultWorker.schedule),
      concurrency: report.read("concurrency", parseConcurrency, defaultWorker.concurrency),
    },
    schema: report.read("schema", parseSchemaName, "designwire"),
    notifyInTransactions: report.check("notifyInTransactions", isBoolean, "must be true or false", true),
  }
  const database = readDatabase(report, given["database"])
  const keyRing = hasKeys(given) ? report.read("encryptionKeys", parseKeyRing, undefined) : undefined
  if (!hasKeys(given)) {
    report.note("encryptionKeys", 'is needed: base64 of 32 bytes each, comma-separated; "npx designwire key" makes one')
  }
  return database === undefined || keyRing === undefined || report.problems.length > 0
    ? Result.fail(report.problems)
    : Result.succeed({ ...settings, database, keyRing })
}

/** An environment variable that is not set is often given as the empty text. */
const hasKeys = ({ encryptionKeys }: { readonly [name: string]: unknown }): boolean =>
  encryptionKeys !== undefined && encryptionKeys !== ""

/** The error that tells all problems of the options. */
export const refused = (problems: ReadonlyArray<Problem>): InvalidInput => {
  const sentences = problems.map(({ message, path }) => `${path}: ${message}`)
  return new InvalidInput(["These options can't be used:", ...sentences].join("\n  "), problems)
}

const forms =
  "must be { url }, { directory }, { memory: true }, or a pool of yours as fromPgPool(pool) or fromPostgresJsPool(sql) give it"

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

const isBoolean = (value: unknown) => typeof value === "boolean"

const isNonEmpty = (value: unknown): value is string => typeof value === "string" && value !== ""

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

const isTrue = (value: unknown): value is true => value === true

const isImageUrls = (value: unknown): value is NonNullable<DesignwireOptions["imageUrls"]> =>
  typeof value === "function"

const isOnNotice = (value: unknown): value is NonNullable<DesignwireOptions["onNotice"]> => typeof value === "function"

const isOwnPool = (value: unknown): value is OwnPool =>
  isRecord(value) && typeof value["query"] === "function" && typeof value["reserve"] === "function"

const isAuthorize = (value: unknown): value is SettingsApp["authorize"] => typeof value === "function"

/** What the settings app is told. Notes what is wrong with it. */
const readSettingsApp = (report: Report, settings: unknown): SettingsApp | undefined => {
  if (settings === undefined) return undefined
  if (!isRecord(settings)) {
    report.note("settings", "must be { path, authorize }")
    return undefined
  }
  const parts = report.part("settings", settings)
  const path = parts.judge("path", prefixProblem, undefined)
  const authorize = parts.check("authorize", isAuthorize, "must be a function", undefined)
  for (const name of ["path", "authorize"]) {
    if (settings[name] === undefined) parts.note(name, "is needed")
  }
  const appearance = settings as Omit<SettingsApp, "path" | "authorize">
  for (const problem of appearanceProblems(appearance)) parts.note(problem.path, problem.message)
  return path === undefined || authorize === undefined ? undefined : { ...appearance, path, authorize }
}

/** Which database is meant. Notes what is wrong with it. */
const readDatabase = (report: Report, database: unknown): DatabaseSettings | undefined => {
  if (isOwnPool(database)) return { kind: "pool", pool: database }
  const kinds = isRecord(database) ? ["url", "directory", "memory"].filter((kind) => database[kind] !== undefined) : []
  if (!isRecord(database) || kinds.length !== 1) {
    report.note("database", forms)
    return undefined
  }
  const parts = report.part("database", database)
  switch (kinds[0]) {
    case "memory":
      parts.check("memory", isTrue, "must be true", true)
      return { kind: "memory" }
    case "directory": {
      const directory = parts.check("directory", isNonEmpty, "must be a path", "")
      return { kind: "directory", directory }
    }
    default: {
      const url = parts.read("url", parseDatabaseUrl, undefined)
      const pooler = parts.read("pooler", parsePooler, undefined)
      const listenUrl = parts.read("listenUrl", parseDatabaseUrl, undefined)
      const maxConnections = parts.check("maxConnections", isCount, "must be an integer, 1 or more", undefined)
      if (url === undefined) return undefined
      return {
        kind: "server",
        options: {
          url,
          ...(pooler === undefined ? {} : { pooler }),
          ...(listenUrl === undefined ? {} : { listenUrl }),
          ...(maxConnections === undefined ? {} : { maxConnections }),
        },
      }
    }
  }
}

/** Reads options and collects what is wrong with them. */
class Report {
  readonly problems: Array<Problem>
  readonly #given: { readonly [name: string]: unknown }
  readonly #prefix: string

  constructor(given: { readonly [name: string]: unknown }, prefix = "", problems: Array<Problem> = []) {
    this.#given = given
    this.#prefix = prefix
    this.problems = problems
  }

  /** A reader of the options within one. */
  part(name: string, given: { readonly [name: string]: unknown }): Report {
    return new Report(given, `${name}.`, this.problems)
  }

  note(name: string, message: string): void {
    this.problems.push({ path: this.#prefix + name, message })
  }

  /** Reads an option by a rule that reads a text; a number is read as it is written. */
  read<A, B>(name: string, rule: (text: string) => Result.Result<A, string>, fallback: B): A | B {
    const value = this.#given[name]
    if (value === undefined) return fallback
    // What is no text can't be any of them, and neither can the empty text.
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
    return Result.getOrElse(rule(text), (expected): A | B => {
      this.note(name, `must be ${expected}`)
      return fallback
    })
  }

  /** Reads a text that a rule may find a problem with, as a sentence. */
  judge<B>(name: string, problemOf: (text: string) => string | undefined, fallback: B): string | B {
    const value = this.#given[name]
    if (value === undefined) return fallback
    const text = typeof value === "string" ? value : ""
    const problem = problemOf(text)
    if (problem === undefined) return text
    this.note(name, problem)
    return fallback
  }

  /** Reads an option that is as it should be, or not. */
  check<A, B>(name: string, is: (value: unknown) => value is A, message: string, fallback: B): A | B {
    const value = this.#given[name]
    if (value === undefined) return fallback
    if (is(value)) return value
    this.note(name, message)
    return fallback
  }
}
