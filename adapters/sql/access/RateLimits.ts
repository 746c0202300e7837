import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  type RateDecision,
  type RateLimit,
  RateLimits,
  type RateRequest,
  type RateState,
} from "../../../core/ports/RateLimits.ts"
import { batched } from "../statements/Batch.ts"
import { mapped } from "../statements/Errors.ts"
import { rows } from "../statements/Rows.ts"

/** A token's accepted requests after a statement. */
interface WindowRow {
  readonly tokenId: string
  /** Their number. */
  readonly counted: number
  /** The number added by the statement. */
  readonly granted: number
  /** Time of the oldest. */
  readonly oldest: number
  /**
   * Their times, oldest first, separated by commas, including those before the window; only if the statement added
   * none.
   */
  readonly refused: string | null
}

/** A token's requests in a statement. */
interface Asked {
  now: number
  number: number
}

/**
 * `RateLimits` over SQL: one row per token with the times of its accepted requests in order. Requests that arrive while
 * a statement is running share the next one, with several requests of one token as one entry with a number.
 */
export const layerRateLimits: Layer.Layer<RateLimits, never, SqlClient.SqlClient> = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // Rows are locked in one order by all hosts, or two statements could wait for each other. width_bucket finds by
    // bisection how many of the times lie at or before the window's beginning. They are forgotten only with an accepted
    // request: the time of a refused one does not count, and the next may be an earlier one.
    const count = (shop: string, rate: RateLimit, asked: ReadonlyArray<readonly [tokenId: string, Asked]>) =>
      sql<WindowRow>`INSERT INTO designwire.rate_windows AS w (shop, token_id, accepted, granted)
SELECT ${shop}, a.token_id, array_fill(a.now, ARRAY[least(a.number, ${rate.limit}::int4)]), least(a.number, ${rate.limit}::int4)
FROM ${rows(
        "a",
        { token_id: "text", number: "int4", now: "int8" },
        asked.map(([token_id, { now, number }]) => ({ token_id, number, now })),
      )}
ON CONFLICT (shop, token_id) DO UPDATE SET (accepted, granted) = (
  SELECT CASE g.granted WHEN 0 THEN w.accepted ELSE k.kept || array_fill(k.at, ARRAY[g.granted]) END, g.granted
  FROM (
    SELECT c.at, w.accepted[width_bucket(c.at - ${rate.window}::int8, w.accepted) + 1 :] AS kept
    FROM (SELECT greatest(excluded.accepted[1], w.accepted[cardinality(w.accepted)]) AS at) c
  ) k,
  LATERAL (SELECT greatest(0, least(excluded.granted, ${rate.limit}::int4 - cardinality(k.kept))) AS granted) g
)
RETURNING token_id AS "tokenId", cardinality(accepted) AS counted, granted, accepted[1]::float8 AS oldest,
  CASE granted WHEN 0 THEN array_to_string(accepted, ',') END AS refused`

    const take = yield* batched({
      concurrency: 1,
      groupOf: ({ rate, shop }: RateRequest) => `${shop} ${rate.limit} ${rate.window}`,
      run: Effect.fnUntraced(function* (requests) {
        const { rate, shop } = requests[0] as RateRequest
        const asked = new Map<string, Asked>()
        for (const { now, tokenId } of requests) {
          const before = asked.get(tokenId)
          asked.set(tokenId, { now: Math.max(now, before?.now ?? now), number: (before?.number ?? 0) + 1 })
        }
        const ordered = [...asked].sort(([one], [other]) => (one < other ? -1 : 1))
        const windows = new Map((yield* count(shop, rate, ordered)).map((row) => [row.tokenId, row]))
        const turns = new Map<string, number>()
        return requests.map(({ now, tokenId }) => {
          const turn = (turns.get(tokenId) ?? 0) + 1
          turns.set(tokenId, turn)
          return decide(windows.get(tokenId) as WindowRow, turn, now, rate)
        })
      }, mapped("Counting requests")),
    })

    const peek = Effect.fnUntraced(function* ({ now, rate, shop, tokenId }: RateRequest) {
      const [row] = yield* sql<{ accepted: string }>`SELECT array_to_string(accepted, ',') AS accepted
FROM designwire.rate_windows WHERE shop = ${shop} AND token_id = ${tokenId}`
      return standing(row?.accepted ?? "", now, rate)
    }, mapped("Reading counted requests"))

    return { take, peek }
  }),
)

/** The decision for the `turn`th of the requests counted together. */
const decide = (row: WindowRow, turn: number, now: number, rate: RateLimit): RateDecision => {
  if (row.refused === null) {
    const accepted = turn <= row.granted
    const counted = row.counted - (accepted ? row.granted - turn : 0)
    return { accepted, remaining: Math.max(0, rate.limit - counted), resetAfter: row.oldest + rate.window - now }
  }
  return { accepted: false, ...standing(row.refused, now, rate) }
}

/** Parses the times of accepted requests: oldest first, separated by commas, including those before the window. */
const standing = (accepted: string, now: number, { limit, window }: RateLimit): RateState => {
  const all = accepted === "" ? [] : accepted.split(",").map(Number)
  const at = Math.max(now, all.at(-1) ?? now)
  const times = all.filter((time) => time > at - window)
  // After the limit was lowered, several must expire before the next is accepted.
  const leaves = times[Math.max(0, times.length - limit)]
  return {
    remaining: Math.max(0, limit - times.length),
    resetAfter: leaves === undefined ? 0 : leaves + window - now,
  }
}
