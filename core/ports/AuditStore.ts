import { Context, type Effect } from "effect"
import type { AuditEntry, AuditPosition, SubjectType } from "../model/audit/AuditEntry.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** Which of a shop's entries to read. */
export interface AuditQuery {
  readonly shop: string
  /** Only entries about things of this type; with an id, only about that one. */
  readonly subject: { readonly type: SubjectType; readonly id: string | null } | null
  /** Only entries at this instant or later. */
  readonly from: Instant | null
  /** Only entries before this instant. */
  readonly until: Instant | null
  /** Only entries after this position. */
  readonly after: AuditPosition | null
  /** At most this many, 1 or more. */
  readonly limit: number
  /**
   * The first, and then only as many as have at most this many bytes of text together, without reading more. A store
   * may count what it keeps of them. Default: any number.
   */
  readonly bytes?: number | undefined
}

/**
 * The changes of shops' data by persons and keys (D59). Other ports add most entries: their methods that change
 * something take an entry, or a function that makes it from the records before and after. They store it in the
 * transaction of the change: both or neither. Without an entry they store none.
 *
 * Callers guarantee unique ids, and texts that a store can keep. Adapters guarantee: every method may be called
 * concurrently; nothing of one shop is visible through another; entries are returned as they were given.
 */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Adds an entry about something that no other port changes. Part of an outer transaction, if there is one. */
    readonly add: (entry: AuditEntry) => Effect.Effect<void, StorageError>

    /**
     * Entries of a shop, newest first: by `at` and then by id, both descending, ids by code point. Its time grows
     * neither with the number of entries nor with the depth of the page.
     */
    readonly list: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditEntry>, StorageError>
  }
>()("designwire/AuditStore") {}
