/** Imports of many records, which may be repeated, as a whole or in part, and change nothing then (D75). */
import { Array as Arr, Effect, Result } from "effect"
import { StaleRevision, StorageError } from "../../ports/StorageError.ts"

/** A record of a file: its id and the other fields. */
export interface ImportedRecord {
  readonly id: unknown
  readonly input: unknown
}

/** Nothing if a record is stored as it should be, otherwise why it is rejected. */
export type Outcome<E> = Result.Result<void, Exclude<E, StorageError>>

/** Records of one commit, and how many commits are made at the same time. */
const [together, commits] = [64, 4]

/** Records of a part that are imported one by one at the same time. */
const atOnce = 8

/** How records of a kind are imported. */
interface Kind<E, F, R> {
  /** The names of all that a record changes. */
  readonly namesOf: (record: ImportedRecord) => ReadonlyArray<string>
  /**
   * Imports records without a common name in one commit. Returns `undefined` for those that it has left for
   * {@link Kind.alone}.
   */
  readonly together: (
    records: ReadonlyArray<ImportedRecord>,
  ) => Effect.Effect<ReadonlyArray<Outcome<E> | undefined>, F, R>
  /** Imports one record. */
  readonly alone: (record: ImportedRecord) => Effect.Effect<unknown, E, R>
}

/**
 * Imports records as if one came after the other, but many in one commit. A record that has a name of an earlier one is
 * imported separately, after that one. Returns the outcome of each; fails if the store does.
 */
export const importMany = Effect.fnUntraced(function* <E, F, R>(
  records: ReadonlyArray<ImportedRecord>,
  kind: Kind<E, F, R>,
) {
  const outcomes: Array<Outcome<E>> = []
  const alone = (place: IndexedRecord) =>
    Effect.map(outcomeOf(kind.alone(place.record)), (outcome) => {
      outcomes[place.index] = outcome
    })
  const [first, again] = apart(records, kind.namesOf)
  yield* Effect.forEach(
    Arr.chunksOf(first, together),
    Effect.fnUntraced(function* (part) {
      const made = yield* kind.together(part.map(({ record }) => record))
      const left = part.filter(({ index }, at) => {
        const outcome = made[at]
        if (outcome !== undefined) outcomes[index] = outcome
        return outcome === undefined
      })
      yield* Effect.forEach(left, alone, { concurrency: atOnce })
    }),
    { concurrency: commits },
  )
  yield* Effect.forEach(again, alone)
  return outcomes
})

interface IndexedRecord {
  readonly record: ImportedRecord
  /** Its index among the records. */
  readonly index: number
}

/** Records without a name of an earlier one, and the others. */
const apart = (records: ReadonlyArray<ImportedRecord>, namesOf: Kind<never, never, never>["namesOf"]) => {
  const seen = new Set<string>()
  const [first, again]: [Array<IndexedRecord>, Array<IndexedRecord>] = [[], []]
  for (const [index, record] of records.entries()) {
    const names = namesOf(record)
    const isAgain = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    ;(isAgain ? again : first).push({ record, index })
  }
  return [first, again] as const
}

/** The outcome of the import of one record. A failure of the store is not the record's, and fails. */
export const outcomeOf = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Outcome<E>, Extract<E, StorageError>, R> =>
  Effect.matchEffect(effect, {
    onFailure: (error) =>
      error instanceof StorageError
        ? Effect.fail(error as Extract<E, StorageError>)
        : Effect.succeed(Result.fail(error as Exclude<E, StorageError>)),
    onSuccess: () => Effect.succeed(Result.succeed(undefined)),
  })

/** Whether a commit was not stale. */
export const isCurrent = <E, R>(
  commit: Effect.Effect<void, E | StaleRevision, R>,
): Effect.Effect<boolean, Exclude<E, StaleRevision>, R> =>
  Effect.matchEffect(commit, {
    onFailure: (error) =>
      error instanceof StaleRevision ? Effect.succeed(false) : Effect.fail(error as Exclude<E, StaleRevision>),
    onSuccess: () => Effect.succeed(true),
  })
