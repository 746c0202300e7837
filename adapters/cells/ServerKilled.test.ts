/** Moves whose servers are killed, and go on or back once they are up again. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, References, Schedule } from "effect"
import { afterAll, beforeAll, inject } from "vitest"
import { newShopInUse, openCells, type ShopUse } from "../../conformance/testkit/databases/Cells.ts"
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

const isPassing = (error: unknown): boolean => !(error instanceof MoveError)

const again = { schedule: Schedule.spaced("100 millis"), times: 600 }

it.live(`${rounds} moves whose servers are killed at random MUST go on or back, and lose nothing`, () =>
  Effect.gen(function* () {
    const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
    console.log(`SEED=${seed} draws the kills`)
    const next = random(seed)
    const databases = yield* Effect.forEach(servers, ({ url }) => freshDatabaseOn(url))
    const cells = yield* openCells(databases[0] ?? "", databases[1] ?? "")
    const { options, remains, routed, source, target } = cells
    for (const { onHost } of [source, target]) yield* onHost(migrate as Effect.Effect<unknown>)
    for (let round = 0; round < rounds; round++) {
      const use: ShopUse = yield* Effect.retry(source.onHost(newShopInUse), again)
      let goesOn = true
      // Clients repeat changes that may not have been stored. Every acknowledged one must be there.
      const writing = yield* Effect.forkChild(
        Effect.exit(routed(use.write)).pipe(
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
      const goesBack = next() < 0.3
      const command = goesBack
        ? Effect.andThen(
            Effect.exit(moveShop(options(use.shop)).pipe(Effect.timeout(next() * 3_000))),
            undoMove(options(use.shop)),
          )
        : moveShop(options(use.shop))
      const outcome = yield* Effect.result(Effect.retry(command, again).pipe(Effect.timeout("90 seconds")))
      yield* Fiber.join(killing)
      // If the shop was open at the target by then, it stays there.
      if (goesBack) yield* Effect.exit(Effect.retry(undoMove(options(use.shop)), { ...again, while: isPassing }))
      else yield* Effect.retry(moveShop(options(use.shop)), again)
      goesOn = false
      yield* Fiber.join(writing)
      expect([round, goesBack, outcome._tag]).toEqual([round, goesBack, goesBack ? expect.any(String) : "Success"])
      yield* Effect.retry(routed(use.checkAcknowledged), again)
    }
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)
