import { Context, Effect, Layer, type Scope } from "effect"

/** The channel that tells other hosts of a revoked token's digest. */
export const revokedChannel = "designwire_revoked"

/** Who on this host wants to hear of revoked tokens: the store tells it of its own, an adapter with a channel of those of other hosts. */
export class Revocations extends Context.Service<
  Revocations,
  {
    readonly publish: (digest: string) => Effect.Effect<void>
    readonly subscribe: (listener: (digest: string) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("designwire/sql/Revocations") {
  static readonly layer = Layer.sync(Revocations, () => {
    const listeners = new Set<(digest: string) => Effect.Effect<void>>()
    return {
      publish: (digest) => Effect.forEach([...listeners], (listener) => listener(digest), { discard: true }),
      subscribe: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener)),
        ).pipe(Effect.asVoid),
    }
  })
}
