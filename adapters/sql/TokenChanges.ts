import { Context, Effect, Layer, type Scope } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The channel that tells other hosts of the digest of a token that was revoked or whose shop was changed. */
export const tokensChannel = "designwire_tokens"

/** An expression that tells other hosts of the column `digest`, when its statement is committed. Answers true. */
export const notifyHosts = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`pg_notify('${tokensChannel}', digest) IS NOT NULL`)

/** Who on this host wants to hear of changed tokens: stores tell of their own changes, an adapter with a channel of those of other hosts. */
export class TokenChanges extends Context.Service<
  TokenChanges,
  {
    readonly publish: (digest: string) => Effect.Effect<void>
    /** Publishes when the transaction at hand is committed, or at once outside of one: before the commit everybody still reads what was. */
    readonly committed: (
      sql: SqlClient.SqlClient,
      tokens: ReadonlyArray<{ readonly digest: string }>,
    ) => Effect.Effect<void>
    readonly subscribe: (listener: (digest: string) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("designwire/sql/TokenChanges") {
  static readonly layer = Layer.sync(TokenChanges, () => {
    const listeners = new Set<(digest: string) => Effect.Effect<void>>()
    const publish = (digest: string) =>
      Effect.forEach([...listeners], (listener) => listener(digest), { discard: true })
    return {
      publish,
      committed: (sql, tokens) =>
        sql.afterCommit(Effect.forEach(tokens, ({ digest }) => publish(digest), { discard: true })),
      subscribe: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener)),
        ).pipe(Effect.asVoid),
    }
  })
}
