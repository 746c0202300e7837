/** Going through all buckets step by step: each step takes a page of every database, and the next one goes on there. */
import { Effect, Result } from "effect"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { answersOf, type Database } from "./Databases.ts"
import type { Stores } from "./Stores.ts"

/** The beginning of a page of a database: a bucket, and a place in it. */
export type Place = readonly [bucket: number, after: string | null]

/** A page of a database with its finds, and the beginning of the next page. */
export interface Page<A> {
  readonly found: A
  readonly next: Place | null
}

/** The places of the next step, by the database's name. A database without one is done. */
type Places = Readonly<Record<string, Place>>

/**
 * Takes the next page of every database. `after` is what the step before returned, `null` for the first step. Passes
 * over databases that fail; fails if all do.
 */
export const nextPages = Effect.fnUntraced(function* <A>(
  stores: Stores,
  after: string | null,
  pageOf: (database: Database, place: Place) => Effect.Effect<Page<A>, StorageError>,
): Effect.fn.Return<{ readonly found: ReadonlyArray<A>; readonly after: string | null }, StorageError> {
  yield* stores.map
  const places: Places | null = after === null ? null : JSON.parse(after)
  const results = yield* Effect.forEach(
    stores.databases,
    (database) => {
      const place = places === null ? ([0, null] as const) : places[database.name]
      if (place === undefined) return Effect.succeed(Result.succeed([]))
      return database.tried(Effect.map(pageOf(database, place), (page) => [{ ...page, name: database.name }]))
    },
    { concurrency: "unbounded" },
  )
  const pages = (yield* answersOf(results)).flat()
  const next = pages.flatMap(({ name, next }) => (next === null ? [] : [[name, next] as const]))
  return {
    found: pages.map(({ found }) => found),
    after: next.length === 0 ? null : JSON.stringify(Object.fromEntries(next)),
  }
})
