import type { Signal } from "designwire/ports"
import { Effect, Queue, type Scope } from "effect"
import type { Database } from "./Database.ts"

type Listener = (digest: string) => Effect.Effect<void>

/** Per-process state: connection, workers and listeners. SQLite does not notify about changes by other processes. */
export class Host {
  readonly database: Database
  readonly #listeners = new Set<Listener>()
  readonly #workers = new Set<Queue.Queue<Signal>>()

  constructor(database: Database) {
    this.database = database
  }

  /** Signals the workers of this host that deliveries of some shops, or of any, may be pending. */
  wake(shops: Signal): void {
    for (const worker of this.#workers) Queue.offerUnsafe(worker, shops)
  }

  readonly subscribe: Effect.Effect<Queue.Dequeue<Signal>, never, Scope.Scope> = Effect.acquireRelease(
    Effect.tap(Queue.unbounded<Signal>(), (worker) => Effect.sync(() => this.#workers.add(worker))),
    (worker) => Effect.sync(() => this.#workers.delete(worker)),
  )

  listen(listener: Listener): Effect.Effect<void, never, Scope.Scope> {
    // A new object, so that the same listener added twice counts as two.
    const own: Listener = (digest) => listener(digest)
    return Effect.acquireRelease(
      Effect.sync(() => void this.#listeners.add(own)),
      () => Effect.sync(() => this.#listeners.delete(own)),
    )
  }

  /** Notifies every listener of this host of changed tokens. */
  tell(digests: ReadonlyArray<string>): Effect.Effect<void> {
    const calls = digests.flatMap((digest) => [...this.#listeners].map((listener) => listener(digest)))
    return Effect.uninterruptible(Effect.all(calls, { discard: true }))
  }
}
