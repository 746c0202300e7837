import type { Bucket } from "../../../adapters/buckets/index.ts"

/** The moves after which each database has as many buckets as another, or one more. */
export const planOf = (
  buckets: ReadonlyArray<Bucket>,
  databases: ReadonlyArray<string>,
): ReadonlyArray<readonly [bucket: number, database: string]> => {
  const least = Math.floor(buckets.length / databases.length)
  const byDatabase = new Map(databases.map((name) => [name, buckets.filter(({ database }) => database === name)]))
  // Those with most buckets keep one more, if not all can have as many.
  const order = [...byDatabase].toSorted(([, one], [, other]) => other.length - one.length)
  const wanted = order.map(([name, own], index) => {
    const most = least + (index < buckets.length % databases.length ? 1 : 0)
    return { name, spare: own.slice(most), missing: Math.max(0, most - own.length) }
  })
  const spare = wanted.flatMap(({ spare }) => spare)
  const places = wanted.flatMap(({ missing, name }) => Array.from({ length: missing }, () => name))
  return places.flatMap((name, index) => {
    const bucket = spare[index]
    return bucket === undefined ? [] : [[bucket.number, name] as const]
  })
}
