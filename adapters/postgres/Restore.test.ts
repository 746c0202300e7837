/** A restore to an earlier moment, as the runbook describes it (hosts/cli/RUNBOOK.md). */
import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { readToEnd, wholeFeed } from "../../conformance/suites/storage/events/FeedCases.ts"
import { makeShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import {
  advance,
  createEndpoint,
  firstDeliveryId,
  happen,
  request,
  success,
} from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { freshDatabaseOn } from "../../conformance/testkit/databases/FreshDatabase.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EventStore, type FeedPosition } from "../../core/ports/EventStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { layerSingleProcess } from "../sql/index.ts"
import { layerClient } from "./index.ts"

/** Runs an effect over the stores of a database, to which nobody listens: a copy needs its connections closed. */
const onDatabase = <A, E, R>(url: string, effect: Effect.Effect<A, E, R>) =>
  Effect.provide(
    effect,
    Layer.provideMerge(layerSingleProcess, layerClient({ url: Redacted.make(url), maxConnections: 2 })),
    { local: true },
  )

/** A copy of a database to which nobody is connected. */
const copyOf = (url: string) => freshDatabaseOn(inject("postgresUrl"), new URL(url).pathname.slice(1))

/** Restores a backup, and runs an effect on the result. */
const restored = <A, E, R>(backup: string, effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(copyOf(backup), (url) => onDatabase(url, effect)))

const read = (shop: string, after: FeedPosition | null) =>
  EventStore.use((store) => readToEnd(store, wholeFeed(shop, after)))

const claims = Effect.flatMap(DeliveryQueue, (queue) => inTurn(queue).claim(request()))

const [, section = ""] = readFileSync("hosts/cli/RUNBOOK.md", "utf8").split("### Skip the feed's lost positions")
const [, statement = ""] = /^```sql\n(.*?)^```$/ms.exec(section) ?? []

it.live("a reader of the feed MUST miss nothing after a restore to an earlier moment, as the runbook says", () =>
  Effect.gen(function* () {
    const original = yield* migratedDatabase
    const { endpoint, early, shop } = yield* onDatabase(
      original,
      Effect.gen(function* () {
        const made = makeShop()
        yield* ShopStore.use((shops) => shops.put(made))
        const shop = made.id
        const endpoint = yield* createEndpoint(shop)
        const [early] = yield* happen(shop)
        return { endpoint, early, shop }
      }),
    )
    const backup = yield* copyOf(original)

    // Two events that the backup lacks, and a delivery that it does not know to be finished.
    const seen = yield* onDatabase(
      original,
      Effect.gen(function* () {
        const settlements = (yield* claims).map((claim) => success(claim))
        expect(settlements.map(({ claim }) => claim.deliveryId)).toEqual([firstDeliveryId(early, endpoint)])
        yield* DeliveryQueue.use((queue) => queue.settle(settlements, advance))
        yield* happen(shop, [1, 2])
        return yield* read(shop, null)
      }),
    )
    expect(seen.bodies).toHaveLength(3)

    const again = Effect.gen(function* () {
      const events = yield* happen(shop, [3, 4, 5])
      return { written: events.map(({ body }) => body), found: (yield* read(shop, seen.next)).bodies }
    })
    const after = yield* restored(
      backup,
      Effect.gen(function* () {
        yield* SqlClient.SqlClient.use((sql) => sql.unsafe(statement))
        expect(yield* Effect.flip(read(shop, seen.next))).toMatchObject({ _tag: "PositionGone", reason: "ahead" })
        expect((yield* claims).map(({ deliveryId }) => deliveryId)).toEqual([firstDeliveryId(early, endpoint)])
        return yield* again
      }),
    )
    expect(after.found).toEqual(after.written)

    const without = yield* restored(backup, again)
    expect(without.found).toEqual(without.written.slice(2))
  }).pipe(Effect.scoped),
)
