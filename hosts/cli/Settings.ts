import { readFileSync } from "node:fs"
import { Config, ConfigProvider, Data, Effect, Redacted, Result, Schema, SchemaIssue } from "effect"
import { parseSchemaName } from "../../adapters/sql/index.ts"
import { type HostPolicy, publicOnly } from "../../core/model/HostPolicy.ts"
import { parseNetworks } from "../../core/rules/PublicHost.ts"
import { parseSchedule } from "../../core/rules/RetryPolicy.ts"
import {
  parseConcurrency,
  parseDatabaseUrl,
  parseKeyRing,
  parseNoticeUrl,
  parsePooler,
  parseServiceName,
  type SecretKeys,
} from "../../core/rules/SettingForms.ts"
import { attemptTimeout, defaultWorker, type WorkerOptions } from "../../core/usecases/dispatch/Dispatch.ts"
import { type Appearance, isColour, isLogo } from "../settings/Options.ts"
import { unknownSettings } from "./UnknownSettings.ts"

/** Settings that can't be used: every problem at once. Values are never repeated, they may be secrets. */
export class SettingsError extends Data.TaggedError("SettingsError")<{
  readonly message: string
  /** One sentence a problem, each beginning with the setting's name. */
  readonly problems: ReadonlyArray<string>
}> {}

/** What the host was told by its environment. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** `undefined`: the embedded database in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  /** The schema of the tables. */
  readonly schema: string
  /** What stands between this host and the database. */
  readonly pooler: "transaction" | undefined
  /** Where to LISTEN; `undefined`: at `databaseUrl`, or behind a pooler nowhere. */
  readonly listenUrl: Redacted.Redacted<string> | undefined
  /** Milliseconds to wait at start for a database that is not up yet. */
  readonly databaseWait: number
  readonly dataDirectory: string
  /** `undefined`: generated and kept in the data directory. */
  readonly manageKey: Redacted.Redacted<string> | undefined
  /** Newest first, 32 bytes each; `undefined`: generated and kept in the data directory. */
  readonly keyRing: SecretKeys | undefined
  /** Base address for people and links, without a slash at its end; `undefined`: where the server listens. */
  readonly publicUrl: string | undefined
  readonly autoMigrate: boolean
  /** Where the management API, its documentation and metrics listen; `undefined`: with everything else. */
  readonly manage: { readonly host: string; readonly port: number } | undefined
  /** Whether there are pages to read the documentation. */
  readonly docs: boolean
  /** In the `User-Agent` of deliveries. */
  readonly serviceName: string
  /** What the settings app looks like. */
  readonly appearance: Appearance
  /** Where webhooks may be sent to. */
  readonly webhookPolicy: HostPolicy
  /** How deliveries are made. */
  readonly worker: WorkerOptions
  /** Where notices go; `undefined`: to the log. */
  readonly noticeUrl: Redacted.Redacted<string> | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

const names = [
  "PORT",
  "HOST",
  "DATABASE_URL",
  "DESIGNWIRE_SCHEMA",
  "DESIGNWIRE_DATABASE_POOLER",
  "DESIGNWIRE_LISTEN_URL",
  "DESIGNWIRE_DATABASE_WAIT",
  "DESIGNWIRE_DATA_DIR",
  "DESIGNWIRE_MANAGE_KEY",
  "DESIGNWIRE_ENCRYPTION_KEYS",
  "DESIGNWIRE_PUBLIC_URL",
  "DESIGNWIRE_MANAGE_PORT",
  "DESIGNWIRE_MANAGE_HOST",
  "DESIGNWIRE_DOCS",
  "DESIGNWIRE_AUTO_MIGRATE",
  "DESIGNWIRE_SERVICE_NAME",
  "DESIGNWIRE_SETTINGS_NAME",
  "DESIGNWIRE_SETTINGS_LOGO",
  "DESIGNWIRE_SETTINGS_ACCENT",
  "DESIGNWIRE_RETRY_SCHEDULE",
  "DESIGNWIRE_ALLOW_NETWORKS",
  "DESIGNWIRE_DENY_NETWORKS",
  "DESIGNWIRE_ALLOW_HTTP",
  "DESIGNWIRE_CONCURRENCY",
  "DESIGNWIRE_LEASE",
  "DESIGNWIRE_NOTICE_URL",
] as const

type Name = (typeof names)[number]

