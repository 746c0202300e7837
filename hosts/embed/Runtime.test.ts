/** What runs alongside the calls. */
import { Deferred, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { NewerSchema } from "../../adapters/sql/index.ts"
import { callSite } from "./Failures.ts"
import { Runtime, type Services } from "./Runtime.ts"
import { OpenDatabase } from "./Stores.ts"

/** A runtime over a database whose schema is current from its second check on. */
const opened = () => {
  const seen = { checks: 0, started: 0, ended: 0 }
  const newer = Deferred.makeUnsafe<never, NewerSchema>()
  const database = OpenDatabase.of({
    requireCurrent: Effect.suspend(() => {
      if (Deferred.isDoneUnsafe(newer)) return Deferred.await(newer)
      return ++seen.checks > 1 ? Effect.void : Effect.die(new Error("not current"))
    }),
    untilNewer: Deferred.await(newer),
    migrate: Effect.succeed([]),
    pendingSql: Effect.succeed(""),
    within: () => (effect) => effect,
  })
  const background = Effect.ensuring(
    Effect.andThen(
      Effect.sync(() => seen.started++),
      Effect.never,
    ),
    Effect.sync(() => seen.ended++),
  )
  const layer = Layer.succeed(OpenDatabase, database) as unknown as Layer.Layer<Services>
  const migrate = () => Deferred.doneUnsafe(newer, Effect.fail(new NewerSchema({ message: "a newer version" })))
  return { seen, migrate, runtime: new Runtime(layer, background) }
}

it("What runs in the background MUST begin once, with the first call on a current schema, and end with the stop (D43)", async () => {
  const { runtime, seen } = opened()
  const call = () => runtime.run(Effect.void, callSite(call))
  await expect(call()).rejects.toThrow()
  expect(seen).toMatchObject({ started: 0 })
  await Promise.all([call(), call()])
  await call()
  expect(seen).toMatchObject({ started: 1, ended: 0 })
  await runtime.stop()
  expect(seen).toMatchObject({ started: 1, ended: 1 })
})

it("The worker and the background MUST end, and calls fail with NotMigrated, once a newer version has migrated", async () => {
  const { migrate, runtime, seen } = opened()
  const call = () => runtime.run(Effect.void, callSite(call))
  await expect(call()).rejects.toThrow()
  let working = 0
  const worker = Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.sync(() => working++),
      () => Effect.sync(() => working--),
    ),
  )
  await runtime.start(Effect.succeed(worker), callSite(call))
  await expect.poll(() => [working, seen.started]).toEqual([1, 1])
  migrate()
  await expect.poll(() => [working, seen.ended]).toEqual([0, 1])
  await expect(call()).rejects.toMatchObject({ code: "NotMigrated", message: "a newer version" })
  await runtime.stop()
})
