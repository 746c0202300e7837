/** The libraries that embedders connect with, and the way to run a transaction in each. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Cause, Context, Effect, Exit, Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { inject } from "vitest"
import {
  fromPg,
  fromPgPool,
  fromPostgresJs,
  fromPostgresJsPool,
  type OwnPool,
  within,
} from "../../../adapters/connection/index.ts"
import { OuterTransaction } from "../../suites/storage/StorageCase.ts"
import { install } from "../processes/Install.ts"
import {
  type Isolation,
  type Library,
  type Open,
  type OwnConnections,
  type OwnTransaction,
  pgPool,
  postgresJs,
} from "./Library.ts"

/** Opens a resource and closes it with the scope. */
const opened = <A>(open: () => Promise<A> | A, close: (opened: A) => Promise<unknown>) =>
  Effect.acquireRelease(
    Effect.promise(async () => open()),
    (made) => Effect.promise(() => close(made)),
  )

/** A pool that tolerates connections ended from outside. */
const openPgPool = (url: string) =>
  opened(
    () => pgPool(url),
    (pool) => pool.end(),
  )

const openPostgresJs = (url: string) =>
  opened(
    () => postgresJs(url),
    (sql) => sql.end({ timeout: 1 }),
  )

/** The SQL that begins a transaction with an isolation level. */
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

/** Connects by a module in a folder of `conformance/checks`, whose packages are installed for the first connection. */
const connectBy =
  (folder: string, module: string): Library["connect"] =>
  (url) =>
    opened(
      async () => {
        const directory = await install(new URL(`../../checks/${folder}/`, import.meta.url))
        const { href } = pathToFileURL(join(directory, `${module}.ts`))
        const { open } = (await import(/* @vite-ignore */ href)) as { readonly open: Open }
        return open(url)
      },
      ({ close }) => close(),
    )

export const libraries: ReadonlyArray<Library> = [
  pgLibrary,
  postgresJsLibrary,
  { name: "Drizzle over pg", connect: connectBy("libraries", "DrizzlePg") },
  { name: "Drizzle over postgres.js", leftOpenWhenLost: true, connect: connectBy("libraries", "DrizzlePostgresJs") },
  { name: "Kysely", connect: connectBy("libraries", "Kysely") },
  { name: "Knex", connect: connectBy("libraries", "Knex") },
  { name: "Prisma over pg", connect: connectBy("libraries/prisma", "Prisma") },
]

/** The libraries' pools. */
export const pools: ReadonlyArray<{
  readonly library: Library
  readonly open: (url: string) => Effect.Effect<OwnPool, never, Scope.Scope>
}> = [
  { library: pgLibrary, open: (url) => Effect.map(openPgPool(url), fromPgPool) },
  { library: postgresJsLibrary, open: (url) => Effect.map(openPostgresJs(url), fromPostgresJsPool) },
]

/** The libraries that stand upon another one. */
const above = (): ReadonlyArray<Library> => libraries.filter((each) => pools.every(({ library }) => library !== each))

/**
 * The libraries that run a test of this number: `pg` and postgres.js each test, those above them in turn. All run each
 * test in the whole matrix.
 */
export const runs = (library: Library, test: number): boolean => {
  const turn = above().indexOf(library)
  return inject("wholeMatrix") || turn < 0 || test % above().length === turn
}

/** A pool that sends every statement through a library's transactions. */
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

/** Runs an effect within a library's transaction. If it fails, rolls back and fails with the same failure. */
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

/** The outer transactions of the storage cases, by a library. */
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
