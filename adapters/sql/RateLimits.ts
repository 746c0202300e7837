import { Effect, Exit, Layer, Request, RequestResolver } from "effect"
import { SqlClient } from "effect/sql"
import { type RateDecision, type RateLimit, RateLimits } from "../../core/ports/RateLimits.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { mapped } from "./Errors.ts"

interface Take {
  readonly shop: string
  readonly tokenId: string
  readonly now: number
  readonly rate: RateLimit
}

class TakeRequest extends Request.Class<Take, RateDecision, StorageError> {}

interface WindowRow {
  readonly tokenId: string
  /** When each accepted request was accepted, oldest first; those that have left the window only where nothing was added. */
  readonly accepted: ReadonlyArray<bigint>
  /** How many of them the statement at hand added. */
  readonly granted: number
}

/**
 * `RateLimits` over SQL: one row a token, the times of its accepted requests in order. Requests that come in while a statement is on its
 * way share the next one, several of one token as one entry with a number.
 */
export const layer: Layer.Layer<RateLimits, never, SqlClient.SqlClient> = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const count = (shop: string, rate: RateLimit, now: number, asked: ReadonlyMap<string, number>) => {
      const tokens = [...asked.keys()].sort()
      const numbers = tokens.map((token) => asked.get(token) as number)
      // width_bucket finds by bisection how many of the times lie at or before the window's beginning. They are forgotten only with
      // an accepted request: the time of a refused one does not count, and the next may be an earlier one.
      return sql<WindowRow>`INSERT INTO designwire.rate_windows AS w (shop, token_id, accepted, granted)
SELECT ${shop}, a.token_id, array_fill(${now}::int8, ARRAY[least(a.number, ${rate.limit}::int4)]), least(a.number, ${rate.limit}::int4)
FROM unnest(${tokens}::text[], ${numbers}::int4[]) AS a (token_id, number)
ON CONFLICT (shop, token_id) DO UPDATE SET (accepted, granted) = (
  SELECT CASE g.granted WHEN 0 THEN w.accepted ELSE k.kept || array_fill(k.at, ARRAY[g.granted]) END, g.granted
  FROM (
    SELECT c.at, w.accepted[width_bucket(c.at - ${rate.window}::int8, w.accepted) + 1 :] AS kept
    FROM (SELECT greatest(${now}::int8, w.accepted[cardinality(w.accepted)]) AS at) c
  ) k,
  LATERAL (SELECT greatest(0, least(excluded.granted, ${rate.limit}::int4 - cardinality(k.kept))) AS granted) g
)
RETURNING token_id AS "tokenId", accepted, granted`
    }

    const resolver = RequestResolver.makeGrouped<TakeRequest, string>({
      // A shop's requests of one moment under one limit.
      key: ({ request }) => `${request.shop} ${request.now} ${request.rate.limit} ${request.rate.window}`,
      resolver: Effect.fnUntraced(function* (entries) {
        const { now, rate, shop } = entries[0].request
        const asked = new Map<string, number>()
        for (const { request } of entries) asked.set(request.tokenId, (asked.get(request.tokenId) ?? 0) + 1)
        const rows = new Map((yield* count(shop, rate, now, asked)).map((row) => [row.tokenId, row]))
        const turns = new Map<string, number>()
        for (const entry of entries) {
          const { tokenId } = entry.request
          const turn = (turns.get(tokenId) ?? 0) + 1
          turns.set(tokenId, turn)
          entry.completeUnsafe(Exit.succeed(decide(rows.get(tokenId) as WindowRow, turn, now, rate)))
        }
      }, mapped("Counting requests")),
    })

    return { take: (request) => Effect.request(new TakeRequest(request), resolver) }
  }),
)

/** What the row says for the `turn`th of the requests that were counted together. */
const decide = (row: WindowRow, turn: number, now: number, rate: RateLimit): RateDecision => {
  const at = Math.max(now, Number(row.accepted.at(-1) ?? now))
  const accepted = turn <= row.granted
  const left = row.granted > 0 ? 0 : row.accepted.findIndex((time) => Number(time) > at - rate.window)
  const counted = row.accepted.length - left - (accepted ? row.granted - turn : 0)
  // Where the limit was lowered, more than one has to leave before the next is accepted.
  const leaving = left + (accepted ? 0 : Math.max(0, counted - rate.limit))
  return {
    accepted,
    remaining: Math.max(0, rate.limit - counted),
    resetAfter: Number(row.accepted[leaving] ?? at) + rate.window - now,
  }
}
