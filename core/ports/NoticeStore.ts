import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { NoticeRecord } from "../model/Notice.ts"
import type { StorageError } from "./StorageError.ts"

/** A notice that a worker holds, to tell it. */
export interface NoticeClaim {
  readonly token: string
  readonly notice: NoticeRecord
  /** The number of the attempt to make, from 1. */
  readonly attempt: number
}

/** What a worker asks for. */
export interface NoticeClaimRequest {
  readonly now: Instant
  /** At most this many, 1 or more. */
  readonly limit: number
  /** Until when the worker holds what it gets. After it another may claim the same. */
  readonly leaseUntil: Instant
  /** Names this claim: a text that no other claim has. */
  readonly token: string
}

/**
 * The notices of all shops (D42), and the queue of those that are still to be told. `DeliveryQueue.settle` adds them: in its transaction, or not at all.
 */
export class NoticeStore extends Context.Service<
  NoticeStore,
  {
    /** A shop's newest notices, at most `limit`: by `createdAt` and then by id, newest first. */
    readonly list: (shop: string, limit: number) => Effect.Effect<ReadonlyArray<NoticeRecord>, StorageError>

    /** Hands out notices that are due to be told, each to one worker only until the lease ends, the longest due first. */
    readonly claim: (request: NoticeClaimRequest) => Effect.Effect<ReadonlyArray<NoticeClaim>, StorageError>

    /**
     * Ends a claim: the notice is told or was given up where `nextAttemptAt` is `null`, and otherwise due again at that instant. Answers `false` and changes nothing
     * where the claim is no longer the current one, or the notice is gone.
     */
    readonly settle: (claim: NoticeClaim, nextAttemptAt: Instant | null) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/NoticeStore") {}
