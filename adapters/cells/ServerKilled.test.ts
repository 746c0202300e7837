/** Moves whose servers are killed, and continue or go back once they are up again. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, References, Schedule } from "effect"
import { afterAll, beforeAll, inject } from "vitest"
import { endsWithin, newShopInUse, openCells, type ShopUse } from "../../conformance/testkit/databases/Cells.ts"
import { type StartedPostgres, startPostgres } from "../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "../../conformance/testkit/databases/FreshDatabase.ts"
import { random } from "../../conformance/testkit/requests/Draw.ts"
import { migrate } from "../sql/index.ts"
import { MoveError, moveShop, undoMove } from "./index.ts"

let servers: readonly [StartedPostgres, StartedPostgres]

beforeAll(async () => {
  // What hosts have stored must be there after a crash, and a slot whose reader is gone soon be free.
  const start = () =>
    startPostgres(["synchronous_commit=on", "fsync=on", "wal_sender_timeout=2s", "wal_receiver_timeout=2s"])
  servers = [await start(), await start()]
})
afterAll(() => Promise.all(servers.map(({ stop }) => stop())))

const rounds = inject("wholeMatrix") ? 20 : 2

/** A lost connection, and a server that starts, are for the next try; so is a slot whose reader is not gone. */
const again = { schedule: Schedule.spaced("100 millis"), times: 300 }

const isPassing = (error: unknown): boolean => !(error instanceof MoveError)

it.live(`${rounds} moves whose servers are killed at random MUST continue or go back, and lose nothing (D92)`, () =>
  Effect.gen(function* () {
    const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
    console.log(`SEED=${seed} draws the kills`)
    const next = random(seed)
    const databases = yield* Effect.forEach(servers, ({ url }) => freshDatabaseOn(url))
    const cells = yield* openCells(databases[0] ?? "", databases[1] ?? "")
    const { options, remains, routed, source, target } = cells
    for (const { onHost } of [source, target]) yield* onHost(migrate as Effect.Effect<unknown>)
    for (let round = 0; round < rounds; round++) {
      const goesBack = next() < 0.3
      const last = `round ${round}${goesBack ? ", which goes back" : ""}`
      const use: ShopUse = yield* endsWithin(
        `a new shop in ${last}`,
        "30 seconds",
        Effect.retry(source.onHost(newShopInUse), again),
      )
      let goesOn = true
      // Clients repeat changes that may not have been stored. Every acknowledged one must be there.
      const writing = yield* Effect.forkChild(
        Effect.exit(Effect.timeout(routed(use.write), "5 seconds")).pipe(
          Effect.andThen(Effect.sleep("3 millis")),
          Effect.repeat({ while: () => goesOn }),
        ),
      )
      const killing = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* Effect.sleep(next() * 3_000)
          const server = servers[Math.floor(next() * 2)] as StartedPostgres
          yield* Effect.promise(server.kill)
          yield* Effect.promise(server.restart)
        }),
      )
      const begun = Effect.exit(moveShop(options(use.shop)).pipe(Effect.timeout(next() * 3_000)))
      const undo = Effect.retry(undoMove(options(use.shop)), { ...again, while: isPassing })
      const move = Effect.retry(moveShop(options(use.shop)), again)
      const errors: Array<unknown> = []
      const noting = Effect.tapError((error: unknown) => Effect.sync(() => void errors.push(error)))
      const command = goesBack
        ? Effect.andThen(begun, Effect.exit(undo))
        : Effect.exit(Effect.retry(noting(moveShop(options(use.shop))), again))
      yield* endsWithin(`the command in ${last}`, "100 seconds", command, () => errors.join("\n"))
      yield* endsWithin(`the server to be up in ${last}`, "30 seconds", Fiber.join(killing))
      // If the shop was open at the target by then, it stays there.
      yield* endsWithin(
        `the command again in ${last}`,
        "60 seconds",
        goesBack ? Effect.asVoid(Effect.exit(undo)) : Effect.asVoid(move),
      )
      goesOn = false
      yield* endsWithin(`the writer in ${last}`, "20 seconds", Fiber.join(writing))
      const checked = Effect.retry(Effect.timeout(routed(use.checkAcknowledged), "10 seconds"), again)
      yield* endsWithin(`the shop to be somewhere in ${last}`, "60 seconds", checked)
    }
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)
