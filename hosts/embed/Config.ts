import { Result } from "effect"
import { parseSchemaName } from "../../adapters/sql/schema/Schema.ts"
import { defaultConnectionWait, defaultLockWait } from "../../adapters/sql/statements/Waits.ts"
import { publicOnly } from "../../core/model/HostPolicy.ts"
import {
  parseCell,
  parseConcurrency,
  parseConnections,
  parseDatabaseUrl,
  parseDuration,
  parseDurationOver,
  parseKeyRing,
  parseLogTime,
  parseManageKey,
  parseNoticeUrl,
  parseOneOf,
  parsePlatformSecrets,
  parsePooler,
  parsePort,
  parseProperty,
  parseProxyUrl,
  parsePublicUrl,
  parseRateLimit,
  parseRequests,
  parseServiceName,
  parseShops,
} from "../../core/rules/ConfigValues.ts"
import { parseNetworks } from "../../core/rules/PublicHost.ts"
import { parseSchedule } from "../../core/rules/RetryPolicy.ts"
import {
  attemptTimeout,
  defaultWorker,
  ServiceName,
  type WorkerOptions,
} from "../../core/usecases/dispatch/Dispatch.ts"
import { defaultProperty } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { defaultRateLimit } from "../../core/usecases/tokens/LimitRequest.ts"
import { type Appearance, isColour, isFont, isLogo, isRadius } from "../settings/Options.ts"
import { languages } from "../settings/texts/Languages.ts"
import { flag, item, list, listItems, type Problem, readItems, type Source, type Values } from "./ConfigItem.ts"

const nonEmpty = (expected: string) => (text: string) => (text === "" ? Result.fail(expected) : Result.succeed(text))

const fitting = (expected: string, test: (text: string) => boolean) => (text: string) =>
  test(text) ? Result.succeed(text) : Result.fail(expected)

const parseLanguage = parseOneOf(...(Object.keys(languages) as ReadonlyArray<keyof typeof languages>))

/** A colour, and after a comma the one for dark surroundings. */
const parseAccent = (text: string): Result.Result<NonNullable<Appearance["colours"]>, string> => {
  const [accent, accentDark, ...rest] = text.split(",").map((part) => part.trim())
  return rest.length === 0 && [accent, accentDark ?? accent].every((part) => isColour(part ?? ""))
    ? Result.succeed({ accent, accentDark })
    : Result.fail("a colour like #4338ca, or two with a comma between them: the second for dark surroundings")
}

/**
 * Every item that environment variables configure, and its option of `createDesignwire` if it has one. Options without
 * a variable are in `ReadOptions.ts`.
 */
