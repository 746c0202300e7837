/** Moves of shops whose servers are killed, and go on or back once they are up again. */
import { expect, it } from "@effect/vitest"
import { Effect, References, Schedule } from "effect"
import { afterAll, beforeAll, inject } from "vitest"
import { type StartedPostgres, startPostgres } from "../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { newShopInUse, newShopMoves, placesOf, type ShopUse } from "../../conformance/testkit/databases/MovingShops.ts"
import { moveShop } from "./index.ts"

/** The server of each database. Bucket 0 and 2 are in the first, 1 and 3 in the second; the first has the directory. */
let servers: readonly [StartedPostgres, StartedPostgres]

beforeAll(async () => {
  // What hosts have stored must be there after a crash.
  const start = () => startPostgres(["synchronous_commit=on"])
  servers = [await start(), await start()]
})
afterAll(() => Promise.all(servers.map(({ stop }) => stop())))

/** The changes before which a server is killed: all in the long form of the tests. */
const changes = inject("wholeMatrix")
  ? [
      "begin the copy",
      "make the gate",
      "copy",
      "follow",
      "close",
      "drain",
      "commit the copy",
      "switch",
      "clear the source",
    ]
  : ["drain", "switch"]

const serverOf = (bucket: number) => servers[bucket % 2] as StartedPostgres

/** Two shops: one of each database. */
const newShops = Effect.gen(function* () {
  const found: [ShopUse | undefined, ShopUse | undefined] = [undefined, undefined]
  while (found[0] === undefined || found[1] === undefined) {
    const use = yield* newShopInUse
    found[placesOf(use.shop).home % 2] ??= use
  }
  return [found[0], found[1]] as const
})

for (const directory of ["with", "without"] as const) {
  for (const killed of ["source", "target"] as const) {
    it.live(
      `a move whose ${killed} is killed, ${directory} the directory, MUST end, and be completed or undone later`,
      () =>
        Effect.gen(function* () {
          const { onHost, options, remains, rowsOf } = yield* newShopMoves({
            first: servers[0].url,
            second: servers[1].url,
          })
          const shops = yield* onHost(newShops)
          const isFirst = directory === "with"
          // The shop whose source, or whose target, is in the database that is killed.
          const [use, other] = isFirst === (killed === "source") ? shops : [shops[1], shops[0]]
          const { far, home } = placesOf(use.shop)
          const server = serverOf(killed === "source" ? home : far)
          const beside = serverOf(placesOf(other.shop).home) === server ? undefined : other

          const endsWithout = Effect.fnUntraced(function* (change: string) {
            let isDown = false
            const onStep = (step: string) =>
              Effect.suspend(() => {
                if (isDown || step !== change) return Effect.void
                isDown = true
                return Effect.promise(server.kill)
              })
            const end = yield* Effect.result(moveShop({ ...options(use.shop, far), onStep })).pipe(
              Effect.provideService(References.MinimumLogLevel, "None"),
            )
            // Shops of the other database go on.
            if (beside !== undefined) yield* onHost(beside.write)
            yield* Effect.promise(server.restart)
            yield* Effect.retry(onHost(use.follow), { schedule: Schedule.spaced("50 millis"), times: 200 })
            // Whether a statement fails first or the lock of the command is lost first.
            return [change, isDown, end._tag]
          })

          for (const change of changes) {
            for (const to of [far, home]) {
              yield* onHost(Effect.andThen(use.write, other.write))
              // Once it has the copy, nothing is left to do at the target.
              const isUsed = killed === "source" || isFirst || !["switch", "clear the source"].includes(change)
              const ends = isUsed ? ["Failure"] : ["Success"]
              // While calls end, the target is used only for what they have changed.
              if (killed === "target" && !isFirst && change === "drain") ends.push("Success")
              expect(ends.map((end) => [change, true, end])).toContainEqual(yield* endsWithout(change))
              yield* moveShop(options(use.shop, to))
              yield* onHost(Effect.andThen(use.write, use.checkEvents))
              yield* onHost(other.checkEvents)
              expect([change, Object.keys(yield* rowsOf(use.shop, to === far ? home : far)), yield* remains]).toEqual([
                ...[change, []],
                [],
              ])
              yield* moveShop(options(use.shop, home))
            }
          }
        }).pipe(Effect.scoped),
    )
  }
}
