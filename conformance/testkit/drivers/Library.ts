/** A library that embedders connect with, as the tests of connections use it. */
import type { Effect, Scope } from "effect"
import pg from "pg"
import postgres from "postgres"
import type { Query } from "../../../adapters/connection/index.ts"

/** An embedder's transaction. */
export interface OwnTransaction {
  readonly query: Query
  /** Runs a statement of the embedder's, by the library's own means. */
  readonly run: (text: string) => Promise<unknown>
}

export type Isolation = "repeatable read" | "serializable"

/** A library that is connected to a database. */
export interface OwnConnections {
  /** Begins a transaction and commits it; if the function fails, rolls it back. */
  readonly transaction: <A>(use: (own: OwnTransaction) => Promise<A>, isolation?: Isolation) => Promise<A>
}

/** Connects to a database: what a module of `conformance/checks/libraries` exports as `open`. */
export type Open = (url: string) => Promise<OwnConnections & { readonly close: () => Promise<unknown> }>

/** A library. */
export interface Library {
  readonly name: string
  /**
   * A transaction that has lost its connection must be left open. Its promise rejects as soon as the connection is
   * lost, but if the function ends later, postgres.js 3.4.9 ends the process: it sends a ROLLBACK over the lost
   * connection (porsager/postgres#1208).
   */
  readonly leftOpenWhenLost?: true
  readonly connect: (url: string) => Effect.Effect<OwnConnections, never, Scope.Scope>
}

/** A pool that tolerates connections ended from outside. */
export const pgPool = (url: string): pg.Pool =>
  new pg.Pool({ connectionString: url })
    .on("error", () => undefined)
    .on("connect", (client) => client.on("error", () => undefined))

export const postgresJs = (url: string): postgres.Sql => postgres(url, { onnotice: () => undefined })
