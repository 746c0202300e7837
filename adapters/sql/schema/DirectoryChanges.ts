import { Context, Effect, Layer, PubSub, type Scope } from "effect"

/** The channel on which hosts hear that the directory of buckets has changed. */
export const directoryChannel = "designwire_directory"

/** Changes of a directory of buckets in this database, which an adapter with a channel hears. */
export class DirectoryChanges extends Context.Service<
  DirectoryChanges,
  {
    /** For an adapter with a channel: the directory has changed, or may have while nobody listened. */
    readonly changed: Effect.Effect<void>
    /** Subscribes. The inner effect waits for a change since its last call; several count as one. */
    readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()("designwire/sql/DirectoryChanges") {
  static readonly layer = Layer.effect(
    DirectoryChanges,
    Effect.map(PubSub.sliding<void>(1), (changes) => ({
      changed: Effect.asVoid(PubSub.publish(changes, undefined)),
      subscribe: Effect.map(PubSub.subscribe(changes), PubSub.take),
    })),
  )
}
