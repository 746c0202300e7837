import { Data } from "effect"

/**
 * The store failed: it is down, slow, full or broken. The cause is kept for the log.
 *
 * Adapters map every failure of their driver to this error in one place. Nothing was changed, unless the store can't
 * know (a connection lost during a commit).
 */
export class StorageError extends Data.TaggedError("StorageError")<{
  /**
   * What to do about it, if known, what was attempted, and the reason in the store's own words: one line for the log,
   * without values.
   */
  readonly message: string
  readonly cause: unknown
  /** Whether a retry of the same call may succeed. */
  readonly isRetryable: boolean
}> {
  /** A log prints only the message: the full cause is many lines that say less. */
  override toJSON(): string {
    return this.message
  }
}

/** A change was based on an outdated revision. Nothing was stored. */
export class StaleRevision extends Data.TaggedError("StaleRevision")<{
  /**
   * Whether the caller can read and decide again. `false` within an outer transaction: what it reads may stay outdated,
   * and others may wait for its locks. The owner of the transaction must then roll it back and start again.
   */
  readonly canRetry: boolean
}> {}

/** A reader of the feed can't continue from its position: later events were dropped, or the store was never there. */
export class PositionGone extends Data.TaggedError("PositionGone")<{
  /** The reason: dropped events (`dropped`), or a position ahead of a store restored from a backup (`ahead`). */
  readonly reason: "dropped" | "ahead"
}> {}
