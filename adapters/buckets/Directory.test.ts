/** How hosts follow the directory. The clock stands still unless a test moves it. */
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newDeployment, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import { DirectoryChanges } from "../sql/index.ts"
import { type Directory, openDirectory } from "./Directory.ts"
import { directoryChannel } from "./DirectorySchema.ts"

/** Moves the first bucket as commands do, without a notification. */
const move = (sql: SqlClient.SqlClient) =>
  sql`UPDATE designwire_directory.buckets SET epoch = epoch + 1 WHERE bucket = 0`

const tell = (sql: SqlClient.SqlClient) => sql`SELECT pg_notify(${directoryChannel("designwire")}, '0') AS sent`

/** Waits until the host knows of a number of moves. Each look is a statement over the host's own connections. */
const untilKnown = ({ map }: Directory, sql: SqlClient.SqlClient, epoch: number) =>
  Effect.repeat(sql`SELECT 1`, { until: () => map().all[0]?.epoch === epoch })

/** Runs a test with a host's directory, the host's connections, and connections of another process. */
const withHost = (
  test: (directory: Directory, own: SqlClient.SqlClient, other: SqlClient.SqlClient) => Effect.Effect<void, unknown>,
) =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first"], 2)
    const { databases, first: own } = yield* openDatabases(wires, 2)
    const services = yield* Layer.build(databases["first"] as NonNullable<(typeof databases)[string]>)
    const { first: other } = yield* openDatabases(wires, 2)
    const directory = yield* openDirectory(own, Context.get(services, DirectoryChanges), "designwire")
    yield* test(directory, own, other)
  }).pipe(Effect.scoped)

it.effect("a host MUST read the map again once it hears that a bucket has moved", () =>
  withHost((directory, own, other) =>
    Effect.gen(function* () {
      for (const moves of [1, 2]) {
        yield* move(other)
        yield* tell(other)
        yield* untilKnown(directory, own, moves)
      }
    }),
  ),
)

it.effect("a host MUST read the map again every five seconds, without a notification", () =>
  withHost((directory, own, other) =>
    Effect.gen(function* () {
      // The host has read the map as it began to listen.
      yield* move(other)
      yield* tell(other)
      yield* untilKnown(directory, own, 1)
      yield* move(other)
      yield* TestClock.adjust("5 seconds")
      yield* untilKnown(directory, own, 2)
    }),
  ),
)
