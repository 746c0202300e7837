import { Effect, type Scope } from "effect"

type Listener = (digest: string) => Effect.Effect<void>

/** The listeners of this process for changed tokens. SQLite does not notify of changes by other processes. */
export class Listeners {
  readonly #all = new Set<Listener>()

  add(listener: Listener): Effect.Effect<void, never, Scope.Scope> {
    // A new object, so that the same listener added twice counts as two.
    const own: Listener = (digest) => listener(digest)
    return Effect.acquireRelease(
      Effect.sync(() => void this.#all.add(own)),
      () => Effect.sync(() => this.#all.delete(own)),
    )
  }

  /** Notifies every listener of changed tokens. */
  notify(digests: ReadonlyArray<string>): Effect.Effect<void> {
    const calls = digests.flatMap((digest) => [...this.#all].map((listener) => listener(digest)))
    return Effect.uninterruptible(Effect.all(calls, { discard: true }))
  }
}
