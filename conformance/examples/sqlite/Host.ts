import { Effect, Queue, type Scope } from "effect"
import type { Database } from "./Database.ts"

type Listener = (digest: string) => Effect.Effect<void>

/** What a process has of its own: its connection, its workers, and who listens to it. SQLite tells nobody of changes that others make. */
export class Host {
  readonly database: Database
  readonly #listeners = new Set<Listener>()
  readonly #workers = new Set<Queue.Queue<void>>()
  /** The shop at which the last claim ended, by kind of endpoint. */
  readonly turns = { proven: "", unproven: "" }

  constructor(database: Database) {
    this.database = database
  }

  /** Tells the workers of this host that something may be waiting. */
  wake(): void {
    for (const worker of this.#workers) Queue.offerUnsafe(worker, undefined)
  }

  readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope> = Effect.acquireRelease(
    Effect.tap(Queue.sliding<void>(1), (worker) => Effect.sync(() => this.#workers.add(worker))),
    (worker) => Effect.sync(() => this.#workers.delete(worker)),
  )

  listen(listener: Listener): Effect.Effect<void, never, Scope.Scope> {
    // One of its own, so that the same listener given twice is two listeners.
    const own: Listener = (digest) => listener(digest)
    return Effect.acquireRelease(
      Effect.sync(() => void this.#listeners.add(own)),
      () => Effect.sync(() => this.#listeners.delete(own)),
    )
  }

  /** Tells every listener of this host of tokens that changed. */
  tell(digests: ReadonlyArray<string>): Effect.Effect<void> {
    const calls = digests.flatMap((digest) => [...this.#listeners].map((listener) => listener(digest)))
    return Effect.uninterruptible(Effect.all(calls, { discard: true }))
  }
}
