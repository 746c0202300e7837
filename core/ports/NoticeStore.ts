import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { NoticeRecord } from "../model/webhooks/Notice.ts"
import type { StorageError } from "./StorageError.ts"

/** A notice leased to a worker for sending. */
export interface NoticeClaim {
  readonly token: string
  readonly notice: NoticeRecord
  /** Number of the attempt to make, from 1. */
  readonly attempt: number
}

/** A worker's claim. */
export interface NoticeClaimRequest {
  readonly now: Instant
  /** At most this many, 1 or more. */
  readonly limit: number
  /** End of the lease. Afterwards other workers may claim the same notices. */
  readonly leaseUntil: Instant
  /** Unique name of this claim. */
  readonly token: string
}

/**
 * The notices of all shops (D42, D57, D77, D85), and the queue of unsent ones. `DeliveryQueue.settle`,
 * `TokenStore.add`, `Upkeep.prune` and `Inbox.raise` add them in their transactions, each due at its `createdAt`, which
 * may be in the future.
 */
export class NoticeStore extends Context.Service<
  NoticeStore,
  {
    /** A shop's newest notices until `now`, at most `limit`: by `createdAt` and then by id, newest first. */
    readonly list: (
      shop: string,
      limit: number,
      now: Instant,
    ) => Effect.Effect<ReadonlyArray<NoticeRecord>, StorageError>

    /** Returns due notices, each to one worker only until the lease ends, the longest due first. */
    readonly claim: (request: NoticeClaimRequest) => Effect.Effect<ReadonlyArray<NoticeClaim>, StorageError>

    /**
     * Ends a claim. If `nextAttemptAt` is `null`, the notice was sent or given up, otherwise it is due again at that
     * instant. Returns `false` and changes nothing if the claim is outdated or the notice is gone.
     */
    readonly settle: (claim: NoticeClaim, nextAttemptAt: Instant | null) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/NoticeStore") {}
