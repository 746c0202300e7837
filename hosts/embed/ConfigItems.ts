import { Result } from "effect"
import { parseSchemaName } from "../../adapters/sql/schema/Schema.ts"
import { defaultConnectionWait, defaultLockWait } from "../../adapters/sql/statements/Waits.ts"
import { defaultSettings } from "../../core/model/ingest/PlatformSettings.ts"
import { publicOnly } from "../../core/model/webhooks/HostPolicy.ts"
import {
  parseCell,
  parseConcurrency,
  parseConnections,
  parseDatabaseUrl,
  parseDraftTime,
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
} from "../../core/rules/catalog/ConfigValues.ts"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { parseSchedule } from "../../core/rules/webhooks/RetryPolicy.ts"
import { defaultRateLimit } from "../../core/usecases/access/LimitRequest.ts"
import { defaultProperty } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { attemptTimeout, defaultWorker, ServiceName } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { type Appearance, isColour, isFont, isLogo, isRadius } from "../settings/Options.ts"
import { languages } from "../settings/texts/Languages.ts"
import { flag, item, list } from "./ConfigItem.ts"

const nonEmpty = (expected: string) => (text: string) => (text === "" ? Result.fail(expected) : Result.succeed(text))

const fitting = (expected: string, test: (text: string) => boolean) => (text: string) =>
  test(text) ? Result.succeed(text) : Result.fail(expected)

