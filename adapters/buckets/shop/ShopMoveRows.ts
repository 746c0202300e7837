/** The rows of the directory about a shop and its move. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { bucketName, hashOf } from "../BucketMap.ts"
import { directoryRows } from "../move/DirectoryRows.ts"
import { MoveError } from "../move/Places.ts"
import { durably } from "../move/Tables.ts"

/** `switching` while the source refuses writes, `leaving` once the shop is in the target. */
export type ShopMovePhase = "copying" | "switching" | "leaving"

/** A move of a shop that has begun and has not ended. */
export interface ShopMoveRow {
  readonly shop: string
  /** Buckets. */
  readonly source: number
  readonly target: number
  readonly phase: ShopMovePhase
  readonly begunAt: Date
  /** Unique among moves. */
  readonly number: number
}

/** A shop, and the bucket that it goes to. */
export interface Journey {
  readonly shop: string
  readonly to: number
}

/** The rows of the directory that moves of shops read and write. `sql` is the client of its database. */
export const shopMoveRows = (sql: SqlClient.SqlClient, schema: string) => {
  const { beginning, databases, directory, ...rows } = directoryRows(sql, schema)
  const notify = rows.notify("shops")

  /** The moves under way, by shop. */
  const moves: Effect.Effect<
    ReadonlyArray<ShopMoveRow>,
    SqlError.SqlError
  > = directory<ShopMoveRow>`SELECT shop, source,
  target, phase, begun_at AS "begunAt", number FROM designwire.shop_moves ORDER BY shop`

  /** The move of a shop that is under way. */
  const moveOf = (shop: string) => Effect.map(moves, (rows) => rows.find((row) => row.shop === shop))

  /** The bucket of a shop. */
  const bucketOf = Effect.fnUntraced(function* (shop: string): Effect.fn.Return<number, SqlError.SqlError> {
    const [row] = yield* directory<{ bucket: number }>`SELECT bucket FROM designwire.shops WHERE shop = ${shop}`
    return row?.bucket ?? hashOf(shop) % (yield* databases).length
  })

  /** Begins moves, unless one of their buckets is being moved, and lets hosts know of them. */
  const begin = (journeys: ReadonlyArray<Journey & { readonly from: number }>, command: string) =>
    beginning(
      Effect.gen(function* () {
        const named = [...new Set(journeys.flatMap(({ from, to }) => [from, to]))]
        const [moving] = yield* directory<{ bucket: number }>`SELECT bucket FROM designwire.moves
WHERE bucket = ANY(${named}::int4[]) ORDER BY 1 LIMIT 1`
        if (moving !== undefined) {
          const name = bucketName(moving.bucket, (yield* databases).length)
          return yield* new MoveError({ message: `Bucket ${name} is being moved: let its move end first` })
        }
        for (const { from, shop, to } of journeys) {
          yield* directory`INSERT INTO designwire.shop_moves (shop, source, target, phase, command)
VALUES (${shop}, ${from}, ${to}, 'copying', ${command})`
        }
        yield* notify
      }),
    )

  /** Lets a command continue a move. */
  const take = (shop: string, command: string) =>
    durably(directory, directory`UPDATE designwire.shop_moves SET command = ${command} WHERE shop = ${shop}`)

  /**
   * Runs an effect while no other command can take a move that is not completed. Waits for the outcome of a COMMIT
   * that got no answer. Fails if the move is completed, or another command has it.
   */
  const owned = <A, E>(shop: string, command: string, effect: Effect.Effect<A, E>) =>
    durably(
      directory,
      Effect.gen(function* () {
        const held = yield* directory`SELECT 1 AS held FROM designwire.shop_moves
WHERE shop = ${shop} AND command = ${command} AND phase <> 'leaving' FOR UPDATE`
        if (held.length > 0) return yield* effect
        return yield* new MoveError({ message: `Another command moves ${shop} by now. Run the command again` })
      }),
    )

  const setPhase = (shop: string, phase: ShopMovePhase): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(directory`UPDATE designwire.shop_moves SET phase = ${phase} WHERE shop = ${shop}`)

  /** Sends hosts to the target. */
  const complete = Effect.fnUntraced(function* (shop: string, target: number) {
    const isAtHome = hashOf(shop) % (yield* databases).length === target
    yield* isAtHome
      ? directory`DELETE FROM designwire.shops WHERE shop = ${shop}`
      : directory`INSERT INTO designwire.shops (shop, bucket) VALUES (${shop}, ${target})
ON CONFLICT (shop) DO UPDATE SET bucket = excluded.bucket, adopted = false`
    yield* directory`UPDATE designwire.shop_moves SET phase = 'leaving', switched_at = clock_timestamp()
WHERE shop = ${shop}`
    yield* notify
  })

  /** Milliseconds since hosts could learn that a shop moves, or since it has switched, by the directory's clock. */
  const since = (shop: string, event: "begun_at" | "switched_at") =>
    Effect.map(
      directory<{
        age: number
      }>`SELECT (extract(epoch FROM clock_timestamp() - ${sql.literal(event)}) * 1000)::float8 AS age
FROM designwire.shop_moves WHERE shop = ${shop}`,
      ([row]) => row?.age ?? 0,
    )

  /** Ends a move that is complete, or has come to nothing. */
  const end = (shop: string) =>
    durably(directory, Effect.andThen(directory`DELETE FROM designwire.shop_moves WHERE shop = ${shop}`, notify))

  return { moves, moveOf, databases, bucketOf, begin, take, owned, setPhase, complete, since, end }
}