const items = {
  host: item({ variable: "HOST" }, nonEmpty("a host name or an address"), "127.0.0.1"),
  port: item({ variable: "PORT" }, parsePort, 3000),
  /** The listener of the management API, its documentation, the settings app and metrics, if it is another one. */
  manage: {
    host: item({ variable: "DESIGNWIRE_MANAGE_HOST" }, nonEmpty("a host name or an address"), undefined),
    port: item({ variable: "DESIGNWIRE_MANAGE_PORT" }, parsePort, undefined),
  },
  /** The requests under way at once, the connections of one address, and the networks of proxies, which have more. */
  limits: {
    maximumRequests: item({ variable: "DESIGNWIRE_MAX_REQUESTS" }, parseRequests, 1024),
    maximumPerAddress: item({ variable: "DESIGNWIRE_CONNECTIONS_PER_ADDRESS" }, parseConnections, 512),
    proxies: item({ variable: "DESIGNWIRE_PROXY_NETWORKS" }, parseNetworks, []),
  },
  /** The requests that a token may make in any 60 seconds. */
  rateLimit: item({ variable: "DESIGNWIRE_RATE_LIMIT", option: "rateLimit" }, parseRateLimit, defaultRateLimit),
  manageKey: item({ variable: "DESIGNWIRE_MANAGE_KEY" }, parseManageKey, undefined),
  /** Newest first, 32 bytes each. */
  keyRing: list({ variable: "DESIGNWIRE_ENCRYPTION_KEYS", option: "encryptionKeys" }, parseKeyRing, undefined),
  databaseUrl: item({ variable: "DATABASE_URL", option: "database.url" }, parseDatabaseUrl, undefined),
  /** The kind of pooler between this host and the database. */
  pooler: item({ variable: "DESIGNWIRE_DATABASE_POOLER", option: "database.pooler" }, parsePooler, undefined),
  /** A direct connection for LISTEN; `undefined`: `databaseUrl`, or none behind a pooler. */
  listenUrl: item({ variable: "DESIGNWIRE_LISTEN_URL" }, parseDatabaseUrl, undefined),
  /** The cell of this host, and the map that the proxies route by; `undefined`: it serves all shops. */
  cell: item({ variable: "DESIGNWIRE_CELL" }, parseCell, undefined),
  cellsFile: item({ variable: "DESIGNWIRE_CELLS_FILE" }, nonEmpty("a path"), undefined),
  /** The embedded database, and the keys of a host that generates its own. */
  dataDirectory: item(
    { variable: "DESIGNWIRE_DATA_DIR", option: "database.directory" },
    nonEmpty("a path"),
    ".designwire",
  ),
  /** Milliseconds to wait at start for a database that is not up yet. */
  databaseWait: item({ variable: "DESIGNWIRE_DATABASE_WAIT" }, parseDuration, 30_000),
  /** Milliseconds that a call waits for a free connection of the pool. */
  connectionWait: item(
    { variable: "DESIGNWIRE_CONNECTION_WAIT", option: "connectionWait" },
    parseDurationOver(0),
    defaultConnectionWait,
  ),
  /** Milliseconds that a statement waits for a lock that another transaction holds. */
  lockWait: item({ variable: "DESIGNWIRE_LOCK_WAIT", option: "lockWait" }, parseDurationOver(0), defaultLockWait),
  /** The schema of the tables. */
  schema: item({ variable: "DESIGNWIRE_SCHEMA", option: "schema" }, parseSchemaName, "designwire"),
  autoMigrate: flag({ variable: "DESIGNWIRE_AUTO_MIGRATE" }, false),
  /** Base address of the host for people and links; `undefined`: the address that the server listens on. */
  publicUrl: item({ variable: "DESIGNWIRE_PUBLIC_URL" }, parsePublicUrl, undefined),
  /** Whether to serve pages with the documentation of the APIs. */
  docs: flag({ variable: "DESIGNWIRE_DOCS" }, true),
  /** The name in the `User-Agent` of deliveries. */
  serviceName: item(
    { variable: "DESIGNWIRE_SERVICE_NAME", option: "serviceName" },
    parseServiceName,
    ServiceName.defaultValue(),
  ),
  /** The appearance of the settings app; as options, parts of `settings`. */
  appearance: {
    name: item({ variable: "DESIGNWIRE_SETTINGS_NAME" }, nonEmpty("a text"), undefined),
    logo: item({ variable: "DESIGNWIRE_SETTINGS_LOGO" }, fitting("an https URL or a path", isLogo), undefined),
    colours: item({ variable: "DESIGNWIRE_SETTINGS_ACCENT" }, parseAccent, undefined),
    radius: item(
      { variable: "DESIGNWIRE_SETTINGS_RADIUS" },
      fitting("a length like 8px or 0.5rem", isRadius),
      undefined,
    ),
    font: item(
      { variable: "DESIGNWIRE_SETTINGS_FONT" },
      fitting("names of fonts like Inter, serif", isFont),
      undefined,
    ),
    language: item({ variable: "DESIGNWIRE_SETTINGS_LANGUAGE" }, parseLanguage, undefined),
  },
  /** The URLs that webhooks may be sent to. */
  webhookPolicy: {
    allowNetworks: list(
      { variable: "DESIGNWIRE_ALLOW_NETWORKS", option: "allowNetworks" },
      parseNetworks,
      publicOnly.allowNetworks,
    ),
    denyNetworks: list({ variable: "DESIGNWIRE_DENY_NETWORKS", option: "denyNetworks" }, parseNetworks, []),
    allowHttp: flag({ variable: "DESIGNWIRE_ALLOW_HTTP", option: "allowHttp" }, publicOnly.allowHttp),
  },
  /** The HTTP proxy through which webhooks are sent; `undefined`: none. */
  webhookProxy: item({ variable: "DESIGNWIRE_WEBHOOK_PROXY", option: "webhookProxy" }, parseProxyUrl, undefined),
  /** Deliveries: how many at the same time, and when again after a failure. */
  worker: {
    concurrency: item(
      { variable: "DESIGNWIRE_CONCURRENCY", option: "concurrency" },
      parseConcurrency,
      defaultWorker.concurrency,
    ),
    lease: item({ variable: "DESIGNWIRE_LEASE" }, parseDurationOver(attemptTimeout), defaultWorker.lease),
    schedule: list(
      { variable: "DESIGNWIRE_RETRY_SCHEDULE", option: "retrySchedule" },
      parseSchedule,
      defaultWorker.schedule,
    ),
    deliveryLog: item({ variable: "DESIGNWIRE_DELIVERY_LOG", option: "deliveryLog" }, parseLogTime, undefined),
  },
  /** Orders from shop platforms: the secrets that sign them, and the property with the design's id. */
  ingest: {
    shopify: item({ variable: "DESIGNWIRE_SHOPIFY_SECRET" }, parsePlatformSecrets, undefined),
    woocommerce: item({ variable: "DESIGNWIRE_WOOCOMMERCE_SECRET" }, parsePlatformSecrets, undefined),
    property: item({ variable: "DESIGNWIRE_INGEST_PROPERTY" }, parseProperty, defaultProperty),
  },
  /** The log of a process. */
  log: {
    /** `undefined`: `pretty` if a person reads stdout, else `json`. */
    format: item({ variable: "DESIGNWIRE_LOG_FORMAT" }, parseOneOf("json", "pretty"), undefined),
    /** The least level that is logged; `undefined`: `info`. */
    level: item({ variable: "DESIGNWIRE_LOG_LEVEL" }, parseOneOf("debug", "info", "warn", "error"), undefined),
    /** Whether each request has a line. */
    access: flag({ variable: "DESIGNWIRE_ACCESS_LOG" }, false),
  },
  /** The shops that have metrics of their own. */
  metricsShops: item({ variable: "DESIGNWIRE_METRICS_SHOPS" }, parseShops, []),
  /** The listener of probes and metrics of `designwire worker`; `undefined`: none. */
  workerPort: item({ variable: "DESIGNWIRE_WORKER_PORT" }, parsePort, undefined),
  /** Whether receivers of webhooks get `traceparent`, if there is a tracer. */
  traceReceivers: flag({ variable: "DESIGNWIRE_TRACE_RECEIVERS", option: "traceReceivers" }, true),
  /** The receiver of notices; `undefined`: the log. */
  noticeUrl: item({ variable: "DESIGNWIRE_NOTICE_URL" }, parseNoticeUrl, undefined),
}

/** The values of all items. */
export interface Config extends Omit<Values<typeof items>, "worker"> {
  readonly worker: WorkerOptions
}

/** Reads the configuration from a source, with every problem. */
export const readFrom = (source: Source): { readonly config: Config; readonly problems: ReadonlyArray<Problem> } => {
  const { problems, values } = readItems(items, source)
  return { config: { ...values, worker: { ...defaultWorker, ...values.worker } }, problems }
}

/** The names of the environment variables. */
export const variables: ReadonlyArray<string> = listItems(items).map(({ variable }) => variable)

/** The names of the options. */
export const options: ReadonlyArray<string> = listItems(items).flatMap(({ option }) => option ?? [])
