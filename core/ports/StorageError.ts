import { Data } from "effect"

/**
 * The store could not do what it was asked: it is down, slow, full or broken. The cause is kept for the log.
 *
 * Adapters map every failure of their driver to this in one place. Nothing was changed, unless the failure is one
 * where a store can't know (a connection lost during a commit).
 */
export class StorageError extends Data.TaggedError("StorageError")<{
  /** What to do about it, where that is known, what was attempted, and why it failed in the store's own words: one line for the log, without values. */
  readonly message: string
  readonly cause: unknown
  /** Whether the same call may succeed when it is made again. */
  readonly isRetryable: boolean
}> {
  /** A log prints the message alone: the cause in full is many lines that say less. */
  override toJSON(): string {
    return this.message
  }
}

/** What a change was based on is no longer so: another change came between. Nothing was stored. */
export class StaleRevision extends Data.TaggedError("StaleRevision")<{
  /**
   * Whether the caller can read again and decide anew. `false` within an outer transaction: what it reads may stay as it was, and while it
   * holds what others wait for, so may they. Then whoever opened the transaction rolls it back and begins again.
   */
  readonly canRetry: boolean
}> {}

/** A reader of the feed can't go on from where it stands: events behind that position are dropped, or the store never was there. */
export class PositionGone extends Data.TaggedError("PositionGone")<{
  /** What of it is so: dropped events (`dropped`), or a position that is ahead of the store, which was restored from a backup (`ahead`). */
  readonly reason: "dropped" | "ahead"
}> {}
