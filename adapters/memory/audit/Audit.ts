import { Effect } from "effect"
import type { AuditEntry, Audited } from "../../../core/model/audit/AuditEntry.ts"
import { compareIds } from "../../../core/model/Ids.ts"
import { type AuditQuery, AuditStore } from "../../../core/ports/AuditStore.ts"
import { fitting } from "../Fitting.ts"
import { holdingsOf, type State } from "../State.ts"

/** Entries of changes in memory. */
export const makeAudit = (state: State): AuditStore["Service"] =>
  AuditStore.of({
    add: (entry) => Effect.sync(() => addEntry(state, entry)),
    list: (query) =>
      Effect.sync(() =>
        fitting(
          (state.holdings.get(query.shop)?.audit ?? [])
            .filter((entry) => isAsked(entry, query))
            .sort(newestFirst)
            .slice(0, query.limit),
          query.bytes,
        ),
      ),
  })

/** Adds the entry of a change, if it has one. */
export const addEntry = (state: State, entry: AuditEntry | null | undefined): void => {
  if (entry !== null && entry !== undefined) holdingsOf(state, entry.shop).audit.push(entry)
}

/** Adds the entry of a change from one record to another; of none, if there was nothing to change. */
export const addChange = <A>(
  state: State,
  audited: Audited<A> | undefined,
  before: A | undefined,
  after: A | undefined,
): void => {
  if (before !== undefined || after !== undefined) addEntry(state, audited?.(before ?? null, after ?? null))
}

const newestFirst = (one: Pick<AuditEntry, "at" | "id">, other: Pick<AuditEntry, "at" | "id">): number =>
  other.at - one.at || compareIds(other.id, one.id)

const isAsked = (entry: AuditEntry, { after, from, subject, until }: AuditQuery): boolean =>
  (subject === null ||
    (entry.subject.type === subject.type && (subject.id === null || entry.subject.id === subject.id))) &&
  (from === null || entry.at >= from) &&
  (until === null || entry.at < until) &&
  (after === null || newestFirst(after, entry) < 0)
