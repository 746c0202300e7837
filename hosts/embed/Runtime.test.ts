/** What runs beside the calls. */
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { callSite } from "./Failures.ts"
import { Runtime, type Services } from "./Runtime.ts"
import { OpenDatabase } from "./Stores.ts"

/** A runtime over a database whose schema is current from its second check on. */
const opened = () => {
  const seen = { checks: 0, started: 0, ended: 0 }
  const database = OpenDatabase.of({
    requireCurrent: Effect.suspend(() => (++seen.checks > 1 ? Effect.void : Effect.die(new Error("not current")))),
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
  return { seen, runtime: new Runtime(layer, background) }
}

it("What runs in the background MUST begin once, with the first call on a current schema, and end with the stop", async () => {
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
