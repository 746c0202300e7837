/** The libraries that embedders have their connections from, each with its way of making a transaction. */

import { sql as drizzleSql } from "drizzle-orm"
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres"
import { drizzle as drizzlePostgresJs } from "drizzle-orm/postgres-js"
import { Cause, Context, Effect, Exit, Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import knex from "knex"
import { CamelCasePlugin, Kysely, sql as kyselySql, PostgresDialect } from "kysely"
import pg from "pg"
import postgres from "postgres"
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPgPool,
  fromPostgresJs,
  fromPostgresJsPool,
  fromPrisma,
  type OwnPool,
  type Query,
  within,
} from "../../adapters/connection/index.ts"
import { OuterTransaction } from "../storage/StorageCase.ts"
import { prismaClient } from "./PrismaClient.ts"

/** A transaction of an embedder's. */
export interface OwnTransaction {
  readonly query: Query
  /** Runs a statement of the embedder's own, by the library's own means. */
  readonly run: (text: string) => Promise<unknown>
}

export type Isolation = "repeatable read" | "serializable"

/** A library, connected to a database. */
export interface OwnConnections {
  /** Begins a transaction, and commits it, or rolls it back where the function fails. */
  readonly transaction: <A>(use: (own: OwnTransaction) => Promise<A>, isolation?: Isolation) => Promise<A>
}

/** A library. */
export interface Library {
  readonly name: string
  /**
   * A transaction that has lost its connection must be left open. It fails for whoever has begun it as soon as the connection is lost, but postgres.js
   * 3.4.9 ends the process when the function ends later: it then sends a ROLLBACK to nowhere (porsager/postgres#1208).
   */
  readonly leftOpenWhenLost?: true
  readonly connect: (url: string) => Effect.Effect<OwnConnections, never, Scope.Scope>
}

/** Opens something and closes it with the scope. */
const opened = <A>(open: () => Promise<A> | A, close: (opened: A) => Promise<unknown>) =>
  Effect.acquireRelease(
    Effect.promise(async () => open()),
    (made) => Effect.promise(() => close(made)),
  )

/** A pool whose connections may be ended from outside. */
const openPgPool = (url: string) =>
  opened(
    () => {
      const pool = new pg.Pool({ connectionString: url })
      pool.on("error", () => undefined)
      pool.on("connect", (client) => client.on("error", () => undefined))
      return pool
    },
    (pool) => pool.end(),
  )

const openPostgresJs = (url: string) =>
  opened(
    () => postgres(url, { onnotice: () => undefined }),
    (sql) => sql.end({ timeout: 1 }),
  )

/** The `begin` of SQL with a level of isolation. */
const begin = (isolation?: Isolation) => (isolation === undefined ? "BEGIN" : `BEGIN ISOLATION LEVEL ${isolation}`)

const pgLibrary: Library = {
  name: "pg",
  connect: (url) =>
    Effect.map(openPgPool(url), (pool) => ({
      transaction: async (use, isolation) => {
        const client = await pool.connect()
        let broken = true
        try {
          await client.query(begin(isolation))
          try {
            const answer = await use({ query: fromPg(client), run: (text) => client.query(text) })
            await client.query("COMMIT")
            broken = false
            return answer
          } catch (error) {
            await client.query("ROLLBACK")
            broken = false
            throw error
          }
        } finally {
          client.release(broken)
        }
      },
    })),
}

const postgresJsLibrary: Library = {
  name: "postgres.js",
  leftOpenWhenLost: true,
  connect: (url) =>
    Effect.map(openPostgresJs(url), (sql) => ({
      transaction: async <A>(use: (own: OwnTransaction) => Promise<A>, isolation?: Isolation) => {
        const answer = await sql.begin(
          isolation === undefined ? "" : `isolation level ${isolation}`,
          async (tx) => [await use({ query: fromPostgresJs(tx), run: async (text) => tx.unsafe(text) })] as [A],
        )
        return answer[0] as A
      },
    })),
}

const drizzlePgLibrary: Library = {
  name: "Drizzle over pg",
  connect: (url) =>
    Effect.map(openPgPool(url), (pool) => {
      const db = drizzlePg(pool)
      return {
        transaction: (use, isolation) =>
          db.transaction(
            (tx) => use({ query: fromDrizzle(tx), run: (text) => tx.execute(drizzleSql.raw(text)) }),
            isolation === undefined ? undefined : { isolationLevel: isolation },
          ),
      }
    }),
}

const drizzlePostgresJsLibrary: Library = {
  name: "Drizzle over postgres.js",
  leftOpenWhenLost: true,
  connect: (url) =>
    Effect.map(openPostgresJs(url), (sql) => {
      const db = drizzlePostgresJs(sql)
      return {
        transaction: (use, isolation) =>
          db.transaction(
            (tx) => use({ query: fromDrizzle(tx), run: async (text) => tx.execute(drizzleSql.raw(text)) }),
            isolation === undefined ? undefined : { isolationLevel: isolation },
          ),
      }
    }),
}