/** The settings that nobody can do without who shares a database with others. */
export type Secret = "DESIGNWIRE_MANAGE_KEY" | "DESIGNWIRE_ENCRYPTION_KEYS"

/**
 * Reads the settings (README) from an environment; each may also be given as `NAME_FILE`, the path of a file that holds it. Settings that nobody
 * knows are named in the log.
 *
 * `needed`: the secrets that there must be with `DATABASE_URL`.
 */
export const readSettings = Effect.fn("readSettings")(function* (
  environment: Environment,
  needed: ReadonlyArray<Secret> = ["DESIGNWIRE_MANAGE_KEY", "DESIGNWIRE_ENCRYPTION_KEYS"],
) {
  for (const warning of unknownSettings(environment, names)) yield* Effect.logWarning(warning)
  const problems: Array<string> = []
  const values = new Map<Name, string>()
  for (const name of names) {
    const value = valueOf(environment, name)
    if (Result.isFailure(value)) problems.push(value.failure)
    else if (value.success !== undefined) values.set(name, value.success)
  }
  const provider = ConfigProvider.fromUnknown(Object.fromEntries(values))

  /** Reads one setting; a problem is noted and the reading goes on, so that all of them are told. */
  const read = <B>(name: Name, codec: Schema.Codec<string>, fallback: B): Effect.Effect<string | B> =>
    values.has(name)
      ? Config.schema(codec, name).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, provider),
          Effect.catch((error) => {
            problems.push(`${name}: ${reasonOf(error)}`)
            return Effect.succeed(fallback)
          }),
        )
      : Effect.succeed(fallback)

  /** Reads one setting that a rule of the core interprets. */
  const interpret = <A, B>(
    name: Name,
    rule: (text: string) => Result.Result<A, string>,
    fallback: B,
  ): Effect.Effect<A | B> =>
    Effect.sync(() => {
      const text = values.get(name)
      if (text === undefined) return fallback
      return Result.getOrElse(rule(text), (expected): A | B => {
        problems.push(`${name}: must be ${expected}`)
        return fallback
      })
    })

  const port = Number(yield* read("PORT", Port, 3000))
  const host = yield* read("HOST", Schema.NonEmptyString, "127.0.0.1")
  const manage = {
    host: yield* read("DESIGNWIRE_MANAGE_HOST", Schema.NonEmptyString, host),
    port: Number(yield* read("DESIGNWIRE_MANAGE_PORT", Port, port)),
  }
  // Whoever asks for any free port twice gets two.
  const isApart = manage.host !== host || manage.port !== port || (port === 0 && values.has("DESIGNWIRE_MANAGE_PORT"))
  const manageKey = yield* read("DESIGNWIRE_MANAGE_KEY", ManageKey, undefined)
  if (values.has("DATABASE_URL")) {
    for (const name of needed) {
      if (!values.has(name)) problems.push(`${name}: is needed with DATABASE_URL; "designwire key" makes a new one`)
    }
  }
  const settings: Settings = {
    port,
    host,
    databaseUrl: yield* interpret("DATABASE_URL", parseDatabaseUrl, undefined),
    schema: yield* interpret("DESIGNWIRE_SCHEMA", parseSchemaName, "designwire"),
    pooler: yield* interpret("DESIGNWIRE_DATABASE_POOLER", parsePooler, undefined),
    listenUrl: yield* interpret("DESIGNWIRE_LISTEN_URL", parseDatabaseUrl, undefined),
    databaseWait: yield* interpret("DESIGNWIRE_DATABASE_WAIT", parseWait, 30_000),
    dataDirectory: yield* read("DESIGNWIRE_DATA_DIR", Schema.NonEmptyString, ".designwire"),
    manageKey: manageKey === undefined ? undefined : Redacted.make(manageKey),
    keyRing: yield* interpret("DESIGNWIRE_ENCRYPTION_KEYS", parseKeyRing, undefined),
    publicUrl: (yield* read("DESIGNWIRE_PUBLIC_URL", PublicUrl, undefined))?.replace(/\/+$/, ""),
    autoMigrate: (yield* read("DESIGNWIRE_AUTO_MIGRATE", Switch, "false")) === "true",
    manage: isApart ? manage : undefined,
    docs: (yield* read("DESIGNWIRE_DOCS", Switch, "true")) === "true",
    serviceName: yield* interpret("DESIGNWIRE_SERVICE_NAME", parseServiceName, "Designwire"),
    appearance: {
      name: yield* read("DESIGNWIRE_SETTINGS_NAME", Schema.NonEmptyString, undefined),
      logo: yield* read("DESIGNWIRE_SETTINGS_LOGO", Logo, undefined),
      colours: yield* interpret("DESIGNWIRE_SETTINGS_ACCENT", parseAccent, undefined),
    },
    webhookPolicy: {
      allowNetworks: yield* interpret("DESIGNWIRE_ALLOW_NETWORKS", parseNetworks, publicOnly.allowNetworks),
      denyNetworks: yield* interpret("DESIGNWIRE_DENY_NETWORKS", parseNetworks, []),
      allowHttp: (yield* read("DESIGNWIRE_ALLOW_HTTP", Switch, "false")) === "true",
    },
    worker: {
      ...defaultWorker,
      schedule: yield* interpret("DESIGNWIRE_RETRY_SCHEDULE", parseSchedule, defaultWorker.schedule),
      concurrency: yield* interpret("DESIGNWIRE_CONCURRENCY", parseConcurrency, defaultWorker.concurrency),
      lease: yield* interpret("DESIGNWIRE_LEASE", parseLease, defaultWorker.lease),
    },
    noticeUrl: yield* interpret("DESIGNWIRE_NOTICE_URL", parseNoticeUrl, undefined),
  }
  if (problems.length > 0) {
    return yield* new SettingsError({ message: ["These settings can't be used:", ...problems].join("\n  "), problems })
  }
  return settings
})

