import type { OwnPool } from "../../adapters/connection/Query.ts"
import type { OpenTelemetryApi } from "../../adapters/opentelemetry/Api.ts"
import type { Notice } from "../../core/model/Resources.ts"
import type { Language } from "../settings/texts/Language.ts"
import type { Shop } from "./Functions.ts"

/**
 * The database:
 * - a pool of yours, e.g. `fromPgPool(pool)`;
 * - `url`: a Postgres server, `postgres://user:password@host:port/database`, with connections of its own, at most
 *   `maxConnections` (default: 14). Behind a pooler in transaction mode `pooler` says so; `listenUrl` is then a direct
 *   connection to hear of commits at once;
 * - `directory`: an embedded Postgres, for one process, such as the `.designwire` of `designwire serve`. It is made
 *   if it is not there;
 * - `memory`: nothing survives the process.
 */
export type Database = OwnPool | DatabaseServer | { readonly directory: string } | { readonly memory: true }

/** A Postgres server, with connections of its own. */
export interface DatabaseServer {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The URL leads to a pooler in transaction mode. */
  readonly pooler?: "transaction" | undefined
  /** A direct connection, to hear of commits at once. Default: `url`, or none behind a pooler. */
  readonly listenUrl?: string | undefined
  /** Default: 14. */
  readonly maxConnections?: number | undefined
}

/** The addresses of a design's pictures. */
export interface ImageUrls {
  /** By view. */
  readonly images: { readonly [view: string]: string }
  readonly thumbnail: string
}

/** A person who may use the settings app for a store. */
export interface Authorized {
  /** The store's id. */
  readonly shop: string
  /** The person's name or address, for the log. */
  readonly actor: string
  /** Whether they may publish definitions of customizers. Default: false. Everyone may check one. */
  readonly publish?: boolean | undefined
}

/**
 * The settings app: the pages on which the owner of a store manages API tokens and webhooks. Needs the packages
 * client-zip, preact, preact-render-to-string and uqr.
 */
