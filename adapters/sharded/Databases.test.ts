/** Shops in two Postgres databases. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, it } from "vitest"
import { Cut, OuterTransaction, register, storage } from "../../conformance/index.ts"
import { cuttableWire } from "../../conformance/testkit/databases/CuttableWire.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { layerClient, layerStores, migrate } from "../postgres/index.ts"
import { layer } from "./index.ts"

/** A migrated database, and the wire to it. */
const newDatabase = Effect.gen(function* () {
  const wire = yield* cuttableWire(yield* freshDatabase)
  const client = layerClient({ url: Redacted.make(wire.url) })
  yield* Effect.provide(migrate, client, { local: true })
  return { client, cut: wire.cut }
})

/** The last digit of a shop's id decides which of two stores it is in. */
const storeOf = (shop: string) => Effect.succeed((shop.codePointAt(shop.length - 1) ?? 0) % 2 === 0 ? "even" : "odd")

const on = (client: Context.Context<PgClient.PgClient | SqlClient.SqlClient>) =>
  layerStores().pipe(Layer.provide(Layer.succeedContext(client)))

register(
  storage({
    name: "storage in two Postgres databases",
    ...variantCases,
    open: Effect.gen(function* () {
      const [first, second] = [yield* newDatabase, yield* newDatabase]
      return Layer.unwrap(
        Effect.gen(function* () {
          const [even, odd] = [yield* Layer.build(first.client), yield* Layer.build(second.client)]
          const [ofEven, ofOdd] = [Context.get(even, SqlClient.SqlClient), Context.get(odd, SqlClient.SqlClient)]
          return Layer.mergeAll(
            layer({ stores: { even: on(even), odd: on(odd) }, storeOf }),
            // Cases don't say which database their shops are in.
            Layer.succeed(OuterTransaction, {
              run: (effect) => ofEven.withTransaction(ofOdd.withTransaction(effect)),
            }),
            Layer.succeed(Cut, Effect.andThen(first.cut, second.cut)),
          )
        }),
      )
    }),
  }),
  { describe, it },
)
