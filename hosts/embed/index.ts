/**
 * Designwire inside any backend, without Effect: promises, plain types, errors with a `code`. Begin with {@link
 * createDesignwire}.
 */

export { type DrizzleTransactionLike, fromDrizzle } from "../../adapters/connection/Drizzle.ts"
export { fromKnex, type KnexTransactionLike } from "../../adapters/connection/Knex.ts"
export { fromKysely, type KyselyTransactionLike } from "../../adapters/connection/Kysely.ts"
export {
  fromPg,
  fromPgPool,
  type PgClientLike,
  type PgPoolClientLike,
  type PgPoolLike,
} from "../../adapters/connection/Pg.ts"
export {
  fromPostgresJs,
  fromPostgresJsPool,
  type PostgresJsPoolLike,
  type PostgresJsTransactionLike,
} from "../../adapters/connection/PostgresJs.ts"
export { fromPrisma, type PrismaTransactionLike } from "../../adapters/connection/Prisma.ts"
export type { Listener, OwnPool, Query, Reserved, Row } from "../../adapters/connection/Query.ts"
export type * from "../../core/model/Resources.ts"
export { createDesignwire } from "./createDesignwire.ts"
export type { Designwire, Drained, Migration } from "./Designwire.ts"
export * from "./DesignwireError.ts"
export type * from "./Functions.ts"
export type { InTransaction } from "./InTransaction.ts"
export * from "./mount/index.ts"
export type {
  Authorized,
  Database,
  DesignwireOptions,
  ImageUrls,
  Ingest,
  PlatformWebhooks,
  SettingsApp,
} from "./Options.ts"
