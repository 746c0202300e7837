import type {
  Audit,
  Customizers,
  Designs,
  Events,
  Inbox,
  Orders,
  Platforms,
  Settings,
  Shops,
  Tokens,
  Webhooks,
} from "./Functions.ts"

/** What {@link Designwire.drain} did. */
export interface Drained {
  /** Attempts that it made. */
  readonly attempts: number
  /** Those that the receiver answered with success. */
  readonly succeeded: number
}

/** A change of the schema, for your migration tool. */
export interface Migration {
  /** Its place in the order, from 1. */
  readonly id: number
  /** E.g. `resources`. */
  readonly name: string
  /** Statements to run in one transaction. They also record the migration. */
  readonly sql: string
}

/**
 * The service inside your backend. Methods of `shops`, `orders` and the like may also fail with `Unavailable` and, on a
 * Postgres database, with `NotMigrated`; with `InvalidInput` if `tx` is given and the database is embedded or memory.
 */
export interface Designwire {
  readonly shops: Shops
  readonly customizers: Customizers
  readonly designs: Designs
  readonly orders: Orders
  readonly events: Events
  readonly tokens: Tokens
  readonly webhooks: Webhooks
  readonly inbox: Inbox
  readonly platforms: Platforms
  readonly audit: Audit
  readonly settings: Settings

  /**
   * Answers a request to the REST API, the settings app or the webhooks of a platform, with 404 if it is for none of
   * them. If its `signal` is aborted, the work for it ends. Fails only with `InvalidInput`, if it is not a `Request`.
   */
  readonly handler: (request: Request) => Promise<Response>
  /** As {@link handler}, but returns `undefined` for a request that is for none of them. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is for one of them, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean

  /**
   * Runs pending migrations and returns their names; several processes may do so at the same time. The embedded
   * database migrates itself. Fails with `Unavailable`, `NotMigrated` if a newer version has migrated the database.
   */
  readonly migrate: () => Promise<ReadonlyArray<string>>
  /**
   * A script of the migrations that {@link migrate} would run; empty if nothing is pending. Fails as {@link migrate}.
   */
  readonly pendingSql: () => Promise<string>
  /** All migrations, in order, for your migration tool; empty for memory and the embedded database. */
  readonly migrations: ReadonlyArray<Migration>

  /**
   * Starts delivering webhooks in this process; a second call does nothing. Fails with `Unavailable`, `NotMigrated`.
   */
  readonly start: () => Promise<void>
  /**
   * Stops everything: finishes deliveries under way and closes its own connections, but not your pool. It may be called
   * at any time, also twice. Later calls fail with `Unavailable`, and requests get 503. Never fails.
   */
  readonly stop: () => Promise<void>
  /**
   * Makes due deliveries and returns: for cron and serverless, instead of {@link start}. It begins at most `max`
   * attempts, and none after `seconds`, and finishes each within 5 seconds. Before that it applies the events of
   * platforms that wait. Fails with `InvalidInput`, `Unavailable`, `NotMigrated`.
   */
  readonly drain: (limits: { readonly max: number; readonly seconds: number }) => Promise<Drained>
  /**
   * Makes workers, also in other processes, look for deliveries now. Call it after the commit of a transaction of yours
   * if nothing listens, or with `notifyInTransactions: false`. It may be called for every commit: simultaneous calls
   * become one signal.
   */
  readonly wake: () => void
}