/** States or gateways of a platform, with commas between them. They are compared in lower case. */
const parseStates = (text: string): Result.Result<ReadonlyArray<string>, string> => {
  const names = text.split(",").map((name) => name.trim().toLowerCase())
  return names.every((name) => /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(name))
    ? Result.succeed([...new Set(names)])
    : Result.fail("names of 1 to 255 characters with commas between them")
}

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
export const items = {
  host: item("HOST", "the host of the listener", nonEmpty("a host name or an address"), "127.0.0.1"),
  port: item("PORT", "the port of the listener", parsePort, 3000),
  /** The listener of the management API, its documentation, the settings app and metrics, if it is another one. */
  manage: {
    port: item(
      "DESIGNWIRE_MANAGE_PORT",
      "a listener of its own for the management API, the settings app and metrics",
      parsePort,
      undefined,
      { shown: "`PORT`" },
    ),
    host: item(
      "DESIGNWIRE_MANAGE_HOST",
      "the host of that listener",
      nonEmpty("a host name or an address"),
      undefined,
      { shown: "`HOST`" },
    ),
  },
  /** The requests under way at once, the connections of one address, and the networks of proxies, which have more. */
  limits: {
    maximumRequests: item(
      "DESIGNWIRE_MAX_REQUESTS",
      "requests that a process works at: [limits](OPERATING.md#limits)",
      parseRequests,
      1024,
    ),
    maximumPerAddress: item(
      "DESIGNWIRE_CONNECTIONS_PER_ADDRESS",
      "connections of one address at once, of 4,096 in all",
      parseConnections,
      512,
    ),
    proxies: item(
      "DESIGNWIRE_PROXY_NETWORKS",
      "networks of proxies in front of `serve`, whose connections carry many clients",
      parseNetworks,
      [],
    ),
  },
  rateLimit: item(
    "DESIGNWIRE_RATE_LIMIT",
    "requests that a token may make in any 60 seconds, up to 100,000",
    parseRateLimit,
    defaultRateLimit,
    { option: "rateLimit" },
  ),
  manageKey: item(
    "DESIGNWIRE_MANAGE_KEY",
    "key of the management API and of the settings app",
    parseManageKey,
    undefined,
    { shown: "embedded: generated" },
  ),
  keyRing: list(
    "DESIGNWIRE_ENCRYPTION_KEYS",
    "seal signing secrets and sign page cursors: base64 of 32 bytes each, comma-separated, newest first",
    parseKeyRing,
    undefined,
    { option: "encryptionKeys", shown: "embedded: generated" },
  ),
  databaseUrl: item("DATABASE_URL", "`postgres://user:password@host:5432/database`", parseDatabaseUrl, undefined, {
    option: "database.url",
    shown: "embedded",
  }),
  pooler: item(
    "DESIGNWIRE_DATABASE_POOLER",
    "`transaction` behind PgBouncer and similar poolers",
    parsePooler,
    undefined,
    { option: "database.pooler" },
  ),
  listenUrl: item(
    "DESIGNWIRE_LISTEN_URL",
    "a direct connection for LISTEN, if `DATABASE_URL` leads to a pooler",
    parseDatabaseUrl,
    undefined,
    { shown: "`DATABASE_URL`" },
  ),
  cell: item(
    "DESIGNWIRE_CELL",
    "the cell of this host, of [several](../../adapters/cells/README.md#the-map)",
    parseCell,
    undefined,
  ),
  cellsFile: item(
    "DESIGNWIRE_CELLS_FILE",
    "the proxies' map: this host serves only the shops that it places in its cell",
    nonEmpty("a path"),
    undefined,
  ),
  dataDirectory: item(
    "DESIGNWIRE_DATA_DIR",
    "directory of the embedded database; a second process on it is refused",
    nonEmpty("a path"),
    ".designwire",
    { option: "database.directory" },
  ),
  databaseWait: item(
    "DESIGNWIRE_DATABASE_WAIT",
    "how long the start waits for a database that is not up yet",
    parseDuration,
    30_000,
    { shown: "`30s`" },
  ),
  connectionWait: item(
    "DESIGNWIRE_CONNECTION_WAIT",
    "how long a transaction waits for a free connection of the pool",
    parseDurationOver(0),
    defaultConnectionWait,
    { option: "connectionWait", shown: "`5s`" },
  ),
  lockWait: item(
    "DESIGNWIRE_LOCK_WAIT",
    "how long a statement waits for a lock that another transaction holds",
    parseDurationOver(0),
    defaultLockWait,
    { option: "lockWait", shown: "`30s`" },
  ),
  schema: item(
    "DESIGNWIRE_SCHEMA",
    "the schema of the tables: lower-case letters, digits and underscores",
    parseSchemaName,
    "designwire",
    { option: "schema" },
  ),
  autoMigrate: flag(
    "DESIGNWIRE_AUTO_MIGRATE",
    "`serve` and `worker` migrate a Postgres database when they start",
    false,
  ),
  publicUrl: item(
    "DESIGNWIRE_PUBLIC_URL",
    "the public address, or [one for each shop](../../adapters/cells/README.md#the-address-of-a-shop)",
    parsePublicUrl,
    undefined,
    { shown: "from `HOST` and `PORT`" },
  ),
  docs: flag("DESIGNWIRE_DOCS", "serve `/docs` and `/manage/docs`", true),
  serviceName: item(
    "DESIGNWIRE_SERVICE_NAME",
    "in `User-Agent: <name>-Webhooks/1.0`",
    parseServiceName,
    ServiceName.defaultValue(),
    { option: "serviceName" },
  ),
  /** The appearance of the settings app; as options, parts of `settings`. */
  appearance: {
    name: item(
      "DESIGNWIRE_SETTINGS_NAME",
      "the name in the header of the settings app",
      nonEmpty("a text"),
      undefined,
      { shown: "`Designwire`" },
    ),
    logo: item(
      "DESIGNWIRE_SETTINGS_LOGO",
      "a picture next to the name: an https URL, or a path on the same host",
      fitting("an https URL or a path", isLogo),
      undefined,
      { shown: "ours" },
    ),
    colours: item(
      "DESIGNWIRE_SETTINGS_ACCENT",
      "its accent colour, and after the comma the one of the dark theme",
      parseAccent,
      undefined,
      { shown: "`#4338ca,#a5b0ff`" },
    ),
    radius: item(
      "DESIGNWIRE_SETTINGS_RADIUS",
      "the radius of its corners, up to `32px` or `2rem`",
      fitting("a length like 8px or 0.5rem", isRadius),
      undefined,
      { shown: "`8px`" },
    ),
    font: item(
      "DESIGNWIRE_SETTINGS_FONT",
      "names of fonts that readers have, e.g. `Inter, serif`",
      fitting("names of fonts like Inter, serif", isFont),
      undefined,
      { shown: "the system's" },
    ),
    language: item("DESIGNWIRE_SETTINGS_LANGUAGE", "its language: `en` or `de`", parseLanguage, undefined, {
      shown: "`en`",
    }),
  },
  /** The URLs that webhooks may be sent to. */
  webhookPolicy: {
    allowNetworks: list(
      "DESIGNWIRE_ALLOW_NETWORKS",
      "networks that count as public for webhooks, e.g. `127.0.0.0/8,::1/128`",
      parseNetworks,
      publicOnly.allowNetworks,
      { option: "allowNetworks" },
    ),
    denyNetworks: list(
      "DESIGNWIRE_DENY_NETWORKS",
      "networks that webhooks never go to; it overrides the allowed ones",
      parseNetworks,
      [],
      { option: "denyNetworks" },
    ),
    allowHttp: flag("DESIGNWIRE_ALLOW_HTTP", "also accept `http:` endpoints", publicOnly.allowHttp, {
      option: "allowHttp",
    }),
  },
  webhookProxy: item(
    "DESIGNWIRE_WEBHOOK_PROXY",
    "an HTTP proxy for webhooks: [fixed outgoing addresses](OPERATING.md#fixed-outgoing-addresses)",
    parseProxyUrl,
    undefined,
    { option: "webhookProxy" },
  ),
  /** Deliveries: how many at the same time, and when again after a failure. */
  worker: {
    concurrency: item(
      "DESIGNWIRE_CONCURRENCY",
      "[slots](OPERATING.md#slots) of a worker: concurrent attempts",
      parseConcurrency,
      defaultWorker.concurrency,
      { option: "concurrency" },
    ),
    lease: item(
      "DESIGNWIRE_LEASE",
      "how long a worker holds the deliveries that it claimed",
      parseDurationOver(attemptTimeout),
      defaultWorker.lease,
      { shown: "`30s`" },
    ),
    schedule: list("DESIGNWIRE_RETRY_SCHEDULE", "waits after failed attempts", parseSchedule, defaultWorker.schedule, {
      option: "retrySchedule",
      shown: "`1m,5m,30m,2h,6h,24h`",
    }),
    deliveryLog: item(
      "DESIGNWIRE_DELIVERY_LOG",
      "how long delivery logs keep finished deliveries alongside the newest 50, `1h` to `365d`",
      parseLogTime,
      undefined,
      { option: "deliveryLog", shown: "the newest 50" },
    ),
    drafts: item(
      "DESIGNWIRE_DRAFTS",
      "how long drafts are kept that nobody saves again, `1d` to `365d`; they go with their buyers' texts",
      parseDraftTime,
      undefined,
      { option: "drafts", shown: "for ever" },
    ),
  },
  /** Orders from shop platforms: the secrets that sign them, and the property with the design's id. */
  ingest: {
    shopify: item(
      "DESIGNWIRE_SHOPIFY_SECRET",
      "the client secret that signs [orders of Shopify](../ingest/README.md); two while it is replaced",
      parsePlatformSecrets,
      undefined,
    ),
    woocommerce: item(
      "DESIGNWIRE_WOOCOMMERCE_SECRET",
      "the secret that signs [orders of WooCommerce](../ingest/README.md); two while it is replaced",
      parsePlatformSecrets,
      undefined,
    ),
    property: item(
      "DESIGNWIRE_INGEST_PROPERTY",
      "the property of their lines that has the design's id",
      parseProperty,
      defaultProperty,
    ),
    /** When an order is to be made, as far as shops differ (D80). */
    settings: {
      paidStates: list(
        "DESIGNWIRE_SHOPIFY_PLACED",
        "states of payment with which Shopify's orders are placed",
        parseStates,
        defaultSettings.paidStates,
      ),
      laterGateways: list(
        "DESIGNWIRE_SHOPIFY_PAY_LATER",
        "payment gateways of Shopify that need no payment before production",
        parseStates,
        defaultSettings.laterGateways,
      ),
      takesTests: flag(
        "DESIGNWIRE_SHOPIFY_TESTS",
        "whether Shopify's test orders are placed",
        defaultSettings.takesTests,
      ),
      placedStates: list(
        "DESIGNWIRE_WOOCOMMERCE_PLACED",
        "states with which WooCommerce's orders are placed, those of plugins included",
        parseStates,
        defaultSettings.placedStates,
      ),
      doneStates: list(
        "DESIGNWIRE_WOOCOMMERCE_DONE",
        "states of WooCommerce's orders that were made",
        parseStates,
        defaultSettings.doneStates,
      ),
      copies: flag("DESIGNWIRE_REORDER_COPIES", "whether a reorder gets copies of its designs", defaultSettings.copies),
    },
  },
  /** The log of a process. */
  log: {
    format: item(
      "DESIGNWIRE_LOG_FORMAT",
      "`json`, or `pretty` for people: on a terminal and in the demo; [logs](OPERATING.md#logs)",
      parseOneOf("json", "pretty"),
      undefined,
      { shown: "for the reader" },
    ),
    level: item(
      "DESIGNWIRE_LOG_LEVEL",
      "the lowest level that is logged: `debug`, `info`, `warn` or `error`",
      parseOneOf("debug", "info", "warn", "error"),
      undefined,
      { shown: "`info`" },
    ),
    access: flag("DESIGNWIRE_ACCESS_LOG", "log a line for each request, and answer it with its `X-Request-Id`", false),
  },
  metricsShops: item(
    "DESIGNWIRE_METRICS_SHOPS",
    "ids of shops that have [metrics](OPERATING.md#metrics) of their own: `acme,globex`",
    parseShops,
    [],
  ),
  workerPort: item(
    "DESIGNWIRE_WORKER_PORT",
    "a port of `worker` for `/livez`, `/readyz` and `/metrics`, at `HOST`",
    parsePort,
    undefined,
  ),
  traceReceivers: flag(
    "DESIGNWIRE_TRACE_RECEIVERS",
    "send receivers `traceparent`, if [traces](OPERATING.md#traces) are exported by the `OTEL_*` names",
    true,
    { option: "traceReceivers" },
  ),
  noticeUrl: item("DESIGNWIRE_NOTICE_URL", "the destination of notices", parseNoticeUrl, undefined, {
    shown: "none: the log",
  }),
}
