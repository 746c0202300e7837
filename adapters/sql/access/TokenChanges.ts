import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The channel with the digests of tokens that were revoked or whose shop was changed. */
export const tokensChannel = "designwire_tokens"

/** Prefix of the payload with which a host measures how far it has heard. */
const echoPrefix = "echo:"

/** How long a host waits for its own message. */
const longestEcho = "500 millis"

/** An expression that notifies other hosts of the column `digest` when its statement is committed. Returns true. */
export const notifyHosts = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`pg_notify('${tokensChannel}', digest) IS NOT NULL`)

/**
 * Listeners of this host for changed tokens. Stores publish their own changes; an adapter with a channel publishes the
 * changes of other hosts.
 */
export class TokenChanges extends Context.Service<
  TokenChanges,
  {
    readonly publish: (digest: string | undefined) => Effect.Effect<void>
    /**
     * Publishes when the current transaction is committed, or at once without one: before the commit others still read
     * the old state.
     */
    readonly committed: (
      sql: SqlClient.SqlClient,
      tokens: ReadonlyArray<{ readonly digest: string }>,
    ) => Effect.Effect<void>
    readonly subscribe: (
      listener: (digest: string | undefined) => Effect.Effect<void>,
    ) => Effect.Effect<void, never, Scope.Scope>
    /** For an adapter with a channel: it listens from now on, without earlier messages. */
    readonly listening: Effect.Effect<void>
    /** For an adapter with a channel: a message on it. */
    readonly heard: (payload: string) => Effect.Effect<void>
    /** Whether everything published before this call has been heard. */
    readonly caughtUp: (sql: SqlClient.SqlClient) => Effect.Effect<boolean>
  }
>()("designwire/sql/TokenChanges") {
  static readonly layer = Layer.sync(TokenChanges, () => {
    const listeners = new Set<(digest: string | undefined) => Effect.Effect<void>>()
    const echoes = new Map<string, Deferred.Deferred<boolean>>()
    let listens = false
    const publish = (digest: string | undefined) =>
      Effect.forEach([...listeners], (listener) => listener(digest), { discard: true })
    // A host's own message arrives after everything committed before, because a channel keeps commit order.
    const echo = (sql: SqlClient.SqlClient) =>
      Effect.gen(function* () {
        const payload = echoPrefix + crypto.randomUUID()
        const heard = yield* Deferred.make<boolean>()
        echoes.set(payload, heard)
        return yield* sql`SELECT ${sql.literal(`pg_notify('${tokensChannel}', `)}${payload})`.pipe(
          Effect.andThen(Deferred.await(heard)),
          Effect.timeoutOrElse({ duration: longestEcho, orElse: () => Effect.succeed(false) }),
          Effect.ensuring(Effect.sync(() => echoes.delete(payload))),
        )
      })
    return {
      publish,
      listening: Effect.suspend(() => {
        listens = true
        return publish(undefined)
      }),
      heard: (payload) => {
        const echo = echoes.get(payload)
        if (echo !== undefined) return Effect.asVoid(Deferred.succeed(echo, true))
        return payload.startsWith(echoPrefix) ? Effect.void : publish(payload)
      },
      // Lookups report a failing store.
      caughtUp: (sql) =>
        Effect.suspend(() => (listens ? Effect.catch(echo(sql), () => Effect.succeed(false)) : Effect.succeed(false))),
      committed: (sql, tokens) =>
        sql.afterCommit(Effect.forEach(tokens, ({ digest }) => publish(digest), { discard: true })),
      subscribe: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            // One of its own, so that the same listener given twice is two listeners.
            const own = (digest: string | undefined) => listener(digest)
            listeners.add(own)
            return own
          }),
          (own) => Effect.sync(() => listeners.delete(own)),
        ).pipe(Effect.asVoid),
    }
  })
}
