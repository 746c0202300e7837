import { Effect, identity, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, Statement } from "effect/sql"
import { SchemaName } from "../sql/schema/Schema.ts"
import { joinable } from "../sql/statements/Transaction.ts"
import { defaultConnectionWait, defaultLockWait, inTime, type Waits } from "../sql/statements/Waits.ts"
import { acquire } from "./Acquire.ts"
import { poolConnection, reservedConnection } from "./Connection.ts"
import { sqlErrorOf } from "./Failure.ts"
import type { OwnPool } from "./Query.ts"

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning === undefined ? "" : ` RETURNING ${returning[0]}`}`,
    [...values.flat(), ...(returning?.[1] ?? [])],
  ],
  onCustom: () => ["", []],
})

const reserve = (pool: OwnPool, wait: number) =>
  Effect.acquireRelease(
    Effect.mapBoth(
      acquire(
        () => pool.reserve(),
        ({ release }) => release(false),
      ),
      {
        onFailure: sqlErrorOf,
        onSuccess: ({ query, release }) => ({ ...reservedConnection(query), release }),
      },
    ).pipe(inTime(wait)),
    ({ isBroken, release }) => Effect.sync(() => release(isBroken())),
    { interruptible: true },
  ).pipe(Effect.map(({ connection }) => connection))

/** The place of the tables, and how long statements wait for what others hold. */
export interface ClientOptions extends Waits {
  /** The schema of the tables. Default: `designwire`. */
  readonly schema?: string
}

/**
 * The pool as a `SqlClient`, e.g. to migrate with. Stores over it use the tables of the schema that the options name.
 */
export const layerClient = (
  pool: OwnPool,
  { connectionWait = defaultConnectionWait, lockWait = defaultLockWait, schema }: ClientOptions = {},
): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(
      SqlClient.make({
        acquirer: Effect.succeed(poolConnection((text, values) => pool.query(text, values, connectionWait))),
        transactionAcquirer: reserve(pool, connectionWait),
        compiler,
        driver: "own",
        spanAttributes: [["db.system.name", "postgresql"]],
        releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      }),
      (sql) => joinable(sql, { connectionWait, lockWait }),
    ),
  ).pipe(
    Layer.provide(Reactivity.layer),
    schema === undefined ? identity : Layer.provideMerge(Layer.succeed(SchemaName, schema)),
  )