export interface SettingsApp {
  /**
   * Its path, as requests arrive here, e.g. `/settings/designs`. Its links are relative: proxies may change what
   * precedes it.
   */
  readonly path: string
  /**
   * Returns the person behind a request; `undefined` or `null` if the sender may not come in. It must leave the
   * request's body unread.
   */
  readonly authorize: (request: Request) => Authorized | null | undefined | Promise<Authorized | null | undefined>
  /**
   * The address that people know `path` by, for links, e.g. `https://www.example.com/designs`. It may have `{shop}`.
   * Default: `path`.
   */
  readonly url?: string | undefined
  /** The name at its head. Default: `Designwire`. */
  readonly name?: string | undefined
  /** A picture next to the name: an https URL, or a path on the same host. */
  readonly logo?: string | undefined
  /** Colours as `#rrggbb`; `accentDark` is for dark surroundings. */
  readonly colours?: { readonly accent?: string | undefined; readonly accentDark?: string | undefined } | undefined
  /** The radius of the corners of buttons and fields, up to `32px` or `2rem`. Default: `8px`. */
  readonly radius?: string | undefined
  /**
   * Names of fonts that the reader's system has, the first choice first, e.g. `Inter, serif`. Default: the system's.
   */
  readonly font?: string | undefined
  /**
   * The language of its pages: `en`, `de`, or one of your own, for which `designwire/settings` has the type and the
   * texts in English. Default: `en`.
   */
  readonly language?: "en" | "de" | Language | undefined
  /** Origins, e.g. `https://admin.example.com`, whose pages may show it in a frame. Default: none. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
}

/** The webhooks of a shop platform. */
export interface PlatformWebhooks {
  /**
   * The secret with which the platform signs, at least 16 characters: Shopify's client secret of the app, or the secret
   * that WooCommerce's webhooks were given. Several, as an array or a text with commas, while one is replaced. Or a
   * function that returns the secrets of a shop, and `undefined` or `null` for an unknown one. Default: only secrets of
   * connections (`platforms.put`) are good.
   */
  readonly secret?:
    | string
    | ReadonlyArray<string>
    | ((shop: string) => SecretsOfShop | null | undefined | Promise<SecretsOfShop | null | undefined>)
  /**
   * The name of the line items' property that has the design's id, unless a connection names another. Default:
   * `_designwire_id`.
   */
  readonly property?: string | undefined
}

type SecretsOfShop = string | ReadonlyArray<string>

/**
 * Orders from shop platforms: `POST {path}/shopify/{shop}` and `POST {path}/woocommerce/{shop}` receive webhooks, and
 * the same without `/{shop}`, which find the shop by the domain of its connection.
 */
export interface Ingest {
  /** The path, as requests arrive here. Default: `/ingest`. */
  readonly path?: string | undefined
  /** Default: none. */
  readonly shopify?: PlatformWebhooks | undefined
  /** Default: none. */
  readonly woocommerce?: PlatformWebhooks | undefined
}

/**
 * The options of {@link createDesignwire}. Those that the command `designwire` has as environment variables mean the
 * same here.
 */
export interface DesignwireOptions {
  readonly database: Database
  /**
   * Base64 of 32 bytes each, newest first: an array, or a text with commas. They seal signing secrets and sign page
   * cursors. `npx designwire key` makes one.
   */
  readonly encryptionKeys: string | ReadonlyArray<string>
  /** The path of the REST API, as clients see it. Default: `/api/v1`. */
  readonly basePath?: string | undefined
  /**
   * The address that clients know `basePath` by, e.g. `https://api.example.com/designs`, if it differs: behind a proxy
   * that changes paths. The OpenAPI document names it.
   *
   * With `{shop}` as a label of the host or a segment of the path, each shop has an address of its own, to which tokens
   * of other shops are unknown: `https://{shop}.designs.example.com/api/v1`, `https://api.example.com/{shop}/designs`.
   * Requests arrive with that host or that path; those at `basePath` of another host name no shop.
   */
  readonly publicUrl?: string | undefined
  /** The settings app. Default: none. */
  readonly settings?: SettingsApp | undefined
  /** Orders from Shopify and WooCommerce. Default: none. */
  readonly ingest?: Ingest | undefined
  /**
   * Called with each notice by the process that delivers: an endpoint has failed 10 times in a row, it was switched
   * off, a delivery was given up, an API token ends within seven days. Again, with the same `id`, if it throws, rejects
   * or takes longer than 15 seconds, after the waits of `retrySchedule`. Default: each notice is a line of the log.
   */
  readonly onNotice?: ((notice: Notice) => void | Promise<void>) | undefined
  /**
   * Makes a design's picture addresses from the views of its definition; the same arguments must give the same
   * addresses. Default: under the shop's `imageBase`.
   */
  readonly imageUrls?: ((shop: Shop, designId: string, views: ReadonlyArray<string>) => ImageUrls) | undefined
  /** Requests to the REST API that a token may make in any 60 seconds, 1 to 100,000. Default: 120. */
  readonly rateLimit?: number | undefined
  /**
   * The destination of spans:
   * - the module `@opentelemetry/api`: to the tracer provider that the application has registered, below the span that
   *   is active at each call;
   * - `"environment"`: by OTLP, as the variables `OTEL_*` say, with metrics and logs; nowhere without
   *   `OTEL_EXPORTER_OTLP_ENDPOINT`.
   *
   * Default: no spans are made.
   */
  readonly telemetry?: OpenTelemetryApi | "environment" | undefined
  /**
   * Whether receivers of webhooks get `traceparent` and `tracestate`, so that their spans join the trace of the order,
   * if there is `telemetry`. Default: true.
   */
  readonly traceReceivers?: boolean | undefined
  /** In `User-Agent: <name>-Webhooks/1.0`. Default: `Designwire`. */
  readonly serviceName?: string | undefined
  /** The waits after failed attempts, as an array or a text with commas. Default: `1m,5m,30m,2h,6h,24h`. */
  readonly retrySchedule?: string | ReadonlyArray<string> | undefined
  /**
   * How long delivery logs keep finished deliveries, `1h` to `365d`; the newest 50 of an endpoint stay longer. Give all
   * processes that deliver the same: the shortest time wins. Default: only the newest 50.
   */
  readonly deliveryLog?: string | undefined
  /**
   * How long drafts are kept that nobody saves again, e.g. `90d`, `1d` to `365d`. Then they are deleted, with their
   * buyers' texts in kept events; never one that an event of a platform waits for. Default: for ever.
   */
  readonly drafts?: string | undefined
  /** Networks that count as public for webhooks, e.g. `["127.0.0.0/8", "::1/128"]`. Default: none. */
  readonly allowNetworks?: string | ReadonlyArray<string> | undefined
  /** Networks that webhooks never go to; wins over allowed ones. Default: none. */
  readonly denyNetworks?: string | ReadonlyArray<string> | undefined
  /**
   * An HTTP proxy through which webhooks are sent and pictures fetched for downloads, for fixed outgoing addresses:
   * `http://user:password@proxy.example.com:3128`, or `https:`. It gets addresses, which were judged before, and no
   * names. Default: none.
   */
  readonly webhookProxy?: string | undefined
  /** Also accept `http:` endpoints. Default: false. */
  readonly allowHttp?: boolean | undefined
  /** Attempts under way in this process, 1 to 10,000, at most 8 of them to one endpoint. Default: 64. */
  readonly concurrency?: number | undefined
  /** How long a call waits for a free connection of the pool. Default: `5s`. */
  readonly connectionWait?: string | undefined
  /** How long a call waits for what another transaction has locked, e.g. one of yours. Default: `30s`. */
  readonly lockWait?: string | undefined
  /** The schema of the tables, on Postgres. Default: `designwire`. */
  readonly schema?: string | undefined
  /**
   * Whether a call within a transaction of yours (`tx`) wakes workers by a NOTIFY, which is sent with your COMMIT.
   * Commits that notify run one after the other: if many of yours place orders at the same time, turn it off and call
   * `wake()` after each, which also wakes the workers of other processes. Default: true.
   */
  readonly notifyInTransactions?: boolean | undefined
}