const kyselyLibrary: Library = {
  name: "Kysely",
  connect: (url) =>
    Effect.map(openPgPool(url), (pool) => {
      // A plugin that rewrites names, as many have it.
      const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
      return {
        transaction: (use, isolation) => {
          const builder = isolation === undefined ? db.transaction() : db.transaction().setIsolationLevel(isolation)
          return builder.execute((trx) =>
            use({ query: fromKysely(trx), run: (text) => kyselySql.raw(text).execute(trx) }),
          )
        },
      }
    }),
}

const knexLibrary: Library = {
  name: "Knex",
  connect: (url) =>
    Effect.map(
      opened(
        () => knex({ client: "pg", connection: url }),
        (db) => db.destroy(),
      ),
      (db) => ({
        transaction: (use, isolation) =>
          db.transaction(
            (trx) => use({ query: fromKnex(trx), run: async (text) => trx.raw(text) }),
            isolation === undefined ? {} : { isolationLevel: isolation },
          ),
      }),
    ),
}

const prismaLibrary: Library = {
  name: "Prisma over pg",
  connect: (url) =>
    Effect.map(
      opened(
        () => prismaClient(url),
        (prisma) => prisma.$disconnect(),
      ),
      (prisma) => ({
        transaction: (use, isolation) =>
          prisma.$transaction((tx) => use({ query: fromPrisma(tx), run: async (text) => tx.$queryRawUnsafe(text) }), {
            timeout: 60_000,
            ...(isolation === undefined
              ? {}
              : { isolationLevel: isolation === "serializable" ? "Serializable" : "RepeatableRead" }),
          }),
      }),
    ),
}

export const libraries: ReadonlyArray<Library> = [
  pgLibrary,
  postgresJsLibrary,
  drizzlePgLibrary,
  drizzlePostgresJsLibrary,
  kyselyLibrary,
  knexLibrary,
  prismaLibrary,
]

/** The pools that libraries have. */
export const pools: ReadonlyArray<{
  readonly library: Library
  readonly open: (url: string) => Effect.Effect<OwnPool, never, Scope.Scope>
}> = [
  { library: pgLibrary, open: (url) => Effect.map(openPgPool(url), fromPgPool) },
  { library: postgresJsLibrary, open: (url) => Effect.map(openPostgresJs(url), fromPostgresJsPool) },
]

/** A pool that sends every statement through a library, in transactions of its own. */
export const poolThrough = ({ transaction }: OwnConnections): OwnPool => ({
  query: (text, values) => transaction(({ query }) => Promise.resolve(query(text, values))),
  reserve: () =>
    new Promise((resolve, reject) => {
      const end = Promise.withResolvers<void>()
      const ended = transaction(({ query }) => {
        const run = async (text: string, values: ReadonlyArray<unknown>) => {
          if (text === "COMMIT") end.resolve()
          else if (text === "ROLLBACK") end.reject(new Error("Rolled back"))
          else return text === "BEGIN" ? [] : query(text, values)
          await ended.catch((error) => (text === "COMMIT" ? Promise.reject(error) : undefined))
          return []
        }
        resolve({
          query: run,
          release: () => end.resolve(),
        })
        return end.promise
      })
      ended.catch(reject)
    }),
})

/** Runs an effect within a transaction of a library's; it is rolled back where the effect fails, with the effect's failure. */
const inTransactionOf = <A, E, R>(
  { transaction }: OwnConnections,
  effect: Effect.Effect<A, E, R>,
  isolation?: Isolation,
) =>
  Effect.flatMap(Effect.context<R | SqlClient.SqlClient>(), (context) =>
    Effect.callback<A, unknown>((resume) => {
      let inside: Exit.Exit<A, unknown> | undefined
      transaction(async ({ query }) => {
        inside = await Effect.runPromiseExitWith(context)(within(query)(effect))
        if (Exit.isFailure(inside)) throw Cause.squash(inside.cause)
        return inside.value
      }, isolation).then(
        (answer) => resume(Effect.succeed(answer)),
        (error) => resume(inside !== undefined && Exit.isFailure(inside) ? inside : Effect.fail(error)),
      )
    }),
  )

/** The outer transactions that the cases of storage need, by a library. */
export const outerTransaction = (library: Library, url: string) =>
  Layer.effect(
    OuterTransaction,
    Effect.gen(function* () {
      const connections = yield* library.connect(url)
      const context = yield* Effect.context<SqlClient.SqlClient>()
      return {
        run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          Effect.updateContext(inTransactionOf(connections, effect), (own: Context.Context<R>) =>
            Context.merge(context, own),
          ),
      }
    }),
  )