const valueOf = (environment: Environment, name: Name): Result.Result<string | undefined, string> => {
  const direct = environment[name] === "" ? undefined : environment[name]
  const path = environment[`${name}_FILE`]
  if (path === undefined || path === "") return Result.succeed(direct)
  if (direct !== undefined) return Result.fail(`${name}: is given twice, as ${name} and as ${name}_FILE`)
  return Result.try({
    try: () => readFileSync(path, "utf8").trim(),
    // Not the path: who mistook the one setting for the other has given a secret.
    catch: (cause) => `${name}_FILE: can't be read (${(cause as NodeJS.ErrnoException).code ?? "unknown reason"})`,
  })
}

/** The expectation that was not met, without the value that did not meet it. */
const reasonOf = (error: Config.ConfigError): string => {
  if (error.cause._tag !== "SchemaError") return "could not be read"
  const [issue] = format(error.cause.issue).issues
  return issue?.message.replace(/, (got|actual) [\s\S]*$/, "") ?? "is not valid"
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const expecting = (expected: string, test: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter((text: string) => test(text) || `must be ${expected}`))

const Port = expecting("a port, 0 to 65535", (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535)

/** Whether a text can be the manage key. */
export const isManageKey = (text: string): boolean => /^[\x21-\x7e]{16,}$/.test(text)

const ManageKey = expecting("at least 16 characters, printable ASCII without spaces", isManageKey)

const Switch = expecting("true or false", (text) => text === "true" || text === "false")

/** A lease is one wait of a schedule, longer than an attempt. */
const parseLease = (text: string): Result.Result<number, string> => {
  const expected = `a duration of more than ${attemptTimeout / 1000}s, e.g. 30s`
  const [lease, ...rest] = Result.getOrElse(parseSchedule(text), () => [])
  return lease === undefined || rest.length > 0 || lease <= attemptTimeout
    ? Result.fail(expected)
    : Result.succeed(lease)
}

/** One wait of a schedule, or none. */
const parseWait = (text: string): Result.Result<number, string> => {
  const [wait, ...rest] = /^0(ms|s|m|h)$/.test(text) ? [0] : Result.getOrElse(parseSchedule(text), () => [])
  return wait === undefined || rest.length > 0 ? Result.fail("a duration, e.g. 30s, or 0s") : Result.succeed(wait)
}

const Logo = expecting("an https URL or a path", isLogo)

/** A colour, and behind a comma the one for dark surroundings. */
const parseAccent = (text: string): Result.Result<Appearance["colours"], string> => {
  const [accent, accentDark, ...rest] = text.split(",").map((part) => part.trim())
  return rest.length === 0 && [accent, accentDark ?? accent].every((part) => isColour(part ?? ""))
    ? Result.succeed({ accent, accentDark })
    : Result.fail("a colour like #4338ca, or two with a comma between them: the second for dark surroundings")
}

const PublicUrl = expecting("an http(s) URL", (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""))
