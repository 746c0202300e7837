import type { InboxOutcome, InboxState } from "../../model/ingest/InboxItem.ts"
import { readable } from "../../model/Text.ts"

/**
 * The outcome of an event, with a reason that a store can keep and a page can show: it has texts of the platform,
 * which may be of any length and have any characters.
 */
export const outcome = (state: InboxState, reason: string | null = null): InboxOutcome => ({
  state,
  reason: reason === null ? null : readable(reason),
  designId: null,
})
