/** The port `RateLimits` of designwire over a SQLite file. */
import { DatabaseSync } from "node:sqlite"
import { RateLimits, type RateRequest, StorageError } from "designwire/ports"
import { Effect, Layer } from "effect"

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS counted (
    shop TEXT NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (shop, token, at, number)
  ) WITHOUT ROWID;
`

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  database.exec(schema)
  return database
}

/** The times that count, oldest first, and the time that the request counts as. */
const standing = (database: DatabaseSync, { now, rate, shop, tokenId }: RateRequest) => {
  const rows = database.prepare("SELECT at FROM counted WHERE shop = ? AND token = ? ORDER BY at, number")
  const kept = rows.all(shop, tokenId).map(({ at }) => Number(at))
  // A clock that lags behind what was counted counts from there.
  const at = Math.max(now, kept.at(-1) ?? now)
  return { at, times: kept.filter((time) => time > at - rate.window) }
}

const take = (database: DatabaseSync, request: RateRequest) => {
  const { now, rate, shop, tokenId } = request
  database.exec("BEGIN IMMEDIATE")
  try {
    const { at, times } = standing(database, request)
    const accepted = times.length < rate.limit
    if (accepted) {
      database
        .prepare("DELETE FROM counted WHERE shop = ? AND token = ? AND at <= ?")
        .run(shop, tokenId, at - rate.window)
      const number = times.filter((time) => time === at).length
      database.prepare("INSERT INTO counted VALUES (?, ?, ?, ?)").run(shop, tokenId, at, number)
    }
    database.exec("COMMIT")
    const counted = accepted ? [...times, at] : times
    const leaves = counted[accepted ? 0 : counted.length - rate.limit] ?? at
    return { accepted, remaining: Math.max(0, rate.limit - counted.length), resetAfter: leaves + rate.window - now }
  } catch (error) {
    database.exec("ROLLBACK")
    throw error
  }
}

const peek = (database: DatabaseSync, request: RateRequest) => {
  const { now, rate } = request
  const { times } = standing(database, request)
  const first = times[Math.max(0, times.length - rate.limit)]
  const resetAfter = first === undefined ? 0 : first + rate.window - now
  return { remaining: Math.max(0, rate.limit - times.length), resetAfter }
}

const stored = <A,>(run: () => A): Effect.Effect<A, StorageError> =>
  Effect.try({
    try: run,
    catch: (cause) => new StorageError({ message: `The counts: ${cause}`, cause, isRetryable: true }),
  })

export const layer = (file: string) =>
  Layer.effect(
    RateLimits,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => open(file)),
        (database) => Effect.sync(() => database.close()),
      ),
      (database) => ({
        take: (request: RateRequest) => stored(() => take(database, request)),
        peek: (request: RateRequest) => stored(() => peek(database, request)),
      }),
    ),
  )
