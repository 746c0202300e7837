/** Moves of a bucket that shops have left. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { endedMoves } from "../../conformance/testkit/databases/EndedMoves.ts"
import { newDeployment, replicatingServer, schema } from "../../conformance/testkit/databases/MovingBuckets.ts"
import { migrate } from "../postgres/index.ts"
import { SchemaName } from "../sql/index.ts"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import { hashOf, moveShop } from "./index.ts"
import { move } from "./Move.ts"

const server = replicatingServer()

const { endedBefore } = endedMoves(move)

it.live("a bucket that moves, and comes back, MUST go on refusing the shops that have left it, and leave nothing", () =>
  Effect.gen(function* () {
    const { at, first, options, remains } = yield* newDeployment(server.url())
    yield* migrate.pipe(
      Effect.provideService(SqlClient.SqlClient, first.sql),
      Effect.provideService(SchemaName, "designwire_00"),
    )
    const newOwnShop = Effect.repeat(at("first")(newShop), { until: (shop) => hashOf(shop) % 2 === 1 })
    const [departed, staying] = [yield* newOwnShop, yield* newOwnShop]
    const { databases, directory } = options("first")
    const shopMove = (to: number) => ({
      ...{ schema: "designwire", databases, directory, shop: departed, to },
      waits: { known: 0, left: 0 },
    })
    yield* moveShop(shopMove(0))
    const codeAt = (name: "first" | "second") => Effect.map(Effect.flip(at(name)(happen(departed))), causeCodeOf)
    const gates = `schema ${schema}_gates`
    const schemasAt = (name: "first" | "second") =>
      Effect.map(remains(name), (all) => all.filter((each) => each.startsWith("schema")))

    // Begun again, and then undone, it has nothing at the target.
    yield* endedBefore(options("second"), "subscribe")
    yield* endedBefore(options("second"), "open")
    yield* move(options("first"))
    expect([yield* schemasAt("first"), yield* remains("second")]).toEqual([[`schema ${schema}`, gates], []])
    expect(yield* codeAt("first")).toBe("42P01")

    yield* endedBefore(options("second"), "drop the closed schema")
    yield* move(options("second"))
    expect([yield* remains("first"), yield* schemasAt("second")]).toEqual([
      // The other bucket, which no shop has left, has neither a schema of gates nor triggers.
      [],
      [`schema ${schema}`, gates],
    ])
    expect(yield* codeAt("second")).toBe("42P01")
    yield* at("second")(happen(staying))

    yield* move(options("first"))
    expect([yield* schemasAt("first"), yield* remains("second")]).toEqual([[`schema ${schema}`, gates], []])
    expect(yield* codeAt("first")).toBe("42P01")
    yield* at("first")(happen(staying))

    yield* moveShop(shopMove(1))
    yield* at("first")(Effect.andThen(happen(departed), happen(staying)))
  }).pipe(Effect.scoped),
)
