/**
 * Use cases within a transaction of our connections or of the embedder's, on a host that serves other callers
 * meanwhile.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OuterTransaction } from "../../conformance/suites/storage/StorageCase.ts"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { libraries, outerTransaction } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { host, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"

/** Hosts, and outer transactions for their calls. */
const ways = [
  {
    name: "of our connections",
    open: (url: string) =>
      Layer.provideMerge(
        Layer.effect(
          OuterTransaction,
          Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
        ),
        host(url),
      ),
  },
  ...libraries.slice(0, 2).map((library) => ({
    name: `of ${library.name}`,
    open: (url: string) => Layer.provideMerge(outerTransaction(library, url), host(url)),
  })),
]

const onHost = <A, E, R>(
  open: (url: string) => Layer.Layer<Layer.Success<ReturnType<typeof host>> | OuterTransaction, unknown>,
  effect: Effect.Effect<A, E, R>,
) => Effect.flatMap(migratedDatabase, (url) => Effect.provide(effect, open(url), { local: true }))

describe.each(ways)("A transaction $name", ({ open }) => {
  it.live("counting due deliveries within a transaction MUST include the ones that it added", () =>
    onHost(
      open,
      Effect.gen(function* () {
        const transaction = yield* OuterTransaction
        const upkeep = yield* Upkeep
        const shop = yield* newShop
        yield* createEndpoint(shop)
        const counted = yield* transaction.run(Effect.andThen(happen(shop), upkeep.statistics(someTime)))
        expect(counted.pending).toBe(1)
      }),
    ),
  )
})
