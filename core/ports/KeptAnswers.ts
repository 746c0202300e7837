import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** A request that its client may repeat, under a key of the client's (D49). */
export interface RepeatableRequest {
  readonly shop: string
  /** The client's key, 1 to 255 characters, none of them a control character. */
  readonly key: string
  /** A digest of the request. */
  readonly request: string
  readonly now: Instant
  /** When the answer need not be kept any more, after `now`. */
  readonly until: Instant
  /** Whether the answer may contain a buyer's texts, which {@link KeptAnswers.eraseTexts} removes. */
  readonly hasTexts: boolean
}

/**
 * What became of a request:
 *
 * - `Done`: it was carried out just now, with this answer, which is kept.
 * - `Kept`: a request with this key was carried out before. `request` is its digest; `answer` is `null` if the answer
 *   was erased, or if the store can't know how the request ended.
 * - `UnderWay`: a request with this key is being carried out.
 */
export type RequestOutcome =
  | { readonly _tag: "Done"; readonly answer: string }
  | { readonly _tag: "Kept"; readonly request: string; readonly answer: string | null }
  | { readonly _tag: "UnderWay" }

/**
 * Answers to requests that clients may repeat, by shop and key (D49).
 *
 * Callers guarantee a shop that exists; the records of a shop go with it. Adapters guarantee: every method may be
 * called concurrently, on every host.
 */
export class KeptAnswers extends Context.Service<
  KeptAnswers,
  {
    /**
     * Carries out a change and keeps its answer, unless the store keeps one for the key until later than `now`. Two
     * calls with one key never both carry out their changes.
     *
     * A store with transactions runs the change in one, and commits it together with the answer: whatever happens,
     * both are stored or neither is. A store without transactions notes the key first, and the change is not carried
     * out again if the process ends in the middle of it. If the change fails, nothing is kept. Within an outer
     * transaction of the same store it becomes part of that transaction.
     */
    readonly once: <E, R>(
      request: RepeatableRequest,
      change: Effect.Effect<string, E, R>,
    ) => Effect.Effect<RequestOutcome, E | StorageError, R>

    /** Erases all kept answers of a shop that may contain a buyer's texts. Their changes are not carried out again. */
    readonly eraseTexts: (shop: string) => Effect.Effect<void, StorageError>
  }
>()("designwire/KeptAnswers") {}
