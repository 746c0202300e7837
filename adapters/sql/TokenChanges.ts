import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The channel that tells other hosts of the digest of a token that was revoked or whose shop was changed. */
export const tokensChannel = "designwire_tokens"

/** What begins a payload by which a host hears how far it has heard. */
const echoPrefix = "echo:"

/** How long a host waits for itself. */
const longestEcho = "500 millis"

/** An expression that tells other hosts of the column `digest`, when its statement is committed. Answers true. */
export const notifyHosts = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`pg_notify('${tokensChannel}', digest) IS NOT NULL`)

/** Who on this host wants to hear of changed tokens: stores tell of their own changes, an adapter with a channel of those of other hosts. */
export class TokenChanges extends Context.Service<
  TokenChanges,
  {
    readonly publish: (digest: string | undefined) => Effect.Effect<void>
    /** Publishes when the transaction at hand is committed, or at once outside of one: before the commit everybody still reads what was. */
    readonly committed: (
      sql: SqlClient.SqlClient,
      tokens: ReadonlyArray<{ readonly digest: string }>,
    ) => Effect.Effect<void>
    readonly subscribe: (
      listener: (digest: string | undefined) => Effect.Effect<void>,
    ) => Effect.Effect<void, never, Scope.Scope>
    /** For an adapter with a channel: it listens from now on, but not to what was told before. */
    readonly listening: Effect.Effect<void>
    /** For an adapter with a channel: what came over it. */
    readonly heard: (payload: string) => Effect.Effect<void>
    /** Whether all that was told before this call has been heard. */
    readonly caughtUp: (sql: SqlClient.SqlClient) => Effect.Effect<boolean>
  }
>()("designwire/sql/TokenChanges") {
  static readonly layer = Layer.sync(TokenChanges, () => {
    const listeners = new Set<(digest: string | undefined) => Effect.Effect<void>>()
    const echoes = new Map<string, Deferred.Deferred<boolean>>()
    let listens = false
    const publish = (digest: string | undefined) =>
      Effect.forEach([...listeners], (listener) => listener(digest), { discard: true })
    // What a host tells itself comes after all that was committed before, because a channel keeps the order of commits.
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
      // Lookups will say so where the store fails.
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
